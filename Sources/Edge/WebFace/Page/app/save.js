// Files, saved where the browser saves files: from the node, where a plain link could not carry the token, or made here.

/**
 * @param {string} address
 * @param {Record<string, string>} headers
 * @returns {Promise<boolean>} whether there was something to save
 */
export async function save(address, headers) {
  try {
    const answer = await fetch(address, { headers });
    if (!answer.ok) return false;
    const name = /filename="([\w.-]+)"/.exec(answer.headers.get("Content-Disposition") ?? "");
    keep(await answer.blob(), name?.[1] ?? "tabletalk.ttlog");
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
export function keep(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
