// The page's own small machine: state in, view out, commands back. Nothing is decided here about any game.

import { joinBy } from "./join.js";
import { Attention, happenings } from "./attention.js";
import { patch } from "./dom.js";
import { EventStream } from "./events.js";
import { expected } from "./expect.js";
import { heirOf, isCalledOff, newHeirs } from "./heirs.js";
import { listActions } from "./lists.js";
import { languageFor } from "./languages.js";
import { browser, tab } from "./local.js";
import { Outbox } from "./outbox.js";
import { route, takeToken } from "./router.js";
import { pastActions } from "./past.js";
import { newlyGiven } from "../components/given.js";
import { dueReminders, newInvites } from "./reminders.js";
import { keep, save } from "./save.js";
import { loadText, plain, inWords, t } from "./text.js";
import { FRESH_PAST } from "../screens/history.js";
import { FRESH_LISTS } from "../screens/lists.js";
import { shell, title } from "../screens/shell.js";

/** How long a dead line or a silent node goes unmentioned, in milliseconds. */
const QUIET = 2000;
/** How long a notice stays when nobody looks at it, and how many are shown at most. */
const NOTICE_TIME = 10_000;
const NOTICES = 3;
/** How long something said stays for a screen reader, in milliseconds. */
const SPOKEN_TIME = 5000;
/** Agreed lines kept for Details. */
const AGREED = 50;

/** What sounds, the most important first. */
const SOUNDS = /** @type {const} */ (["bingo", "lost", "decided", "vote", "asked", "wall", "step"]);

const API = "api/v1/";
const root = /** @type {HTMLElement} */ (document.getElementById("root"));
const spoken = /** @type {HTMLElement} */ (document.getElementById("spoken"));
const attention = new Attention();

let token = takeToken();
/** @type {import("../types").State | null} */
let state = null;
let at = 0;
/** @type {import("../types").Link} */
let link = { status: token ? "connecting" : "noToken", message: null };
/** @type {ReturnType<typeof setTimeout> | undefined} */
let worry;
/** @type {import("../types").Notice[]} */
let notices = [];
let noticeCount = 0;
/** @type {import("../types").Agreed[]} */
let agreed = [];
/** @type {Record<string, number>} */
const calm = {};
/** @type {Set<string>} */
const refusalsSeen = new Set(tab.get("refusals") ?? []);

/** @type {import("../types").Prefs} */
let prefs = {
  theme: browser.get("theme") ?? "system",
  voteKeys: browser.get("voteKeys") ?? true,
  tell: browser.get("tell") ?? false,
  volume: browser.get("volume") ?? 0,
  language: languageFor(browser.get("language"), navigator.languages),
};

/** What a new table is like for people who come late or without a seat, unless something else is chosen. */
const AMONG_PEOPLE = /** @type {const} */ ({ suggesting: "anyone", latecomers: true, watching: "progress" });

/** @returns {import("../types").NewTable} */
function freshTable() {
  return {
    pack: null, own: "", without: [], minutes: 30, size: null, private: false, anonymous: false, strict: false, title: "", place: "", when: "",
    rules: { marking: "tap", voting: "majority", pattern: "lines", freeCentre: false, places: 1, ...AMONG_PEOPLE },
    allWords: false, touched: false, refused: null,
  };
}

/** @type {import("../types").UI} */
let ui = {
  search: "", name: null, nameTaken: null, joining: null, joinRefused: null, dialog: null,
  holdFolded: false, helpFolded: false, allWords: false, fresh: freshTable(), lists: FRESH_LISTS,
  past: FRESH_PAST, place: null, play: {},
};

const headers = () => ({ "X-Tabletalk-Token": token ?? "" });

const outbox = new Outbox(
  (body, signal) => fetch(`${API}commands`, {
    method: "POST", headers: { ...headers(), "Content-Type": "application/json" }, body: JSON.stringify(body), signal,
  }),
  () => { watchOutbox(); draw(); },
  () => {},
);

