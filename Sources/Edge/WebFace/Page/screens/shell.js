// What is around every screen: bar, banners, notices, footer.

import { h } from "../app/dom.js";
import { LANGUAGES } from "../app/languages.js";
import { inWords, t } from "../app/text.js";
import { face } from "../components/face.js";
import { icon, typed } from "../components/parts.js";
import { games } from "../games/games.js";
import { homeScreen } from "./home.js";
import { historyScreen } from "./history.js";
import { listsScreen } from "./lists.js";
import { networkScreen } from "./network.js";
import { tableScreen, tableTitle, tableWhere } from "./table.js";
import { welcomeScreen } from "./welcome.js";

/** @typedef {import("../types").Model | import("../types").Blank} AnyModel */

/**
 * The whole page.
 * @param {AnyModel} model
 * @returns {import("../types").Child}
 */
export function shell(model) {
  if (model.link.status === "noToken") return gate(model, t("gate.noTokenTitle"), t("gate.noToken"));
  if (model.link.status === "closed") return gate(model, t("gate.closedTitle"), t("gate.closed"), true);
  if (!model.state) return starting(model);
  return inside(/** @type {import("../types").Model} */ (model));
}

/**
 * The title of the page, without what wants attention.
 * @param {AnyModel} model
 * @returns {string}
 */
export function title(model) {
  if (!model.state || model.state.screen === "welcome") return t("app.name");
  const { route, state } = /** @type {import("../types").Model} */ (model);
  if (route.screen === "new") return t("app.title", { screen: t(games[route.game ?? ""]?.titles.new ?? "new.title") });
  if (route.screen === "lists") return t("app.title", { screen: t("lists.title") });
  if (route.screen === "history") return t("app.title", { screen: t("past.title") });
  if (route.screen === "network") return t("app.title", { screen: t("network.title") });
  const table = state.tables.find((one) => one.id === route.table);
  return table ? t("app.title", { screen: tableTitle(table) }) : t("app.name");
}

/** @param {import("../types").Model} model */
function inside(model) {
  const { state, route } = model;
  const welcome = state.screen === "welcome";
  const table = !welcome && route.screen === "table"
    ? state.tables.find((one) => one.id === route.table) ?? null : null;
  const key = welcome ? "welcome" : `${route.screen}-${route.table ?? route.game ?? route.past ?? ""}`;
  return [
    h("a", { key: "skip", class: "skip", href: "#main", on: { click: skip } }, t("app.skip")),
    bar(model, table),
    h("main", { key, id: "main", tabindex: "-1" },
      state.trouble ? trouble(state.trouble) : null,
      welcome ? welcomeScreen(model)
        : route.screen === "new" ? games[route.game ?? ""]?.newTable(model)
          : route.screen === "network" ? networkScreen(model)
          : route.screen === "lists" ? listsScreen(model)
          : route.screen === "history" ? historyScreen(model)
            : route.screen === "table" ? tableScreen(model, table)
              : homeScreen(model)),
    h("footer", { key: "foot", class: "foot" }, 
      welcome ? null : h("nav", { class: "foot-links", "aria-label": t("foot.links") },
        h("a", { href: "#history" }, t("past.link")), h("a", { href: "#lists" }, t("lists.title")),
        h("a", { href: "#network" }, t("network.title"))),
      h("p", null, welcome ? t("foot.welcome") : t("foot.always")), languages(model)),
    notices(model),
    linkBanner(model),
  ];
}

/**
 * A link to a part of the page would change the address, which names the screen.
 * @param {Event} event
 */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/**
 * @param {AnyModel} model
 * @param {import("../types").Table | null} table
 */
function bar(model, table) {
  const me = model.state?.me;
  return h("header", { key: "bar", class: table ? "bar has-where" : "bar" },
    h("a", { class: "brand", href: "#", "aria-label": t("app.homeLink") }, mark(), h("span", null, t("app.name"))),
    table ? h("p", { class: "where" }, h("strong", null, typed(table.title)), h("span", null, tableWhere(table))) : null,
    h("div", { class: "bar-end" },
      themeButton(model),
      me?.name ? h("span", { class: "bar-me", key: "me" },
        face(me.key, "s"), h("span", { class: "unseen" }, t("app.me", { name: me.name }))) : null));
}

