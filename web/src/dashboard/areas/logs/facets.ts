/** Facets: the values of fields with the number of entries that have each, among all that a filter finds, and their terms. */
import type { FacetNames } from './chosen-facets.js';
import { termOf, withTerm } from './entries.js';
import { valuesPart } from './entry-parts.js';
import { absoluteRange, type LogQuery, type LogRow, type QueryResult } from './log-query.js';
import { isFilter, tableOf } from './lql-table.js';
import { type EndpointOutline, type Field, fieldsAt, tableNamed } from './outline.js';
import type { Path } from './paths.js';
import { columnsOf } from './source-fields.js';

export interface FacetValue {
  readonly value: unknown;
  readonly count: number;
}

/** A query whose rows are the values of a facet with their counts. */
export interface Facet {
  readonly title: string;
  /** The user has added it, and can take it away. */
  readonly isAdded?: boolean;
  /** What it counts, where that is not what the filter finds. */
  readonly note?: string;
  readonly query: LogQuery;
  /** What of the query's result it is: see entry-parts.ts. */
  readonly part: string;
  /** The query of a value's entries; null: there is none. */
  readonly only: (value: unknown) => LogQuery | null;
  /** The query of all other entries; null: there is none. */
  readonly without: (value: unknown) => LogQuery | null;
  readonly isChosen: (value: unknown) => boolean;
}

export interface Answered {
  /** Those that the user has added. */
  readonly facets: FacetNames;
  readonly asked: LogQuery;
  readonly result: QueryResult;
  readonly outline: EndpointOutline;
}

/** Of a table whose well-known fields are not known. */
const MAX_OTHER_FIELDS = 4;

/** The names of fields that can be added. */
export const addable = (
  seen: FacetNames,
  { asked, outline, facets }: Omit<Answered, 'result'>,
): FacetNames => {
  const shown = fieldsToCount(tableOf(asked, outline) ?? '', outline).map(({ path }) => path.join('.'));
  return seen.filter((name) => !shown.includes(name) && !facets.includes(name));
};

/** The facets of a result: its table among others, then fields of the table, then added ones. None for a query in SQL. */
export const facetsOf = ({ asked, result, outline, facets }: Answered): readonly Facet[] => {
  const table = tableOf(asked, outline);
  if (table === null || !isFilter(asked.query)) return [];
  const filter: LogQuery = { ...asked, language: 'lql' };
  const fixed: LogQuery = { ...filter, range: absoluteRange(asked.range, result.at) };
  const fields = fieldsToCount(table, outline);
  return [
    ...(outline.tables.length > 1 ? [tableFacet(table, { filter, fixed, outline })] : []),
    ...fields.map(({ title, path }) => fieldFacet(title, path, { filter, fixed })),
    ...facets
      .filter((name) => !fields.some(({ path }) => path.join('.') === name))
      .map((name) => ({ ...fieldFacet(name, name.split('.'), { filter, fixed }), isAdded: true })),
  ];
};

interface TitledPath {
  readonly title: string;
  readonly path: Path;
}

const fieldsToCount = (table: string, outline: EndpointOutline): readonly TitledPath[] => {
  const known = columnsOf(table);
  if (known.length > 0) return known;
  const columns = tableNamed(outline, table)?.columns ?? [];
  return fieldsAt(columns, ['metadata'])
    .filter(isCountable)
    .slice(0, MAX_OTHER_FIELDS)
    .map(({ name }) => ({ title: name, path: [name] }));
};

const isCountable = ({ type, name }: Field): boolean =>
  ['string', 'integer', 'boolean'].includes(type) && /^[\w$-]+$/.test(name);

interface Queries {
  /** As the user asked. */
  readonly filter: LogQuery;
  /** With a fixed time. */
  readonly fixed: LogQuery;
}

/** `field`: of the metadata. */
const fieldFacet = (title: string, field: Path, { filter, fixed }: Queries): Facet => {
  const path = ['metadata', ...field];
  const term = (value: unknown): string | null => (isRedacted(value) ? null : termOf(path, value));
  const has = (value: unknown): boolean => ` ${filter.query} `.includes(` ${term(value)} `);
  const asking = (query: string | null): LogQuery | null => (query === null ? null : { ...filter, query });
  return {
    title,
    query: fixed,
    part: valuesPart(path),
    only: (value) => {
      const one = term(value);
      if (one === null) return null;
      return asking(
        has(value) ? ` ${filter.query} `.replace(` ${one} `, ' ').trim() : withTerm(filter.query, one),
      );
    },
    without: (value) => {
      const one = term(value);
      return one === null || has(value) ? null : asking(withTerm(filter.query, `-${one}`));
    },
    isChosen: has,
  };
};

/** A filter for it would find nothing. */
const isRedacted = (value: unknown): boolean => typeof value === 'string' && value.includes('REDACTED');

/** Counts without the filter, because other tables have other fields. */
const tableFacet = (
  chosen: string,
  { filter, fixed, outline }: Queries & { readonly outline: EndpointOutline },
): Facet => ({
  title: 'source',
  ...(filter.query.trim() !== '' && { note: 'without the filter' }),
  query: {
    ...fixed,
    language: 'sql',
    query: outline.tables
      .map(({ name }) => `select '${name}' as value, count(*) as count from ${name}`)
      .join('\nunion all '),
  },
  part: '',
  only: (value) =>
    value === chosen ? null : { ...filter, query: value === outline.reads ? '' : `f:${value}` },
  without: () => null,
  isChosen: (value) => value === chosen,
});

/** Redaction can make values equal. The most frequent first, and none without entries. */
export const valuesIn = (rows: readonly LogRow[]): readonly FacetValue[] => {
  const counted = new Map<string, FacetValue>();
  for (const { value, count } of rows) {
    const key = JSON.stringify(value);
    counted.set(key, { value, count: (counted.get(key)?.count ?? 0) + Number(count) });
  }
  return [...counted.values()].filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
};