const text = loadText(prefs.language);
const stream = new EventStream(`${API}events`, headers, {
  opened() {
    setLink("live");
    void outbox.flush();
  },
  lost() {
    worry ??= setTimeout(() => { if (link.status !== "closed" && link.status !== "noToken") setLink("lost"); }, QUIET);
    if (link.status === "live") link = { status: "connecting", message: null };
  },
  refused() {
    token = null;
    tab.set("token", null);
    outbox.stop();
    setLink("noToken");
  },
  event({ event, data }) {
    if (event === "state") receive(JSON.parse(data));
    else if (event === "agreed") agree(JSON.parse(data));
    else if (event === "closed") close(JSON.parse(data));
  },
});

/**
 * @param {import("../types").Link["status"]} status
 * @param {string | null} [message]
 */
function setLink(status, message = null) {
  if (status !== "connecting") {
    clearTimeout(worry);
    worry = undefined;
  }
  link = { status, message };
  draw();
}

/** A node that was stopped keeps its sockets open: only an answer that does not come shows it. */
function watchOutbox() {
  const look = () => {
    const late = outbox.since !== null && performance.now() - outbox.since >= QUIET;
    if (late && link.status === "live") setLink("late");
    else if (!late && link.status === "late") setLink("live");
  };
  look();
  setTimeout(look, QUIET + 50);
}

/** @param {import("../types").State} next */
function receive(next) {
  const before = state;
  state = next;
  at = performance.now();
  outbox.seen(next);
  for (const table of next.tables) {
    if (table.agreement.agreeing >= table.agreement.here) calm[table.id] = at;
    else setTimeout(draw, QUIET);
  }
  for (const refusal of next.refusals) takenBack(refusal, before !== null);
  if (before) {
    tellOf(happenings(before, next), next);
    for (const invite of newInvites(before, next)) {
      attention.tell(invite, prefs.tell);
      notice({ text: [invite.text] });
    }
    for (const text of newlyGiven(before, next)) notice({ text: [text] });
    leaveCancelled(before, next);
    tellHeirs(before, next);
    followJoin(before, next);
    followRematch(before, next);
    followMatch(before, next);
    if (phaseInView(before) !== phaseInView(next)) fromTop();
  }
  followHeir(next);
  followInvitation();
  if (before === null) lookAround();
  void lookIntoList();
  void lookBack();
  remind();
  if (link.status === "late" && outbox.since === null) link = { status: "live", message: null };
  draw();
}

/**
 * All of it is told to who looks elsewhere; what happened at the table in view is read out, in one go.
 * @param {import("./attention.js").Happening[]} happened
 * @param {import("../types").State} next
 */
function tellOf(happened, next) {
  const told = happened.filter((one) => one.text !== "");
  for (const happening of told) attention.tell(happening, prefs.tell);
  const loudest = SOUNDS.find((kind) => happened.some((one) => (one.tune ?? one.kind) === kind));
  if (loudest && !document.hidden) void attention.sound(loudest, prefs.volume);
  const here = told.filter((one) => one.table === route().table && !decidedAgainst(one, next));
  if (here.length > 0) say(here.map((one) => one.text).join(" "));
}

/**
 * My claim was decided against me: a notice says so, with what to do next, and is read out by itself.
 * @param {import("./attention.js").Happening} happening
 * @param {import("../types").State} next
 * @returns {boolean} whether it was that
 */
function decidedAgainst(happening, next) {
  if (happening.kind !== "decided") return false;
  const line = next.tables.find((table) => table.id === happening.table)?.feed
    .find((one) => happening.id.endsWith(`-${one.index}`));
  if (line?.kind !== "denied" && line?.kind !== "expired") return false;
  notice({ text: [happening.text] });
  return true;
}

/**
 * A table that I look at was cancelled: home, with the news.
 * @param {import("../types").State} before
 * @param {import("../types").State} next
 */
function leaveCancelled(before, next) {
  for (const table of next.tables) {
    const was = before.tables.find((one) => one.id === table.id);
    if (!was || !isCalledOff(table, next) || isCalledOff(was, before)) continue;
    const host = table.seats.find((seat) => seat.creator)?.name ?? t("people.somebody");
    if (!table.mine) notice({ text: [t("cancelled.by", { who: plain(host), title: plain(table.title) })] });
    if (route().table === table.id) location.hash = "";
  }
}

/**
 * An owner left and somebody else runs the table now: everybody at it is told, and its new owner in other windows too.
 * @param {import("../types").State} before
 * @param {import("../types").State} next
 */
