/** Measures two sides in turn, A B A B, so that other load of the machine affects both. */
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