/** The mark: a table from above with chairs that is also a speech bubble with four tiles. */
function mark() {
  return h("svg", { class: "mark", viewBox: "0 0 32 32", "aria-hidden": "true" },
    h("path", { class: "seat-edge", d: "M11 1.5h10M1.5 10v9M30.5 10v9" }),
    h("path", {
      class: "top-edge",
      d: "M11 4.5h10a6.5 6.5 0 0 1 6.5 6.5v7.5A6.5 6.5 0 0 1 21 25h-5.5L8 32v-7.8A6.5 6.5 0 0 1 4.5 18.5V11A6.5 6.5 0 0 1 11 4.5z",
    }),
    h("path", { class: "mark-tile", d: "M10 9h5.200v5.200H10zM16.800 9H22v5.200h-5.200zM10 15.800h5.200V21H10z" }),
    h("path", { class: "mark-tile-now", d: "M16.800 15.800H22V21h-5.200z" }));
}

/** @param {AnyModel} model */
function themeButton({ prefs, actions }) {
  const next = /** @type {const} */ ({ system: "light", light: "dark", dark: "system" });
  const names = { system: t("theme.system"), light: t("theme.light"), dark: t("theme.dark") };
  return h("button", {
    class: "icon-button", type: "button", title: names[prefs.theme],
    on: { click: () => { actions.pref({ theme: next[prefs.theme] }); actions.say(names[next[prefs.theme]]); } },
  }, icon("theme"), h("span", { class: "unseen" }, names[prefs.theme]));
}

/** @param {AnyModel} model */
function languages({ prefs, actions }) {
  return h("p", { class: "languages" },
    h("label", { for: "language" }, t("foot.language")),
    h("select", {
      id: "language", value: prefs.language,
      on: { change: (/** @type {Event} */ event) => void actions.speak(/** @type {HTMLSelectElement} */ (event.target).value) },
    }, LANGUAGES.map(({ tag, name }) =>
      h("option", { key: tag, value: tag, lang: tag, selected: tag === prefs.language }, name))));
}

/** @param {import("../types").Problem} problem */
function trouble(problem) {
  return h("section", { key: "trouble", class: "card warn", role: "alert" }, icon("alert"),
    h("p", null, inWords(problem.message)));
}

/** @param {import("../types").Model} model */
function notices({ notices: list, actions }) {
  return h("div", { key: "notices", class: "notices", role: "status", "aria-label": t("notices.name") }, list.map((one) =>
    h("div", { key: one.id, id: one.id, class: `notice ${one.tone}` },
      icon(one.tone === "bad" ? "undo" : "dot"),
      h("p", null, one.text),
      one.action ? h("button", { class: "button", type: "button", on: { click: one.action.run } }, one.action.label) : null,
      h("button", { class: "icon-button", type: "button", on: { click: () => actions.dismiss(one.id) } },
        icon("cross"), h("span", { class: "unseen" }, t("notices.dismiss"))))));
}

/** @param {import("../types").Model} model */
function linkBanner({ link }) {
  const text = link.status === "lost" ? t("link.lost") : link.status === "late" ? t("link.late") : null;
  return h("div", { key: "link", class: "banner-place", role: "status", "aria-label": t("link.name") },
    text ? h("p", { class: "banner" }, icon("wait"), text) : null);
}

/**
 * A page that cannot show a state, and what to do about it.
 * @param {AnyModel} model
 * @param {string} heading
 * @param {string} text
 * @param {boolean} [again]
 */
function gate(model, heading, text, again = false) {
  return [
    bar(model, null),
    h("main", { key: "gate", id: "main", tabindex: "-1" },
      h("section", { class: "gate" }, h("h1", null, heading), h("p", { class: "lead" }, text),
        again ? h("p", null, h("button", {
          class: "button primary big", type: "button", on: { click: () => model.actions.hereInstead() },
        }, t("gate.here"))) : null)),
  ];
}

/** @param {AnyModel} model */
function starting(model) {
  return [
    bar(model, null),
    h("main", { key: "starting", id: "main", tabindex: "-1" },
      h("section", { class: "gate", role: "status" },
        h("p", { class: "lead" }, model.link.status === "lost" ? t("link.lost") : t("link.connecting")))),
  ];
}