function tellHeirs(before, next) {
  for (const table of newHeirs(before, next)) {
    const host = table.seats.find((seat) => seat.runs)?.name ?? t("people.somebody");
    const text = table.mine ? t("heir.mine") : t("feed.runs", { who: plain(host) });
    notice({ text: [text] });
    if (table.mine) attention.tell({ kind: "asked", id: `heir-${table.id}`, text, table: table.id }, prefs.tell);
  }
}

/** @param {import("../types").State} next */
function followHeir(next) {
  const heir = heirOf(route().table, next);
  if (heir) location.replace(`#table/${heir.id}`);
}

/** @param {import("../types").State} state */
function phaseInView(state) {
  return state.tables.find((one) => one.id === route().table)?.phase;
}

/** What is new on the screen begins at its top, whatever was scrolled to before. */
function fromTop() {
  draw();
  window.scrollTo(0, 0);
  queueMicrotask(() => document.getElementById("main")?.focus({ preventScroll: true }));
}

/** The Network screen was opened: what it shows is to be of now. */
function lookAround() {
  if (state?.screen === "home" && route().screen === "network") void actions.act("checkNetwork");
}

/** The words of the list in view stand not in the state: they are asked for whenever the list has changed. */
async function lookIntoList() {
  const { list: wanted } = route();
  const given = state?.wordLists.given.find((one) => String(one.list) === wanted);
  const list = given ? { ...given, id: given.list } : state?.wordLists.lists.find((one) => String(one.id) === wanted);
  if (!list) return;
  const of = `${list.id} ${list.title} ${list.count}`;
  if (ui.lists.of === of) return;
  actions.list({ of, words: ui.lists.of?.split(" ")[0] === String(list.id) ? ui.lists.words : null });
  const answer = await actions.lists.words(list.id);
  if (ui.lists.of === of) actions.list("words" in answer ? { words: answer.words } : { of: null });
}

/** Past games are asked for when their screen is opened, and again when a game has ended meanwhile. */
async function lookBack() {
  const { screen, past } = route();
  if (!state || state.screen !== "home" || screen !== "history") return;
  const over = state.tables.filter((table) => table.phase === "over").map((table) => table.id).join(" ");
  if (ui.past.over !== over) {
    ui = { ...ui, past: { ...ui.past, over } };
    const games = await actions.past.games();
    actions.set({ past: { ...ui.past, games: games ?? ui.past.games, over: games ? ui.past.over : null } });
  }
  if (past === null || ui.past.of === past || ui.past.of === `${past} missing`) return;
  ui = { ...ui, past: { ...ui.past, of: past, replay: null, proof: null } };
  const replay = await actions.past.replay(past);
  if (ui.past.of === past) actions.set({ past: { ...ui.past, of: replay ? past : `${past} missing`, replay } });
}

/** Tables that begin soon: looked for with every state, and every few seconds. */
function remind() {
  if (!state || state.screen !== "home") return;
  for (const due of dueReminders(state, Date.now())) {
    attention.tell(due, prefs.tell);
    notice({ text: [due.text], action: { label: t("soon.go"), run: () => actions.go(`table/${due.table}`) } });
    draw();
  }
}

/** `tabletalk join INVITATION` opens the page with the invitation in its address: it is used once. */
function followInvitation() {
  if (!state || state.screen !== "home" || !location.hash.startsWith("#join/")) return;
  const invitation = decodeURIComponent(location.hash.slice("#join/".length));
  history.replaceState(null, "", location.pathname);
  void joinBy(actions, invitation);
}

/**
 * A table asked for by code was found: its screen says how joining goes on.
 * @param {import("../types").State} before
 * @param {import("../types").State} next
 */
function followJoin(before, next) {
  if (ui.joining === null) return;
  const found = next.tables.find((table) => !before.tables.some((one) => one.id === table.id));
  if (!found) return;
  ui = { ...ui, joining: null };
  location.hash = `table/${found.id}`;
}

/**
 * Somebody to play with was found: the game begins. Who plays something else meanwhile is told.
 * @param {import("../types").State} before
 * @param {import("../types").State} next
 */
