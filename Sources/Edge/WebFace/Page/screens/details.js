// For the curious: the only place of the page where technical words are used.

import { h } from "../app/dom.js";
import { plain, t } from "../app/text.js";

/** Agreed lines shown. */
const LINES = 12;

/**
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 * @returns {import("../types").View}
 */
export function detailsPart(model, table) {
  const d = table.details;
  /** @param {number | Record<string, number>} counts */
  const counted = (counts) => (typeof counts === "number" ? String(counts)
    : Object.entries(counts).map(([name, count]) => `${name} ${count}`).join(", ") || "0");
  /** @type {[string, string][]} */
  const rows = [
    [t("details.table"), d.tableID],
    [t("details.epoch"), String(d.epoch)],
    [t("details.view"), String(d.view)],
    [t("details.height"), String(d.height)],
    [t("details.tip"), d.tip],
    [t("details.stateHash"), d.stateHash],
    [t("details.votes"), t("details.votesText", { votes: d.finalVotes, voters: d.voters, quorum: d.quorum })],
    [t("details.messages"), counted(d.messages)],
    [t("details.refused"), counted(d.refused)],
  ];
  const relayed = model.state.people.filter((person) =>
    person.through !== null && table.seats.some((seat) => seat.key === person.key));
  if (relayed.length > 0) {
    rows.push([t("details.through"), relayed.map((person) =>
      t("network.through", { name: plain(person.name), who: plain(person.through ?? "") })).join(" ")]);
  }
  const lines = model.agreed.filter((line) => line.table === table.id).slice(0, LINES);
  return h("details", { key: "details", class: "details" },
    h("summary", null, t("details.title")),
    h("dl", null, rows.map(([name, text]) => h("div", { key: name }, h("dt", null, name), h("dd", null, h("code", null, text))))),
    h("p", { key: "save", class: "row" }, h("button", { type: "button", class: "button plain", on: { click: () => void model.actions.saveLog(table.id) } },
      t("details.save")), " ", t("details.saveHint")),
    lines.length > 0 ? h("div", { key: "log" },
      h("h3", null, t("details.log")),
      h("ol", { class: "log" }, lines.map((line) => h("li", { key: line.index },
        h("code", null, `${line.index} ${line.kind} ${line.outcome}${line.code ? ` (${line.code})` : ""} ${line.hash.slice(0, 16)}`)))))
      : null);
}
