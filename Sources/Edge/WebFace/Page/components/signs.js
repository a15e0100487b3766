// What the laptops of a table agree on, in a few words.

import { h } from "../app/dom.js";
import { t, tx } from "../app/text.js";
import { icon, sign, typed } from "./parts.js";

/** Laptops may differ for so long before it is said, in milliseconds: news needs a moment to get round. */
const MOMENT = 1900;

/**
 * Agreement as one tick, who is away, and what the game waits for.
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
export function signs(model, table) {
  const { agreement: { agreeing, here, of }, away } = table;
  const apart = agreeing < here && performance.now() - (model.calm[table.id] ?? 0) >= MOMENT;
  return h("p", { class: "signs", role: "group", "aria-label": t("agree.name") },
    table.waiting ? sign("wait", "wait", t("agree.paused"))
      : table.pretend ? sign("good", "laptop", t("agree.pretend"))
        : apart ? sign("wait", "wait", t("agree.soon", { agreeing, n: here }))
          : here < of ? sign("good", "tick", t("agree.here", { n: here }))
            : sign("good", "tick", t("agree.all", { n: of })),
    away.map((name) => h("span", { key: name, class: "sign away" }, icon("moon"),
      h("span", null, tx("agree.away", { who: typed(name) })))));
}
