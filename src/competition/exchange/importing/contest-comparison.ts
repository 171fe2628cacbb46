/**
 * Compares a contest file with the stored contest: the differences, and the conflicts that stop the import. The preview
 * and the import both use it, so they agree.
 */

import { type RoundRef, roundCode } from '../../../domain/attempts.js';
import { isSameData } from '../../../domain/equality.js';
import { resolveAlias, resultOf } from '../../../domain/round-entry.js';
import type { RoundResult } from '../../../domain/round-results.js';
import { padded } from '../../../domain/scoring.js';
import type { NumberedCompetitor } from '../../aggregates/competitor-list/competitor-list.js';
import { canTakeNumbers, unusedNumbers } from '../../aggregates/contest/contest.decider.js';
import type { ContestDetails, ContestState, OpaqueParts } from '../../aggregates/contest/contest.js';
import type { RoundState } from '../../aggregates/round/round.js';
import type { ScheduleState } from '../../schedule/schedule.events.js';
import {
  type ContestFile,
  type Fault,
  type FileResult,
  type FileRound,
  placeOf,
} from '../formats/contest-file.js';
import type { ContestPlan } from './contest-plan.js';
import type { PersonBests } from './earlier-bests.js';
import { compareList, type ListComparison } from './list-comparison.js';

/** A difference between file and round for one result. At least one side is not null. */
export interface ResultDifference {
  readonly inFile: FileResult | null;
  readonly inRound: RoundResult | null;
}

export interface RoundComparison {
  readonly round: FileRound;
  readonly state: RoundState;
  /** How its rules compare with the planned rules. */
  readonly plan: 'new' | 'changed' | 'same';
  readonly differences: readonly ResultDifference[];
}

export interface ContestComparison {
  readonly before: ContestState;
  /** The dates of the file. */
  readonly dates: Pick<ContestDetails, 'startDate' | 'endDate'>;
  /** Details with another stored value; empty for a new contest. */
  readonly details: readonly (keyof ContestDetails)[];
  readonly rounds: readonly RoundComparison[];
  /** Planned rounds that are not in the file. */
  readonly missing: readonly RoundRef[];
  /** Numbers of the file that are still free in the contest. */
  readonly numbers: readonly NumberedCompetitor[];
  /** Null: the file registers no competitor, or the contest takes no competitors. */
  readonly list: ListComparison | null;
  /** What the file has instead of the opaque parts that are stored; null: they stay. */
  readonly opaque: OpaqueParts | null;
  /** Those who had better bests before the contest than the space knows of. */
  readonly bests: readonly PersonBests[];
  /** Whether the file has a schedule, and the contest never had one. */
  readonly isScheduleNew: boolean;
}

interface Stored {
  readonly before: ContestState;
  /** Of the file's rounds, in the same order. */
  readonly states: readonly RoundState[];
  readonly schedule: ScheduleState;
  /** Those of the file before the contest that say more than what is known. */
  readonly bests: readonly PersonBests[];
}

/** `overwriteList`: also where moderators changed the competitor list. */
export const compareContest = (
  plan: ContestPlan,
  { before, states, schedule, bests }: Stored,
  overwriteList: boolean,
): ContestComparison => {
  const takesCompetitors = before.phase === 'none' || canTakeNumbers(before);
  const registrations = takesCompetitors ? plan.registrations() : [];
  const planned = plan.rounds();
  const wanted = new Set(planned.map(({ round }) => roundCode(round)));
  return {
    before,
    dates: plan.file.details,
    details: before.details === null ? [] : differingDetails(plan.known(before.details), plan.details()),
    rounds: plan.file.rounds.flatMap((round, index) => {
      const state = states[index];
      if (!state) return [];
      const known = before.rounds.get(roundCode(round));
      const asked = planned[index]?.round;
      const differences = differencesIn(round, state, plan);
      const rules = known === undefined ? 'new' : isSameData(known, asked) ? 'same' : 'changed';
      return [{ round, state, plan: rules, differences }];
    }),
    numbers: takesCompetitors ? unusedNumbers(plan.competitors(), before) : [],
    list: registrations.length === 0 ? null : compareList(registrations, before, overwriteList),
    opaque: otherOpaqueParts(plan, before),
    bests,
    isScheduleNew: takesCompetitors && plan.file.schedule !== undefined && schedule.changes === 0,
    missing: [...before.rounds.values()].filter((round) => !wanted.has(roundCode(round))),
  };
};

const otherOpaqueParts = (plan: ContestPlan, { phase, opaque }: ContestState): OpaqueParts | null => {
  const parts = plan.opaqueParts();
  if (parts === null || phase === 'ending' || phase === 'deleted') return null;
  const rounds = opaque.rounds.map((round) => ({
    ...round,
    results: round.results.map((result) => ({
      ...result,
      personIds: result.personIds.map((personId) => plan.presentId(personId)),
    })),
  }));
  return isSameData({ ...opaque, rounds }, parts) ? null : parts;
};

