/**
 * Builds the terms of a query tree. Each knows its size. A term may stand in several places of the tree; its size counts in
 * each, as an engine prints it in each.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type AggregateName,
  OPERATIONS,
  type Operation,
} from '../../foundation/log-store/query-operations.js';
import type {
  Aggregate,
  FromNode,
  JsonPath,
  JsonRead,
  QueryNode,
  ScalarType,
  SelectNode,
  Term,
  TermNode,
} from '../../foundation/log-store/query-tree.js';

type Of<Kind extends TermNode['kind']> = Extract<Term, { kind: Kind }>;

/** An average length of what is printed around the arguments. */
const AROUND = 12;

export const sizeOf = (terms: readonly Term[]): number => terms.reduce((sum, { size }) => sum + size, 0);

const sized = <T extends TermNode>(node: T, size: number): T & { readonly size: number } => ({
  ...node,
  size: size + AROUND,
});

export const literal = (value: string | number | boolean | null, as?: ScalarType): Of<'literal'> =>
  sized({ kind: 'literal', value, ...(as && { as }) }, `${value}`.length);

export const NULL = literal(null);

export const parameter = (name: string): Term => sized({ kind: 'parameter', name }, name.length);

export const NOW: Term = sized({ kind: 'now' }, AROUND);

export const column = (of: string | null, name: string): Of<'column'> =>
  sized({ kind: 'column', of, name }, name.length);

export const ELEMENT: Term = sized({ kind: 'element' }, 0);

/** How often an engine may write the base. */
const MOST_READS = 3;

export const read = (what: JsonRead, { base, path }: { base: Term; path: JsonPath }): Of<'json'> => {
  const times = what === 'text' || what === 'value' || what === 'is-record' ? 1 : MOST_READS;
  const steps = path.reduce<number>((sum, step) => sum + `${step}`.length + 1, 0);
  return sized({ kind: 'json', read: what, base, path }, times * (base.size + steps + AROUND));
};

export const apply = (operation: Operation, ...args: readonly Term[]): Of<'operation'> =>
  sized({ kind: 'operation', operation, args }, OPERATIONS[operation] * (sizeOf(args) + AROUND));

/** One term stands alone. */
export const chain = (operator: 'and' | 'or' | '||', terms: readonly Term[]): Term =>
  terms.length === 1 && terms[0] ? terms[0] : sized({ kind: 'chain', operator, terms }, sizeOf(terms));

export const not = (term: Term): Term => apply('not', term);

/** CASE with a condition for each result. Without `otherwise` the rest is NULL. */
export const choose = (
  branches: readonly (readonly [when: Term, then: Term])[],
  otherwise: Term | null = null,
): Term =>
  sized(
    { kind: 'case', branches: branches.map(([when, then]) => ({ when, then })), otherwise },
    sizeOf([...branches.flat(), ...(otherwise === null ? [] : [otherwise])]),
  );

export const record = (fields: readonly { readonly name: string; readonly value: Term }[]): Term =>
  sized(
    { kind: 'record', fields },
    fields.reduce((sum, { name, value }) => sum + name.length + value.size, 0),
  );

export const each = (list: Term, value: Term): Term =>
  sized({ kind: 'each', list, value }, list.size + value.size);

export const some = (list: Term, value: Term): Term =>
  sized({ kind: 'some', list, value }, list.size + value.size);

export const among = (of: Term, items: readonly Term[], negated: boolean): Term =>
  sized({ kind: 'among', of, items, negated }, of.size + sizeOf(items));

export const amongRows = (of: Term, query: QueryNode, negated: boolean): Term =>
  sized({ kind: 'among-rows', of, query, negated }, of.size + querySize(query));

export const subqueryTerm = (gives: 'value' | 'exists' | 'list', query: QueryNode): Term =>
  sized({ kind: 'subquery', gives, query }, querySize(query));

export type AggregateTerm = Of<'aggregate'>;

/** An aggregate of all rows, unless the rest says otherwise. */
export const aggregateOf = (
  name: AggregateName,
  args: readonly Term[],
  rest: Partial<Omit<Aggregate, 'name' | 'args'>> = {},
): AggregateTerm => {
  const node: Aggregate = {
    name,
    args,
    distinct: false,
    orderBy: [],
    without: null,
    ignoreNulls: false,
    over: null,
    ...rest,
  };
  const { orderBy, without, over } = node;
  const keys = [...orderBy, ...(over?.orderBy ?? [])].map(({ term }) => term);
  const others = [...args, ...keys, ...(over?.partitionBy ?? []), ...(without === null ? [] : [without])];
  return sized({ kind: 'aggregate', ...node }, sizeOf(others));
};

export const timePart = (part: Of<'time-part'>['part'], of: Term): Term =>
  sized({ kind: 'time-part', part, of }, of.size);

/** How often an engine may write the time for an offset from UTC in a format. */
const MOST_TIMES = 4;

export const timeText = (node: Omit<Of<'time-text'>, 'kind' | 'size'>): Term => {
  const { local, utc, format } = node;
  const elements = format.map((part) => ('element' in part ? part.element : ''));
  const times = elements.reduce((sum, name) => sum + (/z$/.test(name) ? MOST_TIMES : 1), 1);
  return sized({ kind: 'time-text', ...node }, times * (local.size + utc.size + AROUND));
};

export const timeOfText = (text: Term, format: Of<'time-of-text'>['format']): Term =>
  sized({ kind: 'time-of-text', text, format }, text.size + format.length * AROUND);

/** Whether two terms are built alike, and so give equal values. */
export const sameTerm = (one: Term, other: Term): boolean =>
  one === other || (one.kind === other.kind && one.size === other.size && isDeepStrictEqual(one, other));

/** SELECT without any clause. */
export const PLAIN_SELECT: SelectNode = {
  kind: 'select',
  distinct: false,
  items: [],
  from: null,
  where: [],
  groupBy: null,
  having: null,
  qualify: null,
  orderBy: [],
  limit: null,
  offset: null,
};

/** Bounds the printed length of a query as `size` does that of a term. */
const querySize = (query: QueryNode): number => {
  if (query.kind === 'set') return querySize(query.left) + querySize(query.right);
  const { items, where, groupBy, having, qualify, orderBy, from } = query;
  const groups = groupBy === null ? [] : groupBy.kind === 'terms' ? groupBy.terms : groupBy.sets.flat();
  const terms = [...items.map(({ term }) => term), ...where, ...groups, ...orderBy.map(({ term }) => term)];
  const single = [having, qualify].filter((term) => term !== null);
  return sizeOf([...terms, ...single]) + (from === null ? 0 : fromSize(from));
};

const fromSize = (from: FromNode): number => {
  switch (from.kind) {
    case 'source':
    case 'named':
      return AROUND;
    case 'derived':
      return querySize(from.query);
    case 'elements':
      return from.list.size;
    case 'join':
      return fromSize(from.left) + fromSize(from.right) + sizeOf(from.on);
    default:
      return from satisfies never;
  }
};
