// How loud the page is: off, or ten steps.

import { h } from "../app/dom.js";
import { t } from "../app/text.js";

/**
 * @param {import("../types").Model} model
 * @returns {import("../types").View}
 */
export function volume({ prefs, actions }) {
  const steps = Math.round(prefs.volume * 10);
  return h("div", { class: "field", key: "volume" },
    h("label", { for: "volume" }, t("options.volume")),
    h("input", {
      id: "volume", type: "range", min: 0, max: 10, step: 1, value: String(steps),
      "aria-valuetext": steps === 0 ? t("options.silent") : t("options.loud", { n: steps }),
      on: {
        input: (/** @type {Event} */ event) =>
          actions.sound(Number(/** @type {HTMLInputElement} */ (event.target).value) / 10),
      },
    }));
}
