/** The outlook of the results of a round as readers see it. The server and the pages compute it by the same functions. */
import { type Outlook, outlooksOf, type Standings } from '../../domain/outlook.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import type { RoundView } from '../contests/contest.queries.js';

/** An outlook with the result that it is of, and what it has to equal for a record. */
export interface OutlookView extends Outlook {
  readonly resultId: string;
  /** Null: not known. */
  readonly standings: Standings | null;
}

/** By place. Empty for a round that is not open. `standings`: by result id, as far as they are known. */
export const outlooksIn = (
  round: Omit<RoundView, 'results'> & {
    readonly results: readonly Pick<RoundView['results'][number], 'resultId' | 'attempts'>[];
  },
  { eventId, format }: Pick<EventDefinition, 'eventId' | 'format'>,
  standings: ReadonlyMap<string, Standings>,
): readonly OutlookView[] => {
  if (!round.open) return [];
  const { results, roster } = round;
  const known = results.map(({ resultId }) => standings.get(resultId) ?? null);
  const outlooks = outlooksOf(
    {
      eventId,
      valueFormat: format,
      rules: round,
      results: results.map(({ attempts }) => attempts.map(({ result }) => result)),
      absent: roster && roster.expected - roster.entered,
    },
    known,
  );
  return results.flatMap(({ resultId }, index) => {
    const outlook = outlooks[index];
    return outlook ? [{ resultId, ...outlook, standings: known[index] ?? null }] : [];
  });
};
