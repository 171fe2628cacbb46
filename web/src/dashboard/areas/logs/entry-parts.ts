/** The parts of what a filter finds, as the paths that follow the path of a call: see src/logs/query/call-part.ts. */
import type { Entry } from './entries.js';
import type { LogQuery } from './log-query.js';
import { isFilter, tableOf } from './lql-table.js';
import { type EndpointOutline, tableNamed } from './outline.js';
import type { Path } from './paths.js';

/** A larger page would keep the browser busy for longer than 50 ms. */
export const PAGE_ROWS = 500;

export type Side = 'before' | 'after';

/** The newest entries, or those beside an entry: `before` newest first, `after` oldest first. */
export const pagePart = (beside: { readonly side: Side; readonly entry: Entry } | null = null): string => {
  const search = new URLSearchParams({ limit: String(PAGE_ROWS) });
  if (beside) search.set(beside.side, `${beside.entry.timestamp},${beside.entry.id}`);
  return `/entries?${search}`;
};

/** `path` begins with the name of a column. */
export const valuesPart = (path: Path): string => `/values?${new URLSearchParams({ field: path.join('.') })}`;

const ENTRY_COLUMNS = ['id', 'timestamp', 'event_message', 'metadata'];

/** True when the result of the query is a list of entries that can be had page by page. */
export const hasPages = (asked: LogQuery, outline: EndpointOutline): boolean => {
  if (asked.language !== 'lql' || !isFilter(asked.query)) return false;
  const columns = tableNamed(outline, tableOf(asked, outline))?.columns ?? [];
  return ENTRY_COLUMNS.every((name) => columns.some((column) => column.name === name));
};
