/** What kind of LQL query it is, and the table that a query of the explorer reads. */
import type { LogQuery } from './log-query.js';
import type { EndpointOutline } from './outline.js';

/** A quoted text can hold what looks like a term. */
const withoutQuoted = (lql: string): string => lql.replace(/"(?:\\.|[^"\\])*"/g, '""');

/** The table that a filter names; null when it names none. */
export const tableTermIn = (lql: string): string | null =>
  /(?:^|\s)(?:f|from):(\w+)/.exec(withoutQuoted(lql))?.[1] ?? null;

/** True when the query finds entries: it chooses no columns and has no aggregates. */
export const isFilter = (lql: string): boolean => !/(?:^|\s)[sc]:/.test(withoutQuoted(lql));

/** Null for SQL, which may read several, and where the stored query reads none by name. */
export const tableOf = (asked: LogQuery, outline: Pick<EndpointOutline, 'reads'>): string | null => {
  switch (asked.language) {
    case 'sql':
      return null;
    case 'lql':
      return tableTermIn(asked.query) ?? outline.reads;
    case 'stored':
      return outline.reads;
    default:
      return asked.language satisfies never;
  }
};
