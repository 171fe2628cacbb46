/** The results behind the steps of a record: those that hold a step, and those that take the place of a removed one. */
import { beforeResults, type RankedRange, rangeOf } from '../../domain/rankings.js';
import { type RecordStep, type RecordSteps, recordOn, withStep } from '../../domain/record-steps.js';
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

/**
 * Returns the steps with the results that become steps because `gone` was removed. They are of its day or later, and no
 * worse than the record before it. The search goes by ascending value and ends at the first result that is worse than that.
 */
export const withReplacements = async (
  session: ProjectionSession,
  range: RankedRange,
  left: RecordSteps,
  gone: RecordStep,
): Promise<RecordSteps> => {
  let steps = left;
  let after = beforeResults(range, gone);
  for (;;) {
    const page = await session.scan(results, { ...rangeOf(range), after, limit: MAX_PAGE });
    for (const result of page) {
      const value = rankedValue(result, range.kind);
      const standing = recordOn(steps, gone.date);
      if (standing !== null && standing < value) return steps;
      if (result.date >= gone.date) steps = withStep(steps, { date: result.date, value });
    }
    const last = page.at(-1);
    if (!last || page.length < MAX_PAGE) return steps;
    after = last;
  }
};
