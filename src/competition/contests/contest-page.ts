/**
 * A contest as its page shows it: its rounds with the place of each competitor, and who advances to the next round.
 */

import { advancing } from '../../domain/advancement.js';
import type { Cutoff, RoundRef } from '../../domain/attempts.js';
import { NO_TAGS, type RecordTags } from '../../domain/record-tags.js';
import { roundId } from '../../domain/references.js';
import { isComplete, placesOf } from '../../domain/scoring.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import type { OpaqueRound } from '../aggregates/contest/contest.js';
import type { PersonView } from '../persons/person.queries.js';
import { type PersonDirectory, personView } from '../persons/person-directory.js';
import { contestFacts, type ResultDocument, results } from '../results/ranking-documents.js';
import { recordTagsOf } from '../results/record-tags.js';
import { eventsOf, requireEvent } from '../spaces/known-events.js';
import type {
  ContestPlanView,
  ContestSummaryView,
  ContestView,
  OpaqueRoundView,
  PlannedRoundView,
  RoundResultView,
  RoundView,
} from './contest.queries.js';
import type { ContestDocument, PlannedRoundDocument } from './contest-documents.js';
import { rosters } from './rosters.projection.js';
import { byPlace } from './round-order.js';
import { roundRoster } from './round-roster.js';

/** Sorts by the order of the catalogue, then by number. */
const inOrder = <T extends RoundRef>(
  rounds: readonly T[],
  order: ReadonlyMap<string, number>,
): readonly T[] => {
  const rank = ({ eventId }: T): number => order.get(eventId) ?? order.size;
  return rounds.toSorted((a, b) => rank(a) - rank(b) || a.roundNumber - b.roundNumber);
};

/** Returns the event ids of the contest's rounds, in catalogue order. */
const eventIdsOf = (contest: ContestDocument, order: ReadonlyMap<string, number>): readonly string[] => [
  ...new Set(inOrder(contest.rounds, order).map(({ eventId }) => eventId)),
];

/** Returns the position of each event in the catalogue of the space. */
const catalogueOrder = async (view: ReadView, spaceId: string): Promise<ReadonlyMap<string, number>> =>
  new Map((await eventsOf(view, spaceId)).map(({ eventId }, index) => [eventId, index]));

/** Returns one summary for each contest, in the same order. */
export const contestSummaries = async (
  view: ReadView,
  spaceId: string,
  found: readonly ContestDocument[],
): Promise<readonly ContestSummaryView[]> => {
  const order = await catalogueOrder(view, spaceId);
  const ids = found.map(({ id }) => id);
  const facts = await view.getMany(contestFacts, ids);
  return found.map((contest, index) => summary(contest, facts[index]?.participants ?? 0, order));
};

const summary = (
  contest: ContestDocument,
  participants: number,
  order: ReadonlyMap<string, number>,
): ContestSummaryView => ({
  competitionId: contest.competitionId,
  state: contest.state,
  name: contest.name,
  shortName: contest.shortName,
  type: contest.type,
  city: contest.city,
  regionCode: contest.regionCode,
  venue: contest.venue,
  startDate: contest.startDate,
  endDate: contest.endDate,
  participants,
  eventIds: eventIdsOf(contest, order),
});

/** A contest without the content of its rounds, and the list of its rounds. */
export interface ContestCover {
  readonly shown: Omit<ContestView, 'events'>;
  /** In catalogue order, then by number. */
  readonly rounds: readonly RoundRef[];
}

export const contestCover = async (
  view: ReadView,
  contest: ContestDocument,
  directory: PersonDirectory,
): Promise<ContestCover> => {
  const order = await catalogueOrder(view, contest.spaceId);
  const facts = await view.get(contestFacts, contest.id);
  const { opaqueRounds, organizerIds } = contest;
  const competing = opaqueRounds.flatMap(({ results }) => results.flatMap(({ personIds }) => personIds));
  const persons = await directory.views(view, [...organizerIds, ...competing]);
  const shown = summary(contest, facts?.participants ?? 0, order);
  return {
    shown: {
      ...shown,
      organizers: organizersOf(contest, persons).map(({ name }) => name),
      opaqueRounds: inOrder(opaqueRounds, order).map((round) => opaqueRoundView(round, persons)),
    },
    rounds: shown.eventIds.flatMap((eventId) => roundsOf(contest, eventId).planned.map(({ round }) => round)),
  };
};