function followMatch(before, next) {
  if (before.matching === null) return;
  const begun = next.tables.find((table) => table.game === before.matching && !table.pretend
    && ["starting", "dealing", "playing"].includes(table.phase)
    && before.tables.find((one) => one.id === table.id)?.phase !== table.phase);
  if (!begun || route().table === begun.id) return;
  const go = () => { location.hash = `table/${begun.id}`; };
  if (route().screen === "home") return go();
  const other = begun.seats.find((seat) => !seat.me)?.name ?? t("people.somebody");
  const text = t("match.found", { who: plain(other) });
  tellOf([{ kind: "vote", id: `match-${begun.id}`, text, table: begun.id }], next);
  notice({ text: [text], action: { label: t("match.go"), run: go } });
  say(text);
}

/**
 * The table of the next round is there, and I asked for one: it takes the place of the old result.
 * @param {import("../types").State} before
 * @param {import("../types").State} next
 */
function followRematch(before, next) {
  const old = next.tables.find((one) => one.id === route().table);
  const round = old?.successor;
  if (!old?.result?.rematch.mine || round?.kind !== "rematch") return;
  const isNews = !before.tables.some((one) => one.id === round.id) && next.tables.some((one) => one.id === round.id);
  if (!isNews) return;
  location.replace(`#table/${round.id}`);
  if (old.pretend) void actions.act("putAway", { table: old.id });
}

/**
 * The table refused later what the node had taken: the click is taken back, with the reason.
 * @param {import("../types").Refusal} refusal
 * @param {boolean} news false for what was there when the page opened
 */
function takenBack(refusal, news) {
  if (refusalsSeen.has(refusal.command)) return;
  refusalsSeen.add(refusal.command);
  tab.set("refusals", [...refusalsSeen].slice(-40));
  const command = outbox.recall(refusal.command);
  // Who still looks at the Join box reads it there.
  if (command?.kind === "join" && ui.joining !== null) {
    ui = { ...ui, joining: null, joinRefused: inWords(refusal.message) };
    if (route().screen === "home") return;
  }
  // What was pressed when the game ended needs no word: the result says it all.
  const isOver = state?.tables.some((one) => one.id === refusal.table && one.phase === "over");
  if (refusal.code === "gameOver" && isOver) return;
  if (news || command) refused(refusal.message, command);
}

/**
 * @param {string} message
 * @param {Record<string, any> | null} command
 */
function refused(message, command) {
  const table = state?.tables.find((one) => one.id === command?.table);
  const word = command?.word ?? table?.board?.tiles.find((tile) => tile.index === command?.tile)?.word
    ?? table?.claims?.find((claim) => claim.id === command?.claim)?.word;
  notice({ text: [word ? t("refused.word", { word: plain(word), message: inWords(message) }) : inWords(message)], tone: "bad" });
}

/** @param {import("../types").Agreed} line */
function agree(line) {
  if (agreed.some((one) => one.table === line.table && one.index === line.index)) return;
  agreed = [line, ...agreed].slice(0, AGREED);   // a state that shows it comes next
}

