// A player's sheet as it stands, and what is done to it: kept by player and stage, whatever the page shows meanwhile.

/** @param {import("../../lib/edits.js").Edits} table @param {{id: string}} of a player @param {"first" | "end"} stage */
export function sheetOf(table, { id }, stage) {
  const player = () => table.view.players.find((one) => one.id === id) ?? null;
  const sheet = () => player()?.sheets[stage] ?? null;
  const without = (cells, row, col) => cells.filter((cell) => cell.join() !== `${row},${col}`);
  const mark = (row, col, value) => {
    const now = sheet();
    const line = now.map[row];
    now.map[row] = line.slice(0, col) + value + line.slice(col + 1);
    now.doubtful = without(now.doubtful, row, col);
    now.said = [...now.said, [row, col]];
    player().disagree[stage] = without(player().disagree[stage], row, col);
  };
  return {
    player,
    sheet,
    setCell: (row, col, value) =>
      table.say({ kind: "cell", player: id, stage, row, col, value }, () => mark(row, col, value)),
    setCells: (cells) =>
      table.say({ kind: "cells", player: id, stage, cells }, () => {
        for (const [row, col, value] of cells) mark(row, col, value);
        const said = new Set(cells.map(([row, col]) => `${row},${col}`));
        const open = Object.entries(sheet().alike).filter(([, among]) => !among.some((cell) => said.has(cell.join())));
        sheet().alike = Object.fromEntries(open);
      }),
    setGate: (row, col, on) =>
      table.say({ kind: "gate", player: id, stage, row, col, on }, () => {
        sheet().gates = without(sheet().gates, row, col).concat(on ? [[row, col]] : []);
      }),
    setTicks: (track, count) =>
      table.say({ kind: "ticks", player: id, track, count }, () => {
        player().ticks[track] = count;
        delete sheet().doubtful_ticks[track];
      }),
    setLetters: (letters) =>
      table.say({ kind: "letters", player: id, stage, letters }, () => {
        const now = sheet();
        for (const [letter, row, col, value] of letters) {
          now.destinations = now.destinations
            .filter((other) => other !== letter)
            .concat(value === "traced" ? [letter] : []);
          now.gates = without(now.gates, row, col).concat(value === "gate" ? [[row, col]] : []);
          now.doubtful_letters = now.doubtful_letters.filter((other) => other !== letter);
          player().walled_over = player().walled_over.filter((other) => other !== letter);
        }
        if (letters.length > 1) now.letters_hard = false;
      }),
  };
}