const DETAILS: readonly (keyof ContestDetails)[] = [
  'name',
  'shortName',
  'type',
  'city',
  'regionCode',
  'venue',
  'startDate',
  'endDate',
  'organizerIds',
];

const differingDetails = (known: ContestDetails, wanted: ContestDetails): readonly (keyof ContestDetails)[] =>
  DETAILS.filter((field) => !isSameData(known[field], wanted[field]));

/** A file without results for a round does not conflict with the results that devices entered. */
const differencesIn = (
  round: FileRound,
  state: RoundState,
  plan: ContestPlan,
): readonly ResultDifference[] => {
  if (round.results.length === 0) return [];
  const competitors = plan.personIds(round);
  const found = new Set<string>();
  const ofFile = round.results.flatMap((inFile, index): ResultDifference[] => {
    const personIds = resolveAlias(state, competitors[index] ?? []);
    const inRound = resultOf(state, personIds) ?? null;
    if (inRound) found.add(inRound.resultId);
    const wanted = padded(inFile.attempts, round.rules.format);
    const isSame = isSameData(inRound?.attempts, wanted) && isSameData(inRound?.personIds, personIds);
    return isSame ? [] : [{ inFile, inRound }];
  });
  const others = [...state.results.values()].filter(({ resultId }) => !found.has(resultId));
  return [...ofFile, ...others.map((inRound) => ({ inFile: null, inRound }))];
};

/** `empty`: the results of the file are not entered yet. */
export const contentOf = ({ round, state, differences }: RoundComparison): 'same' | 'empty' | 'other' => {
  if (round.results.length === 0) return 'same';
  if (state.results.size === 0) return 'empty';
  return differences.length === 0 ? 'same' : 'other';
};

/**
 * Returns why the file cannot be imported. Returns no faults for a new contest, an equal one, or a part of it. With
 * `replace` it also allows other results in open rounds of an ongoing contest.
 */
export const conflictsOf = (
  { place, competitionId }: ContestFile,
  comparison: ContestComparison,
  replace: boolean,
): readonly Fault[] => {
  const { before, details, rounds, missing } = comparison;
  const fault = (reason: string): readonly Fault[] => [{ ...placeOf(place), reason }];
  if (before.phase === 'none') return [];
  if (before.phase === 'deleted' || before.ending === 'delete')
    return fault(`contest ${competitionId} was deleted`);
  if (details.length > 0 || missing.length > 0 || rounds.some(({ plan }) => plan !== 'same'))
    return fault(`contest ${competitionId} is there with other details or rounds`);
  if (isReplacing(comparison, replace)) {
    // Imports follow the rules of entry: a moderator has to open a closed round first.
    const closed = rounds.filter(({ state }) => state.phase !== 'open');
    return closed
      .filter((compared) => replacements(compared).length > 0)
      .map((compared) => otherResults(compared, before));
  }
  return rounds.flatMap((compared): readonly Fault[] => {
    const content = contentOf(compared);
    const isStale = content === 'empty' && isOver(before);
    if (content === 'other' || isStale) return [otherResults(compared, before)];
    return content === 'empty' && compared.state.phase === 'closed' ? [closedRound(compared)] : [];
  });
};

const closedRound = ({ round }: RoundComparison): Fault => ({
  ...placeOf(round.place),
  reason: `round ${roundCode(round)} is closed and has no results: open it to enter those of the file`,
});

const otherResults = (compared: RoundComparison, { phase }: ContestState): Fault => {
  const { round, state } = compared;
  const place = placeOf(round.place);
  const code = roundCode(round);
  if (replacements(compared).length === 0)
    return { ...place, reason: `round ${code} has results that are not in the file` };
  const isClosed = phase === 'ongoing' && state.phase !== 'open';
  const way = isClosed ? ' and is not open: open it to replace them' : '';
  return { ...place, reason: `round ${code} is there with other results${way}` };
};

/** Returns whether the file could be imported by replacing results only. */
export const isReplaceable = (file: ContestFile, comparison: ContestComparison): boolean =>
  isReplacing(comparison, true) &&
  comparison.rounds.some((compared) => replacements(compared).length > 0) &&
  conflictsOf(file, comparison, true).length === 0;

/** Returns whether results of the file replace stored ones. A finished contest has to be reopened first. */
export const isReplacing = ({ before, rounds }: ContestComparison, replace: boolean): boolean =>
  replace && before.phase === 'ongoing' && rounds.some((compared) => contentOf(compared) === 'other');

/**
 * Returns the results of the file that are different or missing in the round. Stored results that are not in the file
 * stay.
 */
export const replacements = ({
  differences,
}: RoundComparison): readonly { readonly inFile: FileResult; readonly seen: readonly number[] }[] =>
  differences.flatMap(({ inFile, inRound }) =>
    inFile === null ? [] : [{ inFile, seen: inRound?.attempts ?? [] }],
  );

const isOver = ({ phase }: ContestState): boolean => phase === 'finished' || phase === 'ending';