/** @param {import("../types").Problem} why */
function close(why) {
  if (why.code !== "tooManyPages") return;
  stream.stop();
  outbox.stop();
  setLink("closed", why.message);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let silence;

/**
 * Has it read out. It does not stay: who reads through the page later is not to find it as news.
 * @param {string} text
 */
function say(text) {
  clearTimeout(silence);
  spoken.textContent = text;
  silence = setTimeout(() => { spoken.textContent = ""; }, SPOKEN_TIME);
}

/** @param {Parameters<import("../types").Actions["notice"]>[0]} one */
function notice({ text, tone = "plain", action = null }) {
  const id = `n${noticeCount += 1}`;
  notices = [...notices, { id, text, tone, action }].slice(-NOTICES);
  setTimeout(() => fade(id), NOTICE_TIME);
  draw();
}

/**
 * Takes a notice away unless somebody is reading it with the pointer or the keyboard.
 * @param {string} id
 */
function fade(id) {
  const element = document.getElementById(id);
  if (element?.matches(":hover, :focus-within")) setTimeout(() => fade(id), NOTICE_TIME);
  else actions.dismiss(id);
}

/** @type {import("../types").Actions} */
const actions = {
  send: (kind, fields = {}) => outbox.send(kind, fields, state?.boot ?? null),
  async act(kind, fields = {}) {
    const answer = await actions.send(kind, fields);
    if (!answer.ok) refused(answer.message, fields);
    return answer;
  },
  go(hash) {
    location.hash = hash;
  },
  set(change) {
    ui = { ...ui, ...change };
    draw();
  },
  pref(change) {
    prefs = { ...prefs, ...change };
    for (const [name, value] of Object.entries(change)) browser.set(name, value);
    showTheme();
    draw();
  },
  async speak(language) {
    await loadText(language);
    actions.pref({ language });
  },
  notice,
  dismiss(id) {
    if (!notices.some((one) => one.id === id)) return;
    notices = notices.filter((one) => one.id !== id);
    draw();
  },
  say,
  async copy(text, line, said = t("invite.copied")) {
    try {
      await navigator.clipboard.writeText(text);
      notice({ text: [said] });
    } catch {
      notice({ text: [t("invite.copyFailed", { line })], tone: "bad" });
    }
  },
  async saveLog(table) {
    if (!await save(`${API}tables/${table}/export`, headers())) notice({ text: [t("details.notSaved")], tone: "bad" });
  },
  keep,
  sound(volume) {
    actions.pref({ volume });
    void attention.sound("decided", volume);
  },
  async askToTell() {
    if (prefs.tell) {
      actions.pref({ tell: false });
      return;
    }
    const allowed = await attention.consent();
    actions.pref({ tell: true });
    notice({ text: [allowed ? t("tell.on") : t("tell.onlySound")] });
  },
  lists: listActions(API, headers),
  past: pastActions(API, headers),
  async prove(id) {
    actions.set({ past: { ...ui.past, isProving: true, proof: null } });
    const proof = await actions.past.proof(id);
    actions.set({ past: { ...ui.past, isProving: false, proof: ui.past.of === id ? proof : null } });
  },
  list(change) {
    actions.set({ lists: { ...ui.lists, ...change } });
  },
  play(words) {
    ui = { ...ui, fresh: { ...freshTable(), own: words.join("\n"), touched: true } };
    location.hash = "new/bingo";
  },
  hereInstead() {
    location.reload();
  },
};

function showTheme() {
  if (prefs.theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = prefs.theme;
}

let drawing = false;
let isUsable = false;
/** Shows the page anew, once for all that changed in one go. Not tied to frames: a hidden page has none. */
function draw() {
  if (drawing) return;
  drawing = true;
  queueMicrotask(() => {
    drawing = false;
    const model = current();
    patch(root, shell(model));
    const text = attention.title(title(model));
    if (document.title !== text) document.title = text;
    if (state && !isUsable) {
      isUsable = true;
      performance.mark("usable");
    }
  });
}

/** @returns {import("../types").Model | import("../types").Blank} */
function current() {
  if (!state) return { state: null, link, prefs, actions };
  const pending = outbox.pending;
  return {
    state: expected(state, pending), at, link, route: route(), calm, pending: pending.length, notices, actions, agreed, prefs, ui,
  };
}

window.addEventListener("hashchange", () => {
  if (location.hash.startsWith("#token=")) {
    takeToken();
    location.reload();
    return;
  }
  if (state) followHeir(state);
  ui = { ...ui, dialog: null, holdFolded: false, helpFolded: false, allWords: false, play: {} };
  if (route().screen !== "new") ui = { ...ui, fresh: freshTable() };
  if (route().screen !== "lists") ui = { ...ui, lists: FRESH_LISTS };
  else ui = { ...ui, lists: { ...ui.lists, word: "", refused: null } };
  if (route().screen !== "history") ui = { ...ui, past: FRESH_PAST };
  lookAround();
  void lookIntoList();
  void lookBack();
  fromTop();
});
// Like Y and N, which one switches off with it.
document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || !prefs.voteKeys || ui.dialog !== null || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [contenteditable]")) return;
  if (!state?.tables.some((one) => one.id === route().table && (one.phase === "playing" || one.phase === "lobby"))) return;
  event.preventDefault();
  actions.set({ dialog: "rules" });
});

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) {
    stream.hurry();
    draw();
  }
});
window.addEventListener("online", () => stream.hurry());
setInterval(draw, 20_000);   // "3 min ago" grows old by itself
setInterval(remind, 5_000);

// The state is asked for before its words are here, and shown after them.
if (token) void stream.run(text);
await text;
showTheme();
draw();
