// Sitting down by an invitation: from the Join box, or from `tabletalk join` on the command line.

import { inWords, t } from "./text.js";

/**
 * Asks the node for the table and goes there; says on Home why not.
 * @param {import("../types").Actions} actions
 * @param {string} invitation a code, an address, a line, or the message with a line in it, as typed or pasted
 * @returns {Promise<boolean>} whether the node took it
 */
export async function joinBy(actions, invitation) {
  if (invitation === "") {
    actions.set({ joinRefused: t("join.empty") });
    return false;
  }
  actions.set({ joinRefused: null, joining: sought(invitation) });
  // A line for looking on is an invitation with another word in front.
  const watches = /(^|\s)watch\s/.test(invitation);
  const answer = await actions.send(watches ? "watch" : "join", {
    invitation: watches ? invitation.replace(/(^|\s)watch(?=\s)/, "$1join") : invitation,
  });
  if (!answer.ok) {
    actions.set({ joinRefused: inWords(answer.message), joining: null });
    return false;
  }
  if (answer.table) {
    actions.set({ joining: null });
    actions.go(`table/${answer.table}`);
  }
  return true;
}

/**
 * What is looked for, to be shown: a pasted message says more than that, and a secret is not for every eye.
 * @param {string} invitation
 * @returns {string}
 */
function sought(invitation) {
  const word = invitation.match(/(?:^|\s)(?:join|watch)\s+(\S+)/)?.[1] ?? invitation;
  return word.replace(/(\d{5})-[^@]*/, "$1");
}
