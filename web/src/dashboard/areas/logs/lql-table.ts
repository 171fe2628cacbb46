/** The table that a query of the explorer reads. */
import type { LogQuery } from './log-query.js';
import type { EndpointOutline } from './outline.js';

/** The table that a filter names; null when it names none. A quoted text can hold what looks like the term. */
export const tableTermIn = (lql: string): string | null =>
  /(?:^|\s)(?:f|from):(\w+)/.exec(lql.replace(/"(?:\\.|[^"\\])*"/g, '""'))?.[1] ?? null;

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
