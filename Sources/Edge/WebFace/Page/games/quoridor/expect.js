// A click at a table of Quoridor, as it will be when it has been done.

/**
 * @param {import("../../types").Table} table
 * @param {Record<string, any>} command
 * @returns {import("../../types").Table}
 */
export function expect(table, command) {
  const { quoridor } = table;
  if (!quoridor) return table;
  if (command.kind === "set") {
    const { players, jumps, timed } = { ...quoridor.settings, ...command };
    return { ...table, quoridor: { ...quoridor, settings: { ...quoridor.settings, players, jumps, timed } } };
  }
  const { board } = quoridor;
  if (!board) return table;
  if (command.kind === "move" && command.turn === board.turn) {
    return { ...table, quoridor: { ...quoridor, board: { ...board, sending: command.move } } };
  }
  if (command.kind === "answer" && board.asked) {
    return { ...table, quoridor: { ...quoridor, board: { ...board, asked: { ...board.asked, mayAnswer: false } } } };
  }
  return table;
}
