/** What the oracle says a round must show of its roster, of who advances, and of what a moderator is asked and offered. */
import { countEnds, isAhead, type OracleRound, oracleEnd, oracleProspects } from './advancement.js';
import { aroundOf } from './roster-world.js';
import {
  absentIn,
  isAwaiting,
  isComplete,
  listNow,
  missingIn,
  type OracleEntry,
  type OraclePlan,
  type OracleResult,
  planOf,
  rosterNow,
  takes,
} from './rosters.js';
import { type OracleWorld, personNow, placedIn, type Round } from './world.js';

const nowIn = (world: OracleWorld) => (personId: number) => personNow(world, personId);

const participantsOf = (world: OracleWorld, { eventId }: Round): number =>
  world.events.get(eventId)?.participants ?? 1;

export const oracleMissing = (world: OracleWorld, round: Round): readonly OracleEntry[] =>
  missingIn(round.roster ?? [], placedIn(world, round), nowIn(world));

/** Null: the round takes every known person. */
export const oracleProgress = (world: OracleWorld, round: Round): object | null => {
  if (round.roster === null) return null;
  const results = placedIn(world, round);
  return {
    expected: results.length + absentIn(oracleMissing(world, round), participantsOf(world, round)),
    entered: results.length,
    complete: results.filter(({ attempts }) => isComplete(attempts, round)).length,
  };
};

export const oracleProvisional = (world: OracleWorld, round: Round): boolean => {
  if (round.open) return true;
  if (!round.opened || world.contests.get(round.competitionId)?.state !== 'ongoing') return false;
  const results = placedIn(world, round);
  if (round.roster === null) return results.some(({ attempts }) => !isComplete(attempts, round));
  const { roster } = round;
  return isAwaiting({
    roster,
    rules: round,
    results,
    participants: participantsOf(world, round),
    now: nowIn(world),
  });
};

/** The best value that an attempt can have, DNF and DNS: the best and the worst that can become of an open attempt. */
const EXTREMES = { time: [1, -1, -2], number: [1, -1, -2], multi: [10_000, -1, -2] } as const;

/** So many ways to end that all of them can be tried. */
const MOST_ENDS = 3_000;
const SAMPLES = 30;

/**
 * Returns how a prospect, by result id, is wrong; null where none is. Of a round that can end in too many ways, some are tried.
 */
export const prospectFault = (
  world: OracleWorld,
  round: Round,
  prospects: ReadonlyMap<string, string | null>,
): string | null => {
  const { advancement, format, cutoff, results, roster, open, eventId } = round;
  const placed = placedIn(world, round);
  const shown = results.map(({ resultId }) => prospects.get(resultId));
  if (advancement === null || roster === null)
    return shown.every((prospect) => prospect === null) ? null : 'a prospect without a rule or a roster';
  const valueFormat = world.events.get(eventId)?.format ?? 'time';
  const underWay: OracleRound = {
    ...{ format, valueFormat, cutoff, advancement, isOpen: open },
    results: placed.map(({ attempts }) => attempts),
    absent: absentIn(oracleMissing(world, round), participantsOf(world, round)),
    values: EXTREMES[valueFormat],
  };
  if (countEnds(underWay) <= MOST_ENDS) {
    const wanted = oracleProspects(underWay);
    return wanted.join() === shown.join() ? null : `prospects are ${shown.join()} and not ${wanted.join()}`;
  }
  for (let seed = 1; seed <= SAMPLES; seed += 1) {
    const advances = oracleEnd(underWay, seed);
    const wrong = shown.findIndex(
      (prospect, index) => prospect !== 'possible' && (prospect === 'certain') !== advances[index],
    );
    if (wrong >= 0) return `${results[wrong]?.resultId} is ${shown[wrong]}, and need not be`;
  }
  return null;
};

/** Whether the round takes attempts of these persons: a result that is there stays correctable. */
export const oracleTakes = (world: OracleWorld, round: Round, personIds: readonly number[]): boolean => {
  const now = nowIn(world);
  const keyOf = (ids: readonly number[]): string =>
    ids
      .map(now)
      .sort((a, b) => a - b)
      .join();
  if (placedIn(world, round).some((result) => keyOf(result.personIds) === keyOf(personIds))) return true;
  return takes(round, personIds, aroundOf(world, round, now));
};

// --- what a moderator sees --------------------------------------------------------------------------------------------

export const oraclePlan = (world: OracleWorld, round: Round): OraclePlan =>
  planOf(round, { rules: round, results: placedIn(world, round) }, aroundOf(world, round, nowIn(world)));

/** So many of the line, ties whole, unless a tie would be more than 75 percent of the round with those who are taken. */
const nextInLine = (line: readonly OracleResult[], free: number, room: number): readonly OracleResult[] => {
  const offered = line.filter((result) => line.filter((other) => isAhead(other, result)).length < free);
  if (offered.length <= room) return offered;
  const last = offered.at(-1);
  return offered.filter((result) => last !== undefined && isAhead(result, last));
};

export interface OracleOffers {
  readonly notTaken: readonly OracleResult[];
  readonly notAdvancing: readonly OracleResult[];
  readonly reserves: readonly OracleResult[];
}

/** `next`: the round after it, which was opened with a roster. */
export const oracleOffers = (world: OracleWorld, round: Round, next: Round): OracleOffers => {
  const now = nowIn(world);
  const results = placedIn(world, round);
  const plan = planOf(round, { rules: round, results }, aroundOf(world, round, now));
  const around = aroundOf(world, next, now);
  const keyOf = (personIds: readonly number[]): string => [...personIds].sort((a, b) => a - b).join();
  const roster = rosterNow(next.roster ?? [], now);
  const list = listNow(around.list, now);
  const hasLeft = (personId: number): boolean => {
    const state = list.get(personId)?.state;
    return state === 'withdrawn' || state === 'dropped';
  };
  const competing = roster.filter(
    ({ mark, personIds }) => mark !== 'quit' && mark !== 'withdrawn' && !personIds.some(hasLeft),
  );
  const isIn = (of: readonly OracleEntry[], { personIds }: OracleResult): boolean =>
    of.some((entry) => keyOf(entry.personIds) === keyOf(personIds));
  const { advancement, advanced } = round;
  const started = results.filter(({ attempts }) => attempts.some((value) => value !== 0 && value !== -2));
  const most = Math.floor(started.length * 0.75);
  const byNumber = plan.competitors.length + plan.leaving.length;
  const places = advancement === null ? (advanced?.length ?? 0) : advancement.type === 'value' ? 0 : byNumber;
  const entitled = plan.competitors.filter((result) => isIn(competing, result) || !isIn(roster, result));
  const instead = nextInLine(plan.line, places - entitled.length, most - entitled.length);
  const through = [...plan.competitors, ...plan.leaving, ...instead];
  const waiting = plan.line.filter((result) => !isIn(roster, result));
  return {
    notTaken: plan.competitors.filter((result) => !isIn(roster, result)),
    notAdvancing:
      advancement === null
        ? []
        : results.filter((result) => isIn(competing, result) && !through.includes(result)),
    reserves: nextInLine(waiting, places - competing.length, most - competing.length),
  };
};
