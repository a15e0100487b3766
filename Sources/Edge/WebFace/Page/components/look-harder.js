// "Look harder": every address of the own networks is asked, once, when a person wants it.

import { h } from "../app/dom.js";
import { t } from "../app/text.js";
import { card, sign } from "./parts.js";

/**
 * @param {import("../types").Model} model
 * @returns {import("../types").View}
 */
export function lookHarder({ state, actions }) {
  const { looking } = state.network;
  const nothing = looking.subnets.length === 0;
  const press = () => {
    if (!nothing) void actions.act(looking.running ? "stopLooking" : "lookHarder");
  };
  return card("look-harder", t("look.title"), "",
    h("p", { class: "quiet" }, nothing ? t("look.nowhere")
      : t("look.what", { n: looking.count, where: looking.subnets.join(", ") })),
    h("p", { class: "row" },
      h("button", { class: "button", type: "button", "aria-disabled": nothing ? "true" : null, on: { click: press } },
        looking.running ? t("look.stop") : t("look.go")),
      h("span", { role: "status" }, said(looking))));
}

/** @param {import("../types").Looking} looking */
function said(looking) {
  if (looking.asked === null) return null;
  if (looking.running) {
    return sign("away", "wait", t("look.asked", { n: looking.asked, of: looking.count }));
  }
  return looking.found > 0 ? sign("good", "here", t("look.found", { n: looking.found })) : sign("away", "dot", t("look.nobody"));
}
