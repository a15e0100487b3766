// What this laptop can say about the network, for the one who misses somebody. Technical words are allowed here.

import { h } from "../app/dom.js";
import { plain, inWords, t } from "../app/text.js";
import { lookHarder } from "../components/look-harder.js";
import { card, fullName, icon, sign, typed } from "../components/parts.js";

/** @type {Record<import("../types").Finding["severity"], ["wait" | "away" | "good", string]>} */
const LOOKS = { trouble: ["wait", "alert"], note: ["away", "dot"], ok: ["good", "tick"] };

/**
 * What no Tabletalk sends. The other reasons come with every game: news that came by two ways, a question about a table
 * that has just ended, a kind of message of a later version.
 */
const SENSELESS = /^datagram\.|^frame\.(?!unknownKind)|badSignature$|^genesis\.refused$|wrongSecret$/;

/**
 * @param {import("../types").Model} model
 * @returns {import("../types").View}
 */
export function networkScreen(model) {
  const { network } = model.state;
  const senseless = Object.entries(network.refused).reduce((sum, [why, count]) => sum + (SENSELESS.test(why) ? count : 0), 0);
  return h("div", { key: "network", class: "network" },
    h("h1", null, t("network.title")),
    h("div", { class: "home-col", key: "main" }, found(model)),
    h("div", { class: "home-col", key: "side" },
      interfaces(network),
      people(model.state),
      lookHarder(model),
      helping(model),
      card("network-more", t("network.more"), "", h("div", { class: "stack" },
        h("p", null, t("network.advice")),
        h("p", { class: "quiet" }, t("network.ports", { udp: String(network.discoveryPort), tcp: String(network.linkPort) })),
        senseless > 0 ? h("p", { class: "quiet" }, t("network.senseless", { n: senseless })) : null))));
}

/** @param {import("../types").Model} model */
function helping({ state, actions }) {
  const { allowed, titles } = state.witnessing;
  return card("network-witness", t("witness.title"), "", h("div", { class: "stack" },
    h("label", { class: "check" },
      h("input", {
        type: "checkbox", checked: allowed,
        on: {
          change: (/** @type {Event} */ event) =>
            void actions.act("witness", { on: /** @type {HTMLInputElement} */ (event.target).checked }),
        },
      }),
      h("span", null, t("witness.allow"))),
    h("p", { class: "quiet" }, t("witness.text")),
    titles.length > 0 ? h("p", { key: "now" }, t("witness.now", { tables: titles.join(", ") })) : null));
}

/** @param {import("../types").Model} model */
function found({ state, actions }) {
  const { network } = state;
  const troubles = network.findings.filter((one) => one.severity === "trouble").length;
  const said = network.checking ? sign("away", "wait", t("network.looking"))
    : !network.checked ? null
      : troubles > 0 ? sign("wait", "alert", t("network.troubles", { n: troubles })) : sign("good", "tick", t("network.well"));
  const look = () => { if (!network.checking) void actions.act("checkNetwork"); };
  return card("network-found", t("network.found"), "",
    h("ul", { class: "list findings" }, network.findings.map((one) => finding(one, actions))),
    h("p", { class: "row note-under" },
      h("button", { class: "button", type: "button", "aria-disabled": network.checking ? "true" : null, on: { click: look } },
        t("network.again")),
      h("span", { role: "status" }, said)));
}

/**
 * @param {import("../types").Finding} one
 * @param {import("../types").Actions} actions
 */
function finding(one, actions) {
  const [tone, shape] = LOOKS[one.severity];
  const words = { trouble: t("network.trouble"), note: t("network.note"), ok: t("network.ok") };
  return h("li", { key: `${one.code} ${one.message}`, class: one.severity },
    h("span", { class: `sign ${tone}` }, icon(shape), h("span", { class: "unseen" }, words[one.severity])),
    h("div", { class: "grow stack-tight" },
      h("p", null, inWords(one.message)),
      one.because ? h("p", { class: "quiet" }, inWords(one.because)) : null,
      one.command ? command(one.command, actions) : null));
}

/**
 * @param {string} text
 * @param {import("../types").Actions} actions
 */
function command(text, actions) {
  return h("div", { class: "command" },
    h("code", { class: "invite" }, text),
    h("button", { class: "button", type: "button", on: { click: () => void actions.copy(text, text, t("network.copied")) } },
      icon("copy"), t("network.copy")));
}

/** @param {import("../types").Network} network */
function interfaces(network) {
  return card("network-interfaces", t("network.interfaces"), "",
    network.interfaces.length === 0 ? h("p", null, t("network.none")) : null,
    h("ul", { class: "list" }, network.interfaces.map((one) => h("li", { key: `${one.name} ${one.address}` },
      h("p", { class: "grow" }, h("strong", null, one.name), h("span", { class: "quiet" }, one.address),
        h("span", { class: "quiet" }, traffic(one))),
      one.lastError !== null ? sign("wait", "alert", one.lastError)
        : one.sends ? sign("good", "laptop", t("network.sends")) : sign("away", "wait", t("network.listens"))))));
}

/** @returns {Record<import("../types").Network["interfaces"][number]["kind"], string>} */
const KINDS = () => ({
  loopback: t("network.loopback"), wired: t("network.wired"), wifi: t("network.wifi"), tunnel: t("network.tunnel"),
  virtual: t("network.virtual"),
});

/** @param {import("../types").Network["interfaces"][number]} one */
function traffic(one) {
  const to = one.sends && one.broadcast ? t("network.to", { address: one.broadcast }) : "";
  return [KINDS()[one.kind], to, t("network.counts", { sent: one.sent, heard: one.heard })].filter((part) => part !== "").join(", ");
}

/** @param {import("../types").State} state */
function people(state) {
  return card("network-people", t("network.people"), "",
    state.people.length === 0 ? h("p", { class: "quiet" }, t("network.nobody")) : null,
    h("ul", { class: "list" }, state.people.map((one) => h("li", { key: one.key },
      h("div", { class: "grow" }, h("p", null, h("strong", null, typed(fullName(one)))),
        one.through !== null ? h("p", { class: "quiet" },
          t("network.through", { name: plain(one.name), who: plain(one.through) })) : null,
        one.paths.map((path) => h("p", { key: path.address, class: "quiet" }, way(path, one)))),
      hearing(one)))));
}

/**
 * @param {import("../types").Person["paths"][number]} path
 * @param {import("../types").Person} one
 */
function way(path, one) {
  const by = path.via === "datagram" ? path.interface ?? t("network.byAir")
    : path.via === "link" ? t("network.byLink") : t("network.byFriend", { name: plain(one.through ?? "") });
  return path.inUse ? t("network.wayInUse", { address: path.address, by }) : t("network.way", { address: path.address, by });
}

/** @param {import("../types").Person} one */
function hearing(one) {
  const heard = one.paths.some((path) => path.via === "datagram");
  if (one.linkFails && !one.linked) return sign("wait", "alert", t("network.noLink"));
  if (heard && one.hearsMe === "no") return sign("wait", "alert", t("network.deaf"));
  if (!heard && one.hearsMe === "yes") return sign("wait", "alert", t("network.mute"));
  if (heard && one.hearsMe === "yes") return sign("good", "tick", t("network.both"));
  return heard ? sign("good", "here", t("network.heardOne")) : sign("away", "table", t("network.linked"));
}
