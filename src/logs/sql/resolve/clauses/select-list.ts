/** Names the columns of a SELECT list, and returns them for the enclosing query. */
import type { SelectNode, Term } from '../../../../foundation/log-store/query-tree.js';
import type { Value } from '../../values/values.js';
import type { Place } from '../lowered-query.js';
import type { GivenColumn } from '../scope.js';
import type { OutputItem } from './resolve-items.js';

export interface SelectList {
  readonly items: SelectNode['items'];
  readonly columns: readonly GivenColumn[];
  /** The column with the time of the rows; null: there is none. */
  readonly time: string | null;
  /** The column with the identifier of the rows; null: there is none. */
  readonly identifier: string | null;
}

export const selectList = ({
  place,
  items,
  time,
  identifier,
}: {
  place: Place;
  items: readonly OutputItem[];
  time: Term | null;
  identifier: Term | null;
}): SelectList => {
  const names = new Set<string>();
  const columns = items.map(({ name, value }) => {
    const called = place.role === 'result' ? unique(name, names) : place.context.fresh('k');
    if (isNullColumn(value)) return { name, called, type: { kind: 'string' }, isNull: true } as const;
    return { name, called, type: value.type, ...(value.certain !== undefined && { certain: value.certain }) };
  });
  const given = items.map(({ value }, at) => ({ term: value.term, name: columns[at]?.called ?? '' }));
  const hidden = (term: Term | null) =>
    term === null || place.role !== 'table' ? null : { term, name: place.context.fresh('k') };
  const [timeItem, identifierItem] = [hidden(time), hidden(identifier)];
  return {
    items: [...given, ...[timeItem, identifierItem].filter((item) => item !== null)],
    columns,
    time: timeItem?.name ?? null,
    identifier: identifierItem?.name ?? null,
  };
};

/** Of NULLs alone: the literal, or a column of such a one. */
const isNullColumn = ({ type, term, isNull }: Value): boolean =>
  type.kind === 'null' || (isNull === true && term.kind === 'column');

const unique = (name: string, taken: Set<string>): string => {
  let free = name;
  for (let at = 1; taken.has(free.toLowerCase()); at++) free = `${name}_${at}`;
  taken.add(free.toLowerCase());
  return free;
};