/** The planned rounds in catalogue order, then by number. */
export const plannedInOrder = async (
  view: ReadView,
  { spaceId, rounds }: ContestDocument,
): Promise<readonly PlannedRoundDocument[]> => inOrder(rounds, await catalogueOrder(view, spaceId));

/** Lists each person once: two organizers may have been merged into one person. */
export const organizersOf = (
  { organizerIds }: ContestDocument,
  persons: ReadonlyMap<number, PersonView>,
): readonly PersonView[] => {
  const shown = organizerIds.map((id) => personOf(persons, id));
  return [...new Map(shown.map((person) => [person.id, person])).values()];
};

/** Returns one round as the contest page shows it, or null when the contest has no such round. */
export const roundPage = async (
  view: ReadView,
  contest: ContestDocument,
  { eventId, roundNumber }: RoundRef,
  directory: PersonDirectory,
): Promise<RoundView | null> => {
  const planned = roundsOf(contest, eventId).planned.find(({ round }) => round.roundNumber === roundNumber);
  if (!planned) return null;
  const { spaceId, competitionId } = contest;
  const equals = { spaceId, competitionId, eventId, roundNumber };
  const entered = await view.scan(results, { index: 'byRound', equals });
  const roster = await view.get(rosters, roundId(equals));
  const competitors = roster?.competitors ?? [];
  const shown = [...entered, ...competitors].flatMap(({ personIds }) => personIds);
  const persons = await directory.views(view, shown);
  const event = await requireEvent(view, spaceId, eventId);
  const recordTags = await recordTagsOf(view, entered, [event]);
  const rostered = roster && roundRoster({ round: planned.round, event, entered, competitors, persons });
  const provisional =
    planned.round.open || (contest.state === 'ongoing' && isUnfinished(planned.round, entered, rostered));
  return roundView(planned, { entered, persons, provisional, rostered, recordTags });
};

/** Returns the rounds of one event, each with its round type id. Opaque rounds count, as one may be the final. */
const roundsOf = (contest: ContestDocument, eventId: string) => {
  const ofEvent = (round: RoundRef): boolean => round.eventId === eventId;
  const numbers = [...contest.rounds, ...contest.opaqueRounds]
    .filter(ofEvent)
    .map(({ roundNumber }) => roundNumber)
    .sort((a, b) => a - b);
  const typeIdOf = (roundNumber: number, cutoff: Cutoff | null): string =>
    roundTypeId(numbers.indexOf(roundNumber), numbers.length, cutoff);
  return {
    planned: contest.rounds
      .filter(ofEvent)
      .map((round) => ({ round, typeId: typeIdOf(round.roundNumber, round.rules.cutoff) })),
    opaque: contest.opaqueRounds
      .filter(ofEvent)
      .map((round) => ({ round, typeId: typeIdOf(round.roundNumber, null) })),
  };
};

/** Returns the contest with the plan of its rounds, and without their results. */
export const contestPlan = async (
  view: ReadView,
  contest: ContestDocument,
  directory: PersonDirectory,
): Promise<ContestPlanView> => {
  const { shown } = await contestCover(view, contest, directory);
  const order = await catalogueOrder(view, contest.spaceId);
  const all = inOrder([...contest.rounds, ...contest.opaqueRounds], order);
  const eventIds = new Set(all.map(({ eventId }) => eventId));
  return {
    ...shown,
    events: [...eventIds].map((eventId) => ({ eventId, rounds: tabsOf(contest, eventId) })),
  };
};

/** By number. */
const tabsOf = (contest: ContestDocument, eventId: string): readonly PlannedRoundView[] => {
  const { planned, opaque } = roundsOf(contest, eventId);
  return [
    ...planned.map(({ round: { roundNumber, open, opened }, typeId }) => ({
      roundNumber,
      roundTypeId: typeId,
      open,
      opened,
      opaque: false,
    })),
    ...opaque.map(({ round: { roundNumber }, typeId }) => ({
      roundNumber,
      roundTypeId: typeId,
      open: false,
      opened: true,
      opaque: true,
    })),
  ].sort((a, b) => a.roundNumber - b.roundNumber);
};

