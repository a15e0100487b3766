// Past games do not stand in the state: the list, one game step by step, and what its log proves are asked for.

/**
 * @param {string} api
 * @param {() => Record<string, string>} headers
 * @returns {import("../screens/history-types").PastActions}
 */
export function pastActions(api, headers) {
  /** @param {string} path @returns {Promise<{ ok: boolean, body: any }>} */
  async function ask(path) {
    try {
      const answer = await fetch(`${api}${path}`, { headers: headers() });
      return { ok: answer.ok, body: await answer.json() };
    } catch {
      return { ok: false, body: null };
    }
  }
  return {
    async games() {
      const { ok, body } = await ask("history");
      return ok ? body : null;
    },
    async replay(id) {
      const { ok, body } = await ask(`tables/${id}/replay`);
      return ok ? body : null;
    },
    async proof(id) {
      const { ok, body } = await ask(`tables/${id}/proof`);
      return ok ? { proves: body.proves, doesNotProve: body.doesNotProve, message: null }
        : { proves: [], doesNotProve: [], message: body?.message ?? "" };
    },
  };
}
