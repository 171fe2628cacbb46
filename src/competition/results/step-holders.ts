/** The results behind a step of a record. */
import { beforeResults, type RankedRange, rangeOf } from '../../domain/rankings.js';
import type { RecordStep } from '../../domain/record-steps.js';
import { rankedValue } from '../../domain/results.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import { type ResultDocument, results } from './ranking-documents.js';

/** Most steps have one holder. */
const FIRST_PAGE = 2;
const MAX_PAGE = 64;

/** Returns the results of this day and value, by id. A view of the read models can be searched like a session. */
export const holdersOf = async (
  view: Pick<ProjectionSession, 'scan'>,
  range: RankedRange,
  { date, value }: RecordStep,
): Promise<readonly ResultDocument[]> => {
  const found: ResultDocument[] = [];
  let after = beforeResults(range, { date, value });
  for (let limit = FIRST_PAGE; ; limit = Math.min(2 * limit, MAX_PAGE)) {
    const page = await view.scan(results, { ...rangeOf(range), after, limit });
    for (const result of page) {
      if (rankedValue(result, range.kind) !== value || result.date !== date) return found;
      found.push(result);
    }
    const last = page.at(-1);
    if (!last || page.length < limit) return found;
    after = last;
  }
};
