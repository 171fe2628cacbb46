/** What LQL may say as the filter of a tail, which is about each entry alone, whenever that comes. */
import { located } from '../sql/query-problem.js';
import { LqlFault } from './lql-fault.js';
import type { LqlFilter } from './lql-tree.js';
import { type SavedTexts, withSavedFilters } from './saved-filters.js';

/** Returns the table that the filter names, or null. Throws QueryProblem (`lql-syntax`, `lql-refused`). */
export const tableOfTailFilter = async (text: string, saved?: SavedTexts): Promise<string | null> => {
  const { parseLql } = await import('./parse-lql.js');
  const { filters, aggregates, grouping, table } = withSavedFilters(parseLql(text), saved, parseLql);
  return located({ text, code: 'lql-refused' }, () => {
    const time = filters.find(isAboutTime);
    if (time) throw new LqlFault(time.span.start, 'a tail takes no time: it begins now, or after a position');
    const counted = aggregates[0] ?? grouping;
    if (counted) throw new LqlFault(counted.span.start, 'a tail takes no aggregate: it has the entries');
    return table?.name ?? null;
  });
};

const isAboutTime = (filter: LqlFilter): boolean =>
  filter.field === 'saved' ? filter.filters.some(isAboutTime) : filter.field === 'time';
