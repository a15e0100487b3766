// First run: a name, a face, a seat.

import { h } from "../app/dom.js";
import { inWords, t } from "../app/text.js";
import { face } from "../components/face.js";
import { icon, typed } from "../components/parts.js";

/**
 * @param {import("../types").Model} model
 * @returns {import("../types").Child}
 */
export function welcomeScreen(model) {
  const { state, ui, actions } = model;
  const name = ui.name ?? state.me.proposedName ?? "";
  /** @param {string} wish @param {boolean} insist */
  const choose = async (wish, insist) => {
    actions.set({ name: wish, nameTaken: null });
    const answer = await actions.send("setName", { name: wish.trim(), insist });
    if (!answer.ok) actions.set({ nameTaken: { message: inWords(answer.message), proposal: answer.proposal ?? null } });
  };
  return h("div", { class: "welcome" },
    h("form", {
      on: { submit: (/** @type {Event} */ event) => { event.preventDefault(); void choose(name, false); } },
    },
      h("div", { class: "stack" }, h("h1", null, t("welcome.title")), h("p", { class: "lead" }, t("welcome.lead"))),
      h("div", { class: "field" },
        h("label", { for: "name" }, t("welcome.name")),
        h("input", {
          id: "name", name: "name", value: name, autocomplete: "nickname", minlength: 2, maxlength: 24, required: true,
          dir: "auto", "aria-describedby": "see",
          on: {
            input: (/** @type {Event} */ event) => actions.set({
              name: /** @type {HTMLInputElement} */ (event.target).value, nameTaken: null,
            }),
          },
        })),
      ui.nameTaken ? taken(ui.nameTaken, name, choose) : null,
      h("div", { class: "stack", id: "see", key: "see" },
        h("p", null, t("welcome.see")),
        h("p", { class: "see" }, h("span", { class: "person" }, face(state.me.key),
          h("span", { class: "see-name" }, typed(name.trim() || "…"))))),
      h("p", { key: "go" }, h("button", { class: "button primary big", type: "submit" }, t("welcome.go")))),
    scene(state.me.key));
}

/**
 * @param {{ message: string, proposal: string | null }} problem
 * @param {string} name
 * @param {(name: string, insist: boolean) => Promise<void>} choose
 */
function taken(problem, name, choose) {
  return h("div", { key: "taken", class: "bubble ask", role: "alert" },
    h("p", null, problem.message),
    problem.proposal === null ? null : h("div", { class: "row" },
      h("button", { class: "button", type: "button", on: { click: () => choose(problem.proposal ?? "", false) } },
        icon("tick"), h("span", null, t("welcome.use"), " ", typed(problem.proposal))),
      h("button", { class: "button plain", type: "button", on: { click: () => choose(name, true) } },
        h("span", null, t("welcome.keep"), " ", typed(name)))));
}

/** Where the tiles lie on the four boards of the picture. */
const BLUE = [[181, 113], [195, 113], [181, 245], [195, 259], [89, 177], [301, 191], [287, 177]];
const ORANGE = [[208, 113], [103, 191]];

/**
 * The picture: a table from above. The person who looks at it already sits there.
 * @param {string} key
 */
function scene(key) {
  return h("div", { class: "scene", role: "img", "aria-label": t("welcome.picture") },
    h("svg", { viewBox: "0 0 400 350", "aria-hidden": "true" },
      h("ellipse", { class: "top", cx: 200, cy: 190, rx: 138, ry: 96 }),
      h("path", { class: "grain", d: "M82 160h236M66 190h268M82 220h236M110 250h180" }),
      [[176, 108], [176, 240], [84, 172], [268, 172]].map(([x, y]) =>
        h("rect", { class: "paper", x, y, width: 48, height: 34, rx: 4 })),
      BLUE.map(([x, y]) => h("rect", { class: "b", x, y, width: 10, height: 10, rx: 2 })),
      ORANGE.map(([x, y]) => h("rect", { class: "o", x, y, width: 11, height: 10, rx: 2 })),
      [[240, 222], [158, 160]].map(([cx, cy]) => [
        h("circle", { class: "cup", cx, cy, r: 13 }), h("circle", { class: "tea", cx, cy, r: 7 }),
      ]),
      h("path", {
        class: "say", d: "M262 14h114a14 14 0 0 1 14 14v20a14 14 0 0 1-14 14H268l-20 16V28a14 14 0 0 1 14-14z",
      }),
      h("text", { x: 266, y: 44 }, t("welcome.say1")),
      h("path", {
        class: "say", d: "M22 92h88a12 12 0 0 1 12 12v14a12 12 0 0 1-12 12H56l-12 16v-16H22a12 12 0 0 1-12-12v-14a12 12 0 0 1 12-12z",
      }),
      h("text", { x: 26, y: 117 }, t("welcome.say2"))),
    h("span", { class: "at south" }, face(key)),
    h("span", { class: "at north" }, face("Bo")),
    h("span", { class: "at west" }, face("Cy")),
    h("span", { class: "at east" }, face("Dee")));
}
