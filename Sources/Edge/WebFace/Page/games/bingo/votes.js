// Claims of others that want my vote, and the help after three without an answer.

import { h } from "../../app/dom.js";
import { t, tx } from "../../app/text.js";
import { ring } from "../../components/countdown.js";
import { face } from "../../components/face.js";
import { fullName, icon, joined, playerNames, sign, typed } from "../../components/parts.js";
import "../../components/vote-card.js";

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @returns {import("../../types").View}
 */
export function votes(model, table) {
  const others = table.claims.filter((claim) => !claim.mine);
  const wanted = others.filter((claim) => claim.mayVote && claim.myVote === null);
  const rest = others.filter((claim) => !wanted.includes(claim));
  const more = wanted.slice(1);
  return h("tt-votes", {
    class: wanted.length > 0 ? "votes is-asking" : "votes", role: "region", "aria-label": t("vote.region"),
    keys: model.prefs.voteKeys,
  },
    wanted.slice(0, 1).map((claim) => bigCard(model, table, claim)),
    more.map((claim, index) => smallCard(model, table, claim, index + 1)),
    more.length > 0 ? h("p", { key: "more", class: "more" }, t("vote.more", { n: more.length }), " ",
      joined(more.map((claim) => t("word.quoted", { word: claim.word })))) : null,
    rest.map((claim) => answered(model, claim)),
    others.length === 0 ? h("p", { key: "none", class: "no-votes" }, icon("dot"), t("vote.none")) : null);
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("../../types").Claim} claim
 */
function head(model, table, claim) {
  const id = `vote-${claim.id}`;
  const first = table.seats.find((seat) => seat.player === claim.by[0]);
  return h("div", { class: "vote-head" },
    face(first?.key ?? claim.by[0] ?? ""),
    h("div", null,
      h("p", { class: "quiet" }, tx("vote.heard", { who: joined(playerNames(table, claim.by)) })),
      h("h2", { id }, tx("word.quoted", { word: typed(claim.word) }))),
    ring(model, claim.leftMs, claim.ofMs, t("vote.left")));
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("../../types").Claim} claim
 * @param {boolean} keys
 */
function buttons({ actions }, table, claim, keys) {
  /** @param {boolean} confirm */
  const vote = (confirm) => () => void actions.act("vote", { table: table.id, claim: claim.id, confirm });
  return h("div", { class: "vote-buttons" },
    h("button", {
      class: "button primary yes", type: "button", "aria-describedby": `vote-${claim.id}`,
      "aria-keyshortcuts": keys ? "y" : null, on: { click: vote(true) },
    }, icon("tick"), t("vote.confirm"), keys ? h("kbd", { "aria-hidden": "true" }, "Y") : null),
    h("button", {
      class: "button no", type: "button", "aria-describedby": `vote-${claim.id}`,
      "aria-keyshortcuts": keys ? "n" : null, on: { click: vote(false) },
    }, icon("cross"), t("vote.deny"), keys ? h("kbd", { "aria-hidden": "true" }, "N") : null));
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("../../types").Claim} claim
 */
function bigCard(model, table, claim) {
  const missing = claim.needed - claim.confirms.length;
  /** @param {string[]} list @param {"good" | "wait" | "away"} tone @param {string} shape */
  const tally = (list, tone, shape) => list.map((player) => {
    const seat = table.seats.find((one) => one.player === player);
    return h("span", { key: player, class: `sign ${tone}` }, icon(shape),
      seat?.me ? t("people.you") : typed(seat ? fullName(seat) : t("people.somebody")));
  });
  return h("tt-vote", { key: claim.id, place: 0 },
    h("article", { class: "bubble ask vote", "aria-labelledby": `vote-${claim.id}` },
      head(model, table, claim),
      claim.onMyBoard ? h("p", { class: "quiet note" }, t("vote.onMyBoard")) : null,
      buttons(model, table, claim, model.prefs.voteKeys),
      h("p", { class: "tally" },
        tally(claim.confirms, "good", "tick"), tally(claim.denials, "away", "cross"), tally(claim.silent, "away", "wait"),
        missing > 0 ? h("span", { class: "quiet" }, t("vote.missing", { n: missing })) : null)));
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 * @param {import("../../types").Claim} claim
 * @param {number} place
 */
function smallCard(model, table, claim, place) {
  return h("tt-vote", { key: claim.id, place },
    h("article", { class: "vote small", "aria-labelledby": `vote-${claim.id}` },
      head(model, table, claim), buttons(model, table, claim, false)));
}

/**
 * @param {import("../../types").Model} model
 * @param {import("../../types").Claim} claim
 */
function answered(model, claim) {
  const word = typed(claim.word);
  return h("p", { key: `done-${claim.id}`, class: "answered" },
    claim.myVote === "confirm" ? sign("good", "tick", tx("vote.saidYes", { word }))
      : claim.myVote === "deny" ? sign("away", "cross", tx("vote.saidNo", { word }))
        : sign("away", "wait", tx("vote.notMine", { word })));
}

/**
 * Nobody answered three times in a row: this table may do with less.
 * @param {import("../../types").Model} model
 * @param {import("../../types").Table} table
 */
export function voteHelp({ ui, actions }, table) {
  if (table.voteHelp === null || ui.helpFolded) return null;
  /** @param {import("../../types").Voting} voting */
  const set = (voting) => () => void actions.act("voting", { table: table.id, voting });
  return h("section", { key: "help", class: "bubble ask", "aria-label": t("help.name") },
    h("div", { class: "stack" },
      h("p", null, t("help.text")),
      h("div", { class: "row" },
        h("button", { class: "button", type: "button", on: { click: set("anyone") } }, t("help.anyone")),
        h("button", { class: "button", type: "button", on: { click: set("honour") } }, t("help.honour")),
        h("button", { class: "button plain", type: "button", on: { click: () => actions.set({ helpFolded: true }) } },
          t("help.keep")))));
}
