/** Lowers the chosen columns to the SELECT list. */
import type { Expression, SelectItem, Span } from '../sql/tree.js';
import { path } from './lowered.js';
import { LqlFault } from './lql-fault.js';
import type { LqlColumn } from './lql-tree.js';

/** A column of the result. `expression` null: all columns of the table. */
export interface Output {
  readonly name: string | null;
  readonly expression: Expression | null;
  readonly span: Span;
}

/** A column has its alias as its name, or the last part of its path. */
export const chosenColumns = (columns: readonly LqlColumn[]): readonly Output[] =>
  columns.map(({ path: chosen, alias, span }) =>
    chosen
      ? { name: alias ?? chosen.parts.at(-1) ?? null, expression: path(chosen), span }
      : { name: null, expression: null, span },
  );

/** Throws LqlFault when two columns have the same name. */
export const selected = (outputs: readonly Output[]): readonly SelectItem[] => {
  const taken = new Set<string>();
  return outputs.map(({ name, expression, span }): SelectItem => {
    if (expression === null || name === null)
      return { kind: 'all', qualifier: null, except: [], replace: [], span };
    // Column names are compared without case, as in SQL.
    const known = name.toLowerCase();
    if (taken.has(known)) throw new LqlFault(span.start, `expected another name: ${name} is taken`);
    taken.add(known);
    return { kind: 'expression', expression, alias: name };
  });
};
