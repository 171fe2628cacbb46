/** Two sides of a comparison in turn, A B A B: what else the machine does meets both. */
import { median } from './numbers.mjs';

/** `sides` are functions that measure once; resolves with the measurements of each. */
export const inTurn = async (turns, ...sides) => {
  const measured = sides.map(() => []);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, side] of sides.entries()) measured[index].push(await side(turn));
  }
  return measured;
};

export const medianOf = (runs, name) => median(runs.map((run) => run[name]));
