/** What LQL may say as the filter of a tail, which is about each entry alone, whenever that comes. */
import { located } from '../sql/query-problem.js';
import { LqlFault } from './lql-fault.js';

/** Returns the table that the filter names, or null. Throws QueryProblem (`lql-syntax`, `lql-refused`). */
export const tableOfTailFilter = async (text: string): Promise<string | null> => {
  const { parseLql } = await import('./parse-lql.js');
  const { filters, aggregates, grouping, table } = parseLql(text);
  return located({ text, code: 'lql-refused' }, () => {
    const time = filters.find(({ field }) => field === 'time');
    if (time) throw new LqlFault(time.span.start, 'a tail takes no time: it begins now, or after a position');
    const counted = aggregates[0] ?? grouping;
    if (counted) throw new LqlFault(counted.span.start, 'a tail takes no aggregate: it has the entries');
    return table?.name ?? null;
  });
};
