/** An error in an LQL query: the place in its text, and what was expected there. */
import { Refusal } from '../sql/query-problem.js';

export class LqlFault extends Refusal {
  constructor(offset: number, message: string) {
    super(message, { start: offset, end: offset });
    this.name = 'LqlFault';
  }
}

/** `a`, `a or b`, `a, b or c` */
export const anyOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
