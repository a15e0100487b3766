// A file from the node, saved where the browser saves files. A plain link could not carry the token.

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
    const url = URL.createObjectURL(await answer.blob());
    const link = document.createElement("a");
    link.href = url;
    link.download = name?.[1] ?? "tabletalk.ttlog";
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    return true;
  } catch {
    return false;
  }
}
