// One table, whatever stage it is in. The game's own module draws settings, board and result.

import { h } from "../app/dom.js";
import { namesText, plain, inWords, t, took, tx } from "../app/text.js";
import { chat } from "../components/chat.js";
import { crowd } from "../components/crowd.js";
import { ask, show } from "../components/dialog.js";
import { fullName, icon, sign, typed } from "../components/parts.js";
import { games } from "../games/games.js";
import { detailsPart } from "./details.js";
import { lobbyScreen } from "./lobby.js";

/** @param {import("../types").Table} table */
export function tableTitle(table) {
  if (table.phase === "over" && table.result && table.result.kind !== "unfinished") {
    const names = table.result.winners.map((player) => table.seats.find((seat) => seat.player === player)?.name ?? "");
    const titles = {
      line: games[table.game]?.titles.won ?? "table.lastTitle", settled: "table.settledTitle", lastPlayer: "table.lastTitle",
      drawn: "table.drawnTitle",
    };
    return t(titles[table.result.kind], { who: namesText(names) });
  }
  return table.title;
}

/**
 * The line under the title in the bar.
 * @param {import("../types").Table} table
 */
export function tableWhere(table) {
  if (table.pretend) return t("table.pretend");
  if (table.phase === "over" && table.result) return took("table.finishedSoon", "table.finished", table.result.seconds);
  const paused = table.phase === "playing" && table.waiting !== null;
  if (table.private) return t(paused ? "table.pausedPrivate" : "table.private");
  return t(paused ? "table.paused" : "table.code", { code: table.code });
}

/**
 * @param {import("../types").Model} model
 * @param {import("../types").Table | null} table
 * @returns {import("../types").Child}
 */
export function tableScreen(model, table) {
  if (!table) return model.pending > 0 ? still(t("table.opening")) : gone();
  const game = games[table.game];
  const me = table.seats.find((seat) => seat.me);
  if (!game) return ended(t("table.unknownGame"), null);
  if (table.phase === "refused") {
    return [ended(t("table.refused"), table.refusal ? inWords(table.refusal.message) : null), watchInstead(model, table)];
  }
  if (table.waiting?.code === "handingOn") return handingOn(model, table, table.waiting);
  if (table.phase === "cancelled") return ended(t("table.cancelled", { title: table.title }), null);
  if (table.phase === "joining") return joining(model, table);
  if (me?.takenOff && table.phase !== "over") return ended(t("crowd.youAreOff"), t("crowd.youAreOffText"));
  if (me?.presence === "left" && table.phase !== "over") return ended(t("table.left"), t("table.leftText"));
  return [
    successor(model, table),
    hold(model, table),
    proofs(table),
    ways(model, table),
    table.phase === "lobby" ? lobbyScreen(model, table, game)
      : table.phase === "over" && table.result ? game.result(model, table)
        : table.phase === "playing" ? game.board(model, table)
          : dealing(table),
    chat(model, table),
    crowd(model, table),
    detailsPart(model, table),
    question(model, table),
  ];
}

/**
 * There is no seat, but one may look on.
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
function watchInstead({ state, actions }, table) {
  const open = state.openTables.find((one) => one.id === table.id);
  if (!open?.watchable) return null;
  const watch = async () => {
    const answer = await actions.act("watch", { table: table.id });
    if (answer.ok && answer.table) actions.go(`table/${answer.table}`);
  };
  return h("p", { key: "instead", class: "gate" }, h("button", { class: "button", type: "button", on: { click: () => void watch() } },
    t("onlooker.instead")));
}

/** @param {string} text */
function still(text) {
  return h("section", { class: "gate", role: "status", key: "still" }, h("p", { class: "lead" }, icon("wait"), " ", text));
}

function gone() {
  return ended(t("table.gone"), t("table.goneText"));
}

/** @param {string} heading @param {string | null} text */
function ended(heading, text) {
  return h("section", { class: "gate", key: "ended" }, h("h1", null, heading),
    text ? h("p", { class: "lead" }, text) : null,
    h("p", null, h("a", { class: "button primary big", href: "#" }, t("table.home"))));
}

/** @param {import("../types").Model} model @param {import("../types").Table} table */
function joining({ actions }, table) {
  const host = table.seats.find((seat) => seat.creator)?.name;
  return h("section", { class: "gate", key: "joining" },
    h("h1", null, host ? tx("table.joiningAt", { who: typed(host) })
      : table.private ? t("table.joiningPrivate") : t("table.joining", { code: table.code })),
    h("p", { class: "lead", role: "status" }, t("table.joiningText")),
    h("p", null, h("button", {
      class: "button", type: "button",
      on: { click: () => { void actions.act("leave", { table: table.id }); actions.go(""); } },
    }, t("table.stop"))));
}

