/** The columns of the result. */
import type { Expression, SelectItem, Span } from '../sql/tree.js';
import { path } from './lowered.js';
import { LqlFault } from './lql-fault.js';
import type { LqlColumn } from './lql-tree.js';

/** `expression` null: all columns of the table, and no name of its own. */
export interface Output {
  readonly name: string | null;
  readonly expression: Expression | null;
  readonly span: Span;
}

/** A column is called by its alias, or else by the last part of its path. */
export const chosenColumns = (columns: readonly LqlColumn[]): readonly Output[] =>
  columns.map(({ path: chosen, alias, span }) =>
    chosen
      ? { name: alias ?? chosen.parts.at(-1) ?? null, expression: path(chosen), span }
      : { name: null, expression: null, span },
  );

/** Throws LqlFault where two columns have one name. */
export const selected = (outputs: readonly Output[]): readonly SelectItem[] => {
  const taken = new Set<string>();
  return outputs.map(({ name, expression, span }): SelectItem => {
    if (expression === null || name === null)
      return { kind: 'all', qualifier: null, except: [], replace: [], span };
    // As in SQL, case does not tell two columns apart.
    const known = name.toLowerCase();
    if (taken.has(known)) throw new LqlFault(span.start, `expected another name: ${name} is taken`);
    taken.add(known);
    return { kind: 'expression', expression, alias: name };
  });
};
