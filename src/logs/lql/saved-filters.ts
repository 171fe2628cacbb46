/** `saved:NAME` in LQL: a filter that was saved under a name. Its terms stand for it, with the place of its name. */
import { located } from '../sql/query-problem.js';
import type { Span } from '../sql/tree.js';
import { LqlFault } from './lql-fault.js';
import { type LqlFilter, type LqlQuery, type LqlText, MAX_TERMS } from './lql-tree.js';

/** parse-lql.ts, which is loaded with the first query. */
export type Parse = (text: string) => LqlQuery;

/** LQL by the names of filters. */
export type SavedTexts = Readonly<Record<string, string>>;

/** The names of the filters that a text refers to. Throws QueryProblem (`lql-syntax`). */
export const savedNamesIn = (text: string, parse: Parse): readonly string[] =>
  parse(text).filters.flatMap((filter) => referenceOf(filter)?.value ?? []);

/** Throws QueryProblem (`lql-refused`) for a name that is not there, and for more terms than a text may have. */
export const withSavedFilters = (query: LqlQuery, saved: SavedTexts | undefined, parse: Parse): LqlQuery =>
  located({ text: query.text, code: 'lql-refused' }, () => {
    let terms = query.filters.length;
    const filters = query.filters.map((filter): LqlFilter => {
      const name = referenceOf(filter);
      if (name === null) return filter;
      const { negated, span } = filter;
      const text = saved && Object.hasOwn(saved, name.value) ? saved[name.value] : undefined;
      if (text === undefined) throw new LqlFault(name.span.start, `there is no saved filter ${name.value}`);
      const inner = parse(text).filters;
      terms += inner.length - 1;
      if (terms > MAX_TERMS)
        throw new LqlFault(
          name.span.start,
          `expected at most ${MAX_TERMS} terms with those of the saved filters`,
        );
      return { field: 'saved', filters: inner.map((one) => placedAt(one, span)), negated, span };
    });
    return { ...query, filters };
  });

/** Checks a filter before it is saved: it has filters alone. Throws QueryProblem (`lql-syntax`, `lql-refused`). */
export const checkSavedFilter = (text: string, parse: Parse): void => {
  const { filters, columns, aggregates, grouping, table } = parse(text);
  located({ text, code: 'lql-refused' }, () => {
    const other = table ?? columns[0] ?? aggregates[0] ?? grouping;
    if (other)
      throw new LqlFault(other.span.start, 'a saved filter has no table, no columns and no aggregates');
    const inner = filters.find((filter) => referenceOf(filter) !== null);
    if (inner) throw new LqlFault(inner.span.start, 'a saved filter refers to no other');
    if (filters.length === 0) throw new LqlFault(0, 'expected a filter');
  });
};

/** Null: another filter. In quotes it is a value of a column called `saved`. */
const referenceOf = ({ field, ...filter }: LqlFilter): LqlText | null => {
  const isNamed = typeof field === 'object' && field.parts.join('.') === 'saved';
  const test = 'test' in filter ? filter.test : null;
  return isNamed && test?.kind === 'text' && !test.quoted ? test : null;
};

/** Refusals of a part of the filter point at its name. */
const placedAt = <T>(part: T, span: Span): T => {
  if (Array.isArray(part)) return part.map((item) => placedAt(item, span)) as T;
  if (typeof part !== 'object' || part === null) return part;
  const placed = Object.entries(part).map(([name, value]) => [
    name,
    name === 'span' ? span : placedAt(value, span),
  ]);
  // Codec: the same tree with other places.
  return Object.fromEntries(placed) as T;
};
