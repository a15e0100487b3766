// A file of words: looked at first, kept when the player says so.

import { h } from "../app/dom.js";
import { plain, inWords, t } from "../app/text.js";
import { card, icon, sign, typed } from "../components/parts.js";

/** How many words are shown of a file. */
const FEW = 24;

/**
 * @param {import("../types").Model} model
 * @returns {import("../types").View}
 */
export function pickFile({ actions }) {
  const picked = async (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const file = input.files?.[0];
    if (!file) return;
    const answer = await actions.lists.preview(file);
    // The same file can be chosen once more.
    input.value = "";
    if (!("words" in answer)) {
      actions.notice({ text: [answer.message ?? t("lists.notRead")], tone: "bad" });
      return;
    }
    const title = answer.title || file.name.replace(/\.[a-z]+$/i, "");
    actions.list({ preview: { ...answer, title: title.slice(0, 40) }, refused: null });
    actions.say(t("lists.found", { n: answer.words.length }));
  };
  return h("p", { key: "file" }, h("label", { class: "button" }, icon("copy"), h("span", null, t("lists.file")),
    h("input", {
      class: "unseen", type: "file", accept: ".txt,.csv,.tsv,.json,text/plain,text/csv,application/json",
      on: { change: picked },
    })));
}

/**
 * @param {import("../types").Model} model
 * @param {import("./lists-types").WordListRow | null} open the list it can be added to
 * @returns {import("../types").View | null}
 */
export function importing({ ui, actions }, open) {
  const preview = ui.lists.preview;
  if (!preview) return null;
  const text = preview.words.join("\n");
  const keep = async (/** @type {"makeList" | "addWords"} */ kind, /** @type {Record<string, any>} */ fields) => {
    const answer = await actions.send(kind, { ...fields, text });
    actions.list(answer.ok ? { preview: null, refused: null } : { refused: inWords(answer.message) });
  };
  return card("import", t("lists.import"), "", h("form", {
    class: "stack", on: {
      submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void keep("makeList", { title: preview.title });
      },
    },
  },
    h("p", { role: "status", key: "found" }, h("strong", null, t("lists.found", { n: preview.words.length }))),
    h("ul", { class: "words", key: "words" },
      preview.words.slice(0, FEW).map((word) => h("li", { key: word }, h("span", null, typed(word))))),
    preview.words.length > FEW
      ? h("p", { class: "quiet", key: "more" }, t("words.more", { n: preview.words.length - FEW })) : null,
    skipped(preview),
    h("div", { class: "field", key: "title" }, h("label", { for: "import-title" }, t("lists.name")),
      h("input", {
        id: "import-title", value: preview.title, maxlength: 40, autocomplete: "off", dir: "auto",
        on: {
          input: (/** @type {Event} */ event) => actions.list({
            preview: { ...preview, title: /** @type {HTMLInputElement} */ (event.target).value },
          }),
        },
      })),
    ui.lists.refused === null ? null
      : h("p", { key: "refused", role: "alert" }, sign("wait", "alert", plain(ui.lists.refused))),
    h("p", { class: "row", key: "do" },
      h("button", { class: "button primary", type: "submit", disabled: preview.words.length === 0 }, t("lists.keep")),
      open && preview.words.length > 0 ? h("button", {
        class: "button", type: "button", on: { click: () => void keep("addWords", { list: open.id }) },
      }, t("lists.addTo", { list: open.title })) : null,
      h("button", {
        class: "button", type: "button", on: { click: () => actions.list({ preview: null, refused: null }) },
      }, t("lists.drop")))));
}

/** @param {import("./lists-types").FilePreview} preview */
function skipped(preview) {
  if (preview.skippedCount === 0) return null;
  const rest = preview.skippedCount - preview.skipped.length;
  return h("details", { key: "skipped" },
    h("summary", null, t("lists.skipped", { n: preview.skippedCount })),
    h("ul", { class: "list" }, preview.skipped.map((row) => h("li", { key: row.row },
      h("span", { class: "quiet" }, t("lists.row", { row: row.row })), " ", typed(row.beginning), " ",
      h("span", null, reason(row.reason))))),
    rest > 0 ? h("p", { class: "quiet" }, t("lists.skippedMore", { n: rest })) : null);
}

/** @param {string} why */
function reason(why) {
  switch (why) {
    case "comment": return t("lists.comment");
    case "header": return t("lists.header");
    case "duplicate": return t("lists.duplicate");
    case "tooLong": return t("lists.tooLong");
    case "unknownCharacters": return t("lists.unknown");
    case "notText": return t("lists.notText");
    default: return t("lists.beyond");
  }
}
