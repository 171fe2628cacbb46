/** The outlook of the competitors of a round as readers see it. The server and the pages compute it by the same functions. */

import type { HallRound } from '../../domain/needs.js';
import {
  absentOutlook,
  type KnownOfCompetitor,
  NOTHING_KNOWN,
  type Outlook,
  outlooksOf,
} from '../../domain/outlook.js';
import { competitorKey } from '../../domain/references.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import type { RoundView } from '../contests/contest.queries.js';
import type { PersonView } from '../persons/person.queries.js';

/** Whose outlook it is. */
export interface HallCompetitor {
  /** Null: the competitor has no result yet. */
  readonly resultId: string | null;
  /** One, or the members of a team. */
  readonly personIds: readonly number[];
}

export interface OutlookView extends HallCompetitor, Outlook, KnownOfCompetitor {}

/** Names a competitor of a round among all with an outlook. */
export const hallKey = ({ resultId, personIds }: HallCompetitor): string =>
  resultId ?? competitorKey(personIds);

type Round = Omit<RoundView, 'results'> & {
  readonly results: readonly Pick<RoundView['results'][number], 'resultId' | 'persons' | 'attempts'>[];
};
type EventOfHall = Pick<EventDefinition, 'eventId' | 'format' | 'participants'>;

/**
 * Competitors who are expected and have no result, by name. Round 1 of a team event awaits single persons, whose
 * teams are not known yet: they are left out.
 */
export const awaitedIn = (
  { roster }: Pick<RoundView, 'roster'>,
  { participants }: Pick<EventOfHall, 'participants'>,
): readonly (HallCompetitor & { readonly persons: readonly PersonView[] })[] =>
  (roster?.missing ?? [])
    .filter(({ mark, persons }) => mark === 'expected' && persons.length === participants)
    .map(({ persons }) => ({ resultId: null, personIds: persons.map(({ id }) => id), persons }));

/**
 * First those with a result, by place, then those who have none, by name. Empty for a round that is not open. `known`: by `hallKey`, as
 * far as it is known.
 */
export const outlooksIn = (
  round: Round,
  event: EventOfHall,
  known: ReadonlyMap<string, KnownOfCompetitor>,
): readonly OutlookView[] => {
  if (!round.open) return [];
  const { results, roster } = round;
  const hall: HallRound = {
    eventId: event.eventId,
    valueFormat: event.format,
    rules: round,
    results: results.map(({ attempts }) => attempts.map(({ result }) => result)),
    absent: roster && roster.expected - roster.entered,
  };
  const knownOf = (competitor: HallCompetitor): KnownOfCompetitor =>
    known.get(hallKey(competitor)) ?? NOTHING_KNOWN;
  const entered = results.map(({ resultId, persons }) => ({
    resultId,
    personIds: persons.map(({ id }) => id),
  }));
  const outlooks = outlooksOf(hall, entered.map(knownOf));
  const absent = awaitedIn(round, event);
  const outlookOf = absentOutlook(hall);
  return [
    ...entered.flatMap((competitor, index) => {
      const outlook = outlooks[index];
      return outlook ? [{ ...competitor, ...outlook, ...knownOf(competitor) }] : [];
    }),
    ...absent.map(({ resultId, personIds }) => {
      const competitor = { resultId, personIds };
      return { ...competitor, ...outlookOf(knownOf(competitor)), ...knownOf(competitor) };
    }),
  ];
};