const opaqueRoundView = (
  { eventId, roundNumber, format, date, results: given }: OpaqueRound,
  persons: ReadonlyMap<number, PersonView>,
): OpaqueRoundView => ({
  eventId,
  roundNumber,
  format,
  date,
  results: given
    .map(({ place, personIds, attempts, best, average }) => ({
      place,
      persons: personIds.map((id) => personOf(persons, id)),
      attempts: attempts.map((value) => ({ result: value })),
      best,
      average,
    }))
    .sort((a, b) => (a.place ?? Number.MAX_SAFE_INTEGER) - (b.place ?? Number.MAX_SAFE_INTEGER)),
});

/** Whether results are missing of those who are expected. `rostered` null: all who were entered are expected. */
const isUnfinished = (
  { opened, rules }: PlannedRoundDocument,
  entered: readonly ResultDocument[],
  rostered: ReturnType<typeof roundRoster> | null,
): boolean =>
  opened && (rostered?.isAwaiting ?? entered.some(({ attempts }) => !isComplete(attempts, rules)));

const personOf = (persons: ReadonlyMap<number, PersonView>, id: number): PersonView =>
  persons.get(id) ?? personView(id, null, null);

const BEFORE_THE_FINAL: readonly (readonly [string, string])[] = [
  ['1', 'd'],
  ['2', 'e'],
  ['3', 'g'],
];

/** The association defines names for only three rounds before the final. */
const roundTypeId = (index: number, rounds: number, cutoff: Cutoff | null): string => {
  const [plain, withCutoff] = BEFORE_THE_FINAL[index] ?? ['3', 'g'];
  if (index === rounds - 1) return cutoff ? 'c' : 'f';
  return cutoff ? withCutoff : plain;
};

const roundView = (
  { round, typeId }: { readonly round: PlannedRoundDocument; readonly typeId: string },
  shown: {
    readonly entered: readonly ResultDocument[];
    readonly persons: ReadonlyMap<number, PersonView>;
    readonly provisional: boolean;
    readonly rostered: ReturnType<typeof roundRoster> | null;
    /** Of each result. */
    readonly recordTags: readonly RecordTags[];
  },
): RoundView => {
  const { format, date, timeLimit, cutoff, advancement } = round.rules;
  const places = placesOf(shown.entered, format);
  const advances = advancing(shown.entered, places, round.rules);
  const entries = shown.entered.map((result, index) =>
    resultView(
      {
        result,
        place: places[index] ?? 1,
        advances: advances[index] ?? false,
        advancement: shown.rostered?.prospects?.[index] ?? null,
        recordTags: shown.recordTags[index] ?? NO_TAGS,
      },
      shown.persons,
    ),
  );
  return {
    roundNumber: round.roundNumber,
    roundTypeId: typeId,
    format,
    date,
    open: round.open,
    provisional: shown.provisional,
    timeLimit: timeLimit && {
      centiseconds: timeLimit.centiseconds,
      cumulativeRounds: timeLimit.cumulativeRounds,
    },
    cutoff: cutoff && {
      numberOfAttempts: cutoff.numberOfAttempts,
      attemptResult: cutoff.attemptResult,
    },
    advancement: advancement && { type: advancement.type, value: advancement.value },
    roster: shown.rostered?.roster ?? null,
    results: entries.sort(byPlace),
  };
};

const resultView = (
  {
    result,
    place,
    advances,
    advancement,
    recordTags,
  }: Pick<RoundResultView, 'place' | 'advances' | 'advancement' | 'recordTags'> & {
    readonly result: ResultDocument;
  },
  persons: ReadonlyMap<number, PersonView>,
): RoundResultView => ({
  resultId: result.resultId,
  place,
  advances,
  advancement,
  recordTags,
  persons: result.personIds.map((id) => personOf(persons, id)),
  attempts: result.attempts.map((value) => ({ result: value })),
  best: result.best,
  average: result.average,
  date: result.date,
  regionCode: result.regionCode,
});
