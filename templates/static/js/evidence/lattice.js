// The crossings of a grid's lines as they lie on a photo, row by row: bent where the sheet is.

/** The same crossings, column by column. */
export const across = (grid) => grid[0].map((_, col) => grid.map((row) => row[col]));

/** The outermost crossings, around the grid from its top left on. */
export const rim = (grid) => {
  const [left, ...others] = across(grid);
  const right = others.at(-1);
  return [...grid[0], ...right.slice(1), ...[...grid.at(-1)].reverse().slice(1), ...[...left].reverse().slice(1, -1)];
};

/** The grid, each crossing moved as far as the corners near it were. */
export function follow(grid, before, now) {
  const [high, wide] = [grid.length - 1, grid[0].length - 1];
  const by = now.map((point, i) => point.map((value, k) => value - before[i][k]));
  return grid.map((row, r) =>
    row.map((point, c) => {
      const [v, u] = [r / high, c / wide];
      const near = [(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v];
      return point.map((value, k) => value + near.reduce((sum, part, i) => sum + part * by[i][k], 0));
    }),
  );
}
