/** Invalidates the ranking lists that show a result. Lists that end before its value stay valid. */
import { SHOWS, type Show } from '../../domain/rankings.js';
import { listTags } from '../../domain/result-tags.js';
import { boardOf, type Result, rankedValue, VALUE_KINDS, type ValueKind } from '../../domain/results.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';

/** Touches the lists of results or persons that rank this value of the result. `from`: the least value that has changed. */
export const touchLists = (
  session: ProjectionSession,
  show: Show,
  kind: ValueKind,
  result: Result,
  from = rankedValue(result, kind),
): void => session.touch(() => listTags(show, kind, result), from);

/** Touches every list that shows the result. */
export const touchShown = (session: ProjectionSession, result: Result): void => {
  for (const kind of VALUE_KINDS.filter((kind) => boardOf(result, kind) !== null))
    for (const show of SHOWS) touchLists(session, show, kind, result);
};