/**
 * The owner has left: it goes on in a moment, and one may go home instead.
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 * @param {import("../types").Waiting} waiting
 */
function handingOn({ actions }, table, waiting) {
  return h("section", { class: "gate", key: "handing-on" },
    h("p", { class: "lead", role: "status" }, icon("wait"), " ", inWords(waiting.message)),
    h("p", null, h("button", {
      class: "button", type: "button",
      on: { click: () => { void actions.act("leave", { table: table.id }); actions.go(""); } },
    }, t("lobby.leave"))));
}

/** @param {import("../types").Table} table */
function dealing(table) {
  return h("section", { class: "gate", key: "dealing", role: "status" },
    h("div", { class: "deal-pile", "aria-hidden": "true" }, [0, 1, 2, 3].map(() => h("i", null))),
    h("h1", null, table.phase === "starting" ? t("table.starting") : t("table.dealing")),
    h("p", { class: "lead" }, t("table.dealingText")));
}

/**
 * "2 of 4 people are here": what the table waits for, and what one can do about it.
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
function hold({ ui, actions }, table) {
  const { waiting } = table;
  if (!waiting) return null;
  if (ui.holdFolded) {
    return h("p", { key: "hold-sign", class: "hold-sign", role: "status" },
      sign("wait", "wait", t("hold.folded")),
      h("button", { class: "button plain", type: "button", on: { click: () => actions.set({ holdFolded: false }) } },
        t("hold.unfold")));
  }
  const keepWaiting = () => {
    if (waiting.code === "goingOn") void actions.act("goOn", { table: table.id, on: false });
    else actions.set({ holdFolded: true });
  };
  return h("section", { key: "hold", class: "bubble ask hold", role: "status", "aria-label": t("hold.name") },
    h("p", { class: "lead" }, inWords(waiting.message)),
    table.seats.some((seat) => seat.me) ? choiceRow(actions, table, waiting.choices, keepWaiting) : null);
}

/**
 * What one can do about it, the first as the main way.
 * @param {import("../types").Model["actions"]} actions
 * @param {import("../types").Table} table
 * @param {import("../types").Choice[]} offered
 * @param {() => void} keepWaiting
 */
function choiceRow(actions, table, offered, keepWaiting) {
  /** @param {string} kind */
  const act = (kind) => () => void actions.act(kind, { table: table.id });
  /** @type {Record<import("../types").Choice, [string, () => void]>} */
  const choices = {
    wait: [t("hold.wait"), keepWaiting],
    quit: [t("quit.go"), () => actions.set({ dialog: "quit" })],
    cancel: [t("lobby.cancel"), () => actions.set({ dialog: "cancel" })],
    startAgain: [t("hold.again"), act("startAgain")],
    joinSuccessor: [t("hold.successor"), act("joinSuccessor")],
    goOn: [t("hold.goOn"), act("goOn")],
    later: [t("hold.later"), () => actions.go("")],
    end: [t("hold.end"), () => {
      void actions.act("askEnd", { table: table.id }).then((answer) => {
        if (!answer.ok) return;
        actions.notice({ text: [t("hold.ended", { who: namesText(table.away) })] });
        actions.go("");
      });
    }],
    follow: [t("hold.follow"), act("follow")],
  };
  return h("div", { class: "row" }, offered.map((choice, index) => {
    const [text, run] = choices[choice];
    return h("button", { key: choice, class: index === 0 ? "button primary" : "button", type: "button", on: { click: run } },
      text);
  }));
}

/**
 * Some went on without others, on one way or on several.
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
function ways(model, table) {
  const offered = table.wentOn.filter((line) => line.code === "offered");
  if (offered.length < 2) return table.wentOn.map((line) => wentOn(model, table, line));
  return [
    ...table.wentOn.filter((line) => line.code !== "offered").map((line) => wentOn(model, table, line)),
    h("section", { key: "ways", class: "bubble ask hold", role: "group", "aria-labelledby": "ways-title" },
      h("h2", { id: "ways-title" }, t("hold.ways")),
      h("p", { role: "status" }, t("hold.waysText")),
      h("div", { class: "ways" }, offered.map((line) => oneWay(model, table, line))),
      h("div", { class: "row" }, h("button", {
        class: "button", type: "button", on: { click: () => model.actions.set({ dialog: "quit" }) },
      }, t("quit.go")))),
  ];
}

/**
 * One of several ways on which others went on, and the button that goes with them.
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 * @param {import("../types").Waiting} line
 */
