/** Invalidates the ranking lists that show a result. Lists that end before its value stay valid. */
import { SHOWS } from '../../domain/rankings.js';
import { listTags } from '../../domain/result-tags.js';
import { boardOf, type Result, rankedValue, VALUE_KINDS } from '../../domain/results.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';

/** Touches every list that shows the result. */
export const touchShown = (session: ProjectionSession, result: Result): void => {
  for (const kind of VALUE_KINDS.filter((kind) => boardOf(result, kind) !== null))
    for (const show of SHOWS) session.touch(() => listTags(show, kind, result), rankedValue(result, kind));
};
