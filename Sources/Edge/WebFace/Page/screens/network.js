// What this laptop can say about the network, for the one who misses somebody.

import { h } from "../app/dom.js";
import { plain, t } from "../app/text.js";
import { lookHarder } from "../components/look-harder.js";
import { sign } from "../components/parts.js";

/**
 * @param {import("../types").Model} model
 * @returns {import("../types").View}
 */
export function networkPart(model) {
  const { state, ui, actions } = model;
  const { network } = state;
  const refused = Object.values(network.refused).reduce((sum, count) => sum + count, 0);
  return h("section", { key: "network", class: "card", "aria-label": t("network.title") },
    h("details", {
      open: ui.networkOpen,
      on: {
        toggle: (/** @type {Event} */ event) => {
          const open = /** @type {HTMLDetailsElement} */ (event.target).open;
          if (open !== ui.networkOpen) actions.set({ networkOpen: open });
        },
      },
    },
      h("summary", { id: "network-summary" }, t("network.title")),
      h("div", { class: "stack" },
        network.interfaces.length === 0 ? h("p", null, t("network.none")) : null,
        h("ul", { class: "list" }, network.interfaces.map((one) => h("li", { key: `${one.name} ${one.address}` },
          h("p", { class: "grow" }, h("strong", null, one.name), h("span", { class: "quiet" }, one.address)),
          one.lastError !== null ? sign("wait", "alert", one.lastError)
            : one.sends ? sign("good", "laptop", t("network.sends")) : sign("away", "wait", t("network.listens"))))),
        h("p", null, t("network.heard", { n: network.heard })),
        state.people.filter((person) => person.through !== null).map((person) => h("p", { key: `through ${person.key}` },
          t("network.through", { name: plain(person.name), who: plain(person.through ?? "") }))),
        refused > 0 ? h("p", { class: "quiet" }, t("network.refused", { n: refused })) : null,
        h("p", { class: "quiet" }, t("network.advice")),
        h("p", { class: "quiet" }, t("network.ports", { udp: network.discoveryPort, tcp: network.linkPort })),
        lookHarder(model))));
}