function oneWay({ actions }, table, line) {
  const id = `way-${line.way}`;
  return h("div", { key: id, class: "way" },
    h("p", { id, class: "lead" }, inWords(line.message)),
    h("button", {
      class: "button", type: "button", "aria-describedby": id,
      on: { click: () => void actions.act("follow", { table: table.id, way: line.way }) },
    }, t("hold.followWho", { who: namesText(line.names) })));
}

/**
 * Some went on without others: what that means here.
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 * @param {import("../types").Waiting} line
 */
function wentOn({ actions }, table, line) {
  const key = `went-on ${line.code} ${line.names.join(" ")}`;
  if (line.choices.length === 0) {
    return h("p", { key, class: "hold-sign", role: "status" }, sign("wait", "moon", inWords(line.message)));
  }
  return h("section", { key, class: "bubble ask hold", role: "status", "aria-label": t("hold.wentOn") },
    h("p", { class: "lead" }, inWords(line.message)),
    choiceRow(actions, table, line.choices, () => {}));
}

/**
 * Laptops that are proven to have lied.
 * @param {import("../types").Table} table
 */
function proofs(table) {
  if (table.proofs.length === 0) return null;
  return h("section", { key: "proofs", class: "bubble ask", role: "status", "aria-label": t("proofs.name") },
    table.proofs.map((proof) => h("p", { key: proof.player }, sign("away", "flag", inWords(proof.message)))));
}

/**
 * The others sit at another table that came out of this one.
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
function successor({ state, actions }, table) {
  const next = table.successor;
  if (!next) return null;
  const mine = state.tables.find((one) => one.id === next.id);
  const join = async () => {
    if (!mine) {
      const answer = await actions.act("joinSuccessor", { table: table.id });
      if (!answer.ok) return;
    }
    actions.go(`table/${next.id}`);
  };
  return h("section", { key: "successor", class: "bubble ask successor", role: "status", "aria-label": t("successor.name") },
    h("p", { class: "lead" }, next.kind === "rematch"
      ? tx("successor.rematch", { who: typed(next.hostName) }) : tx("successor.again", { who: typed(next.hostName) })),
    h("div", { class: "row" }, h("button", { class: "button primary", type: "button", on: { click: join } },
      mine ? t("successor.go") : t(table.seats.some((seat) => seat.me) ? "successor.join" : "onlooker.next"))));
}

/**
 * Quit, leave and cancel ask once; the rules are read and closed.
 * @param {import("../types").Model} model
 * @param {import("../types").Table} table
 */
function question(model, table) {
  const { ui, actions } = model;
  if (ui.dialog === null) return null;
  const onNo = () => actions.set({ dialog: null });
  /** @param {"quit" | "leave" | "cancel"} kind */
  const yes = (kind) => () => {
    actions.set({ dialog: null });
    void actions.act(kind, { table: table.id });
    actions.go("");
  };
  const game = games[table.game];
  const own = game?.dialog?.(model, table);
  if (own) return own;
  if (ui.dialog === "rules") {
    return game ? show({ title: t("guide.title"), done: t("guide.done"), onDone: onNo }, game.howTo(model, table)) : null;
  }
  if (ui.dialog === "cancel") {
    return ask({
      title: t("cancel.title"), text: t("cancel.text"), yes: t("cancel.yes"), no: t("cancel.no"), onYes: yes("cancel"), onNo,
    });
  }
  if (ui.dialog === "leave") {
    const heir = table.seats.find((seat) => !seat.me && seat.presence === "here");
    const text = !table.mine ? t("leave.text") : heir ? t("leave.mine", { who: plain(fullName(heir)) }) : t("leave.mineAway");
    return ask({ title: t("leave.title"), text, yes: t("leave.yes"), no: t("quit.no"), onYes: yes("leave"), onNo });
  }
  return ask({ title: t("quit.title"), text: quitText(table), yes: t("quit.yes"), no: t("quit.no"), onYes: yes("quit"), onNo });
}

/**
 * What quitting means here.
 * @param {import("../types").Table} table
 */
function quitText(table) {
  if (table.pretend) return t("quit.textPretend");
  const others = table.seats.filter((seat) => !seat.me && seat.presence !== "left");
  return others.length === 1 ? t("quit.textTwo", { who: plain(fullName(others[0])) })
    : t(games[table.game]?.titles.quit ?? "quit.text");
}
