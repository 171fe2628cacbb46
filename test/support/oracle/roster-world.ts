/** What facts about lists, rosters and openings do to the world of the oracle. */
import {
  followed,
  listNow,
  marked,
  type Now,
  type OracleListed,
  type OracleListRow,
  type OracleMark,
  type OracleResult,
  type OracleRosterState,
  planOf,
  registeredFor,
  UNOPENED,
  withRows,
  withState,
} from './rosters.js';
import type { OracleWorld, Round } from './world.js';

interface RoundName {
  readonly competitionId: string;
  readonly eventId: string;
  readonly roundNumber: number;
}

export type RosterFact =
  | {
      readonly fact: 'registered' | 'list-replaced';
      readonly competitionId: string;
      readonly rows: readonly OracleListRow[];
    }
  | {
      readonly fact: 'checked-in' | 'withdrawn';
      readonly competitionId: string;
      readonly personId: number;
    }
  | ({ readonly fact: 'round-opened' | 'round-closed' | 'opening-undone' } & RoundName)
  | ({
      readonly fact: 'marked';
      readonly personIds: readonly number[];
      readonly mark: OracleMark;
    } & RoundName)
  | ({ readonly fact: 'advanced'; readonly competitors: readonly (readonly number[])[] } & RoundName);

const ROSTER_FACTS: Readonly<Record<RosterFact['fact'], true>> = {
  registered: true,
  'list-replaced': true,
  'checked-in': true,
  withdrawn: true,
  'round-opened': true,
  'round-closed': true,
  'opening-undone': true,
  marked: true,
  advanced: true,
};

export const isRosterFact = <F extends { readonly fact: string }>(fact: F): fact is Extract<F, RosterFact> =>
  fact.fact in ROSTER_FACTS;

/** What the oracle knows of persons and results. */
interface Known {
  readonly now: Now;
  readonly resultsOf: (round: Round) => readonly OracleResult[];
}

export const applyRosterFact = (world: OracleWorld, fact: RosterFact, known: Known): OracleWorld => {
  const { now } = known;
  const list = world.contests.get(fact.competitionId)?.list ?? new Map();
  switch (fact.fact) {
    case 'registered':
    case 'list-replaced': {
      const isWhole = fact.fact === 'list-replaced';
      return withList(world, fact.competitionId, withRows(list, fact.rows, { now, isWhole }), now);
    }
    case 'checked-in':
    case 'withdrawn':
      return withList(
        world,
        fact.competitionId,
        withState(list, fact.personId, { now, state: fact.fact }),
        now,
      );
    case 'round-opened':
      return opened(world, fact, known, null);
    case 'round-closed':
      return withRound(world, fact, (round) => ({ ...round, open: false }));
    case 'opening-undone': {
      const undone = withRound(world, fact, (round) => ({ ...round, ...UNOPENED }));
      const before = roundBefore(undone, fact);
      return before === undefined || before.advanced === null ? undone : opened(undone, before, known, null);
    }
    case 'marked':
      return withRound(world, fact, (round) => {
        const isOf = ({ personIds }: OracleResult): boolean =>
          keyOf(personIds) === keyOf(fact.personIds.map(now));
        return { ...round, ...marked(round, fact, { now, hasResult: known.resultsOf(round).some(isOf) }) };
      });
    case 'advanced': {
      const isDecided = ({ open, advanced }: Round): boolean => !open && advanced !== null;
      const decided = withRound(world, fact, (round) =>
        isDecided(round) ? round : { ...round, open: false, advanced: fact.competitors },
      );
      const next = roundAt(decided, { ...fact, roundNumber: fact.roundNumber + 1 });
      const { advanced = null } = roundAt(decided, fact) ?? {};
      return next === undefined || next.opened ? decided : opened(decided, next, known, advanced);
    }
    default:
      return fact satisfies never;
  }
};

const keyOf = (personIds: readonly number[]): string => [...personIds].sort((a, b) => a - b).join();

const isAt =
  (name: RoundName) =>
  (round: RoundName): boolean =>
    round.competitionId === name.competitionId &&
    round.eventId === name.eventId &&
    round.roundNumber === name.roundNumber;

const roundAt = (world: OracleWorld, name: RoundName): Round | undefined => world.rounds.find(isAt(name));

const roundBefore = (world: OracleWorld, name: RoundName): Round | undefined =>
  roundAt(world, { ...name, roundNumber: name.roundNumber - 1 });

const withRound = (world: OracleWorld, name: RoundName, change: (round: Round) => Round): OracleWorld => {
  const isIt = isAt(name);
  return { ...world, rounds: world.rounds.map((round) => (isIt(round) ? change(round) : round)) };
};

const listOf = (world: OracleWorld, competitionId: string): OracleListed =>
  world.contests.get(competitionId)?.list ?? new Map();

/** What a round looks at when it decides on competitors. */
export const aroundOf = (world: OracleWorld, round: RoundName, now: Now) => ({
  eventId: round.eventId,
  roundNumber: round.roundNumber,
  list: listOf(world, round.competitionId),
  now,
});

/** The open rounds of the contest follow its new list. */
const withList = (world: OracleWorld, competitionId: string, list: OracleListed, now: Now): OracleWorld => {
  const contest = world.contests.get(competitionId);
  if (contest === undefined) return world;
  const listed = { ...world, contests: new Map(world.contests).set(competitionId, { ...contest, list }) };
  const follow = (round: Round): Round => ({ ...round, ...followed(round, aroundOf(listed, round, now)) });
  return {
    ...listed,
    rounds: listed.rounds.map((round) => (round.competitionId === competitionId ? follow(round) : round)),
  };
};

/** `given`: who was decided to be in it. */
const opened = (
  world: OracleWorld,
  name: RoundName,
  known: Known,
  given: readonly (readonly number[])[] | null,
): OracleWorld =>
  withRound(world, name, (round) => {
    const around = aroundOf(world, round, known.now);
    const isAgain = round.opened;
    const roster = isAgain ? round.roster : rosterAt(world, round, known, given);
    const state: OracleRosterState = {
      open: true,
      opened: true,
      roster,
      advanced: round.open ? round.advanced : null,
    };
    return { ...round, ...followed(state, around) };
  });

const rosterAt = (
  world: OracleWorld,
  round: Round,
  known: Known,
  given: readonly (readonly number[])[] | null,
): OracleRosterState['roster'] => {
  const around = aroundOf(world, round, known.now);
  if (listNow(around.list, known.now).size === 0) return null;
  return competitorsAt(world, round, known, given).map((personIds) => ({
    personIds,
    mark: 'expected',
    isAdded: false,
  }));
};

const competitorsAt = (
  world: OracleWorld,
  round: Round,
  known: Known,
  given: readonly (readonly number[])[] | null,
): readonly (readonly number[])[] => {
  if (given !== null) return given;
  const before = roundBefore(world, round);
  if (round.roundNumber === 1 || before === undefined)
    return registeredFor(aroundOf(world, round, known.now)).map((personId) => [personId]);
  const results = known.resultsOf(before);
  const { competitors } = planOf(before, { rules: before, results }, aroundOf(world, before, known.now));
  return before.advanced ?? competitors.map(({ personIds }) => personIds);
};
