// Who is nearby: one row a person, and what can be done about them.

import { h } from "../app/dom.js";
import { plain, inWords, t } from "../app/text.js";
import { compareButton } from "../components/compare.js";
import { face } from "../components/face.js";
import { copyInvitation, fullName, sign, typed } from "../components/parts.js";
import { absent, star } from "../components/star.js";

/**
 * @param {import("../types").Model} model
 * @param {import("../types").View} somebody what leads to the one who is missed
 * @returns {import("../types").View}
 */
export function people(model, somebody) {
  const { state } = model;
  const nobody = state.people.length === 0 && state.otherVersions.length === 0;
  return h("section", { key: "near", class: "card", "aria-labelledby": "near" },
    h("h2", { id: "near" }, t("home.near")),
    nobody ? h("div", { class: "stack" },
      h("p", { class: "quiet" }, t("home.nobody")),
      state.invitation ? h("p", null, copyInvitation(model, state.invitation, false)) : null) : null,
    h("ul", { class: "list people" },
      state.people.map((person) => row(person, model.actions)),
      state.otherVersions.map(otherVersion),
      absent(model)),
    state.people.length > 0 ? h("p", { key: "hints", class: "quiet note-under" }, t("people.hints")) : null,
    h("p", { key: "somebody" }, somebody));
}

/**
 * @param {import("../types").Person} person
 * @param {import("../types").Actions} actions
 */
function row(person, actions) {
  return h("li", { key: person.key },
    face(person.key, "", person.presence === "away"),
    h("div", { class: "grow" }, h("p", null, h("strong", null, typed(fullName(person)))),
      presence(person.presence),
      person.through !== null ? h("p", { class: "quiet" }, t("people.through", { name: plain(person.through) })) : null,
      person.twice ? h("p", null, sign("wait", "alert", t("people.twice"))) : null),
    star(person, person.favourite, actions),
    compareButton(person, actions));
}

/** @param {import("../types").OtherPerson} person */
function otherVersion(person) {
  return h("li", { key: person.key, class: "other-version" },
    face(person.key, "", true),
    h("div", { class: "grow" }, h("p", null, h("strong", null, typed(person.name))),
      h("p", { class: "quiet" }, inWords(person.message))));
}

/** @param {import("../types").Person["presence"]} presence */
function presence(presence) {
  if (presence === "table") return sign("good", "table", t("people.table"));
  if (presence === "here") return sign("good", "here", t("people.here"));
  return sign("away", "moon", t("people.away"));
}
