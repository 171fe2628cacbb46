/**
 * Examples of the docs page from this server's data: an event of its catalogue, a contest, and an attempt that
 * is entered already. So a reader who sends the example with a real key changes nothing.
 */

import type { EventDefinition } from '../competition/aggregates/space/space.events.js';
import type { ContestView, RoundResultView, RoundView } from '../competition/contests/contest.queries.js';
import { NOT_TAKEN } from '../domain/attempts.js';
import { DEFAULT_SPACE } from '../domain/ids.js';
import type { DocsExamples } from './page-models.js';

/** The values of the examples when this server has no contest yet. */
const INVENTED = { eventId: '333', competitionId: 'PodiumOpen2026', assocId: '2016ABCD01' };

export interface ExampleContest {
  /** Null: there is none yet. */
  readonly contest: ContestView | null;
  /** By person. */
  readonly numbers: ReadonlyMap<number, number>;
}

interface Place {
  readonly eventId: string;
  readonly round: RoundView;
}

export const docsExamples = (
  spaceId: string,
  events: readonly EventDefinition[],
  { contest, numbers }: ExampleContest,
): DocsExamples => {
  const places = (contest?.events ?? []).flatMap(({ eventId, rounds }) =>
    rounds.map((round): Place => ({ eventId, round })),
  );
  const place = places.find(({ round }) => round.open && round.results.length > 0) ?? places[0] ?? null;
  const eventId = place?.eventId ?? events[0]?.eventId ?? INVENTED.eventId;
  const competitionId = contest?.competitionId ?? INVENTED.competitionId;
  const roundNumber = place?.round.roundNumber ?? 1;
  const round = {
    ...(spaceId === DEFAULT_SPACE ? {} : { spaceId }),
    competitionId,
    eventId,
    roundNumber,
  };
  const result = place?.round.results[0];
  const called =
    place?.round.results.find(({ persons }) =>
      persons.every(({ id, assocId }) => numbers.has(id) || (assocId !== null && persons.length === 1)),
    ) ?? result;
  return {
    hasContest: contest !== null,
    eventId,
    competitionId,
    roundNumber,
    attempt: { ...round, ...competitorOf(result), ...attemptOf(result) },
    numbered: { ...round, ...numberOf(called, numbers), ...attemptOf(called) },
    results: {
      ...round,
      results: [
        { ...competitorOf(result), attempts: result?.attempts ?? [{ result: 1_123 }, { result: 987 }] },
      ],
    },
  };
};

const competitorOf = (result: RoundResultView | undefined): Readonly<Record<string, unknown>> => {
  const [first, ...others] = result?.persons ?? [];
  if (!first) return { assocId: INVENTED.assocId };
  if (others.length > 0) return { personId: [first, ...others].map(({ id }) => id).join(',') };
  return first.assocId === null ? { personId: first.id } : { assocId: first.assocId };
};

/** As devices of the association's own API name a competitor. In a contest without numbers the association id counts alone. */
const numberOf = (
  result: RoundResultView | undefined,
  numbers: ReadonlyMap<number, number>,
): Readonly<Record<string, unknown>> => {
  const persons = result?.persons ?? [];
  const registrantIds = persons.map(({ id }, index) => numbers.get(id) ?? index + 1);
  const [registrantId = 1] = registrantIds;
  if (persons.length > 1) return { registrantId: registrantIds.join(',') };
  return { registrantId, wcaId: persons[0] ? persons[0].assocId : INVENTED.assocId };
};

const attemptOf = (result: RoundResultView | undefined): Readonly<Record<string, unknown>> => {
  const taken = result?.attempts.findIndex((attempt) => attempt.result !== NOT_TAKEN) ?? -1;
  const attemptResult = result?.attempts[taken]?.result ?? 1_123;
  return { attemptNumber: taken < 0 ? 1 : taken + 1, attemptResult };
};
