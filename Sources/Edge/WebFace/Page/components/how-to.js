// The button that opens the rules.

import { h } from "../app/dom.js";
import { t } from "../app/text.js";
import { icon } from "./parts.js";

/**
 * Opens it.
 * @param {import("../types").Model} model
 * @returns {import("../types").View}
 */
export function howToButton({ actions }) {
  return h("button", {
    key: "how-to", class: "button plain", type: "button", "aria-keyshortcuts": "?", on: { click: () => actions.set({ dialog: "rules" }) },
  }, icon("table"), t("guide.title"));
}
