/** Podiums: the first three places of each event that is decided. */
import { NO_TAGS } from '../../domain/record-tags.js';
import type {
  ContestStage,
  OpaqueRoundView,
  PlannedRoundView,
  PodiumResultView,
  PodiumView,
  RoundResultView,
  RoundView,
} from './contest.queries.js';

const PODIUM_PLACES = 3;

/**
 * The round that decides an event: the last one of the plan. In a finished contest it is the last one that was held. Null: it
 * has not begun.
 */
export const decidingRound = <R extends Pick<PlannedRoundView, 'opened'>>(
  rounds: readonly R[],
  state: ContestStage,
): R | null => {
  const last = state === 'finished' ? rounds.findLast(({ opened }) => opened) : rounds.at(-1);
  return last?.opened ? last : null;
};

/** Null while its places are provisional, and when no competitor has a valid result. */
export const podiumOf = (eventId: string, round: RoundView): PodiumView | null => {
  const { roundNumber, format, provisional, results } = round;
  const first = results.filter(isOnPodium);
  if (provisional || first.length === 0) return null;
  return { eventId, roundNumber, format, results: first.map(podiumResult) };
};

/** A competitor with nothing but DNF is not on the podium, whatever the place. */
const isOnPodium = ({ place, best }: RoundResultView): boolean => place <= PODIUM_PLACES && best > 0;

const podiumResult = ({ place, persons, best, average, recordTags }: RoundResultView): PodiumResultView => ({
  place,
  persons,
  best,
  average,
  recordTags,
});

/** Null when the file gives no places. */
export const opaquePodium = ({ eventId, roundNumber, results }: OpaqueRoundView): PodiumView | null => {
  const first = results.flatMap(({ place, persons }) =>
    place !== null && place <= PODIUM_PLACES
      ? [{ place, persons, best: null, average: null, recordTags: NO_TAGS }]
      : [],
  );
  return first.length === 0 ? null : { eventId, roundNumber, format: null, results: first };
};

/** Who leads a round: the first place with a valid result. */
export const leadersOf = ({ results }: RoundView): readonly PodiumResultView[] =>
  results.filter(({ place, best }) => place === 1 && best > 0).map(podiumResult);
