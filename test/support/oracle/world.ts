/**
 * An independent answer to what the rankings and the rounds must show: a plain list of facts, folded anew for every
 * question, with simple sorts and no index. It is written from the description of the field alone (docs/domain.md),
 * shares no code with the server, and is meant to be obviously right rather than fast.
 */
import { type OracleAdvancement, type PlacedAttempts, placed } from './advancement.js';
import {
  attemptsOf,
  type OracleCutoff,
  type OracleRoundFormat,
  type OracleValueFormat,
} from './arithmetic.js';
import { type OracleRegionPeriod, regionOfTeam, withMove } from './regions.js';
import { applyRosterFact, isRosterFact, type RosterFact } from './roster-world.js';
import { type OracleListed, type OracleResult, type OracleRosterState, UNOPENED } from './rosters.js';

export type OracleContestType = 'competition' | 'meetup' | 'online';
export type OracleContestState = 'draft' | 'announced' | 'ongoing' | 'finished' | 'deleted';

interface RoundName {
  readonly competitionId: string;
  readonly eventId: string;
  readonly roundNumber: number;
}

interface EventFacts {
  readonly format: OracleValueFormat;
  readonly defaultRoundFormat: OracleRoundFormat;
  readonly participants: number;
}

interface ContestFacts {
  readonly shortName: string;
  readonly type: OracleContestType;
  readonly regionCode: string | null;
  readonly endDate: string;
}

export interface RoundFacts {
  readonly format: OracleRoundFormat;
  readonly date: string | null;
  readonly cutoff: OracleCutoff | null;
  readonly advancement: OracleAdvancement | null;
}

interface ProfileFacts {
  readonly name: string;
  readonly localizedName: string | null;
  readonly assocId: string | null;
}

/** What has happened, as far as anything shown depends on it. */
export type Fact =
  | ({ readonly fact: 'event'; readonly eventId: string } & EventFacts)
  | ({
      readonly fact: 'person';
      readonly personId: number;
      readonly timeline: readonly OracleRegionPeriod[];
    } & ProfileFacts)
  | { readonly fact: 'profile'; readonly personId: number; readonly change: Partial<ProfileFacts> }
  | {
      readonly fact: 'moved';
      readonly personId: number;
      readonly from: string;
      readonly regionCode: string | null;
    }
  | {
      readonly fact: 'region-corrected';
      readonly personId: number;
      readonly timeline: readonly OracleRegionPeriod[];
    }
  | { readonly fact: 'merged'; readonly from: number; readonly into: number }
  | { readonly fact: 'erased'; readonly personId: number }
  | ({ readonly fact: 'contest'; readonly competitionId: string } & ContestFacts)
  | {
      readonly fact: 'contest-edited';
      readonly competitionId: string;
      readonly change: Partial<ContestFacts>;
    }
  | { readonly fact: 'contest-state'; readonly competitionId: string; readonly state: OracleContestState }
  /** Planned, or its rules changed. */
  | ({ readonly fact: 'round' } & RoundName & RoundFacts)
  /** Entered, corrected, or cleared with the value 0. */
  | ({
      readonly fact: 'attempt';
      readonly personIds: readonly number[];
      readonly attemptNumber: number;
      readonly value: number;
    } & RoundName)
  | ({
      readonly fact: 'result';
      readonly personIds: readonly number[];
      readonly attempts: readonly number[];
    } & RoundName)
  /** The change of this number, counted for each result from 1, was taken back. */
  | ({ readonly fact: 'undone'; readonly resultId: string; readonly change: number } & RoundName)
  /** Left the plan before it was opened. */
  | ({ readonly fact: 'round-removed' } & RoundName)
  /** All that there are from now on. */
  | { readonly fact: 'references'; readonly references: readonly OracleReference[] }
  /** The person had these bests at the end of the day. */
  | {
      readonly fact: 'bests';
      readonly personId: number;
      readonly on: string;
      readonly bests: readonly OracleBest[];
    }
  | RosterFact;

/** A value from outside the space. */
export interface OracleBest {
  readonly eventId: string;
  readonly kind: 'single' | 'average';
  readonly value: number;
}

export interface OracleReference extends OracleBest {
  readonly category: 'competitions' | 'meetups' | 'online';
  readonly region: string | null;
  readonly since: string;
  readonly who: string | null;
}

interface Person {
  readonly timeline: readonly OracleRegionPeriod[];
  readonly profile: ProfileFacts | null;
  readonly mergedInto: number | null;
}

export interface Result {
  readonly resultId: string;
  /** As they were when the result first appeared: a merged person's results keep that person's regions. */
  readonly enteredFor: readonly number[];
  readonly attempts: ReadonlyMap<number, number>;
}

/** A result as one change left it, perhaps without any attempt: then it is not shown. */
export interface Change {
  readonly result: Result;
  /** The number of the change that this one takes back. */
  readonly undoes: number | null;
  /** The valid values that it made worse or took away. */
  readonly lost: { readonly single: number | null; readonly average: number | null };
}

export interface Round extends RoundName, RoundFacts, OracleRosterState {
  readonly results: readonly Result[];
  /** Of every result there ever was, oldest change first. */
  readonly changes: readonly Change[];
}

/** The state of everything after all facts. */
export interface OracleWorld {
  readonly events: ReadonlyMap<string, EventFacts>;
  readonly persons: ReadonlyMap<number, Person>;
  readonly contests: ReadonlyMap<
    string,
    ContestFacts & { readonly state: OracleContestState; readonly list: OracleListed }
  >;
  readonly rounds: readonly Round[];
  readonly references: readonly OracleReference[];
  /** As they were told; of a merged person too. */
  readonly bests: readonly (OracleBest & { readonly personId: number; readonly on: string })[];
}

const NOTHING: OracleWorld = {
  events: new Map(),
  persons: new Map(),
  contests: new Map(),
  rounds: [],
  references: [],
  bests: [],
};

export const worldAfter = (facts: readonly Fact[]): OracleWorld => facts.reduce(apply, NOTHING);

const known = <K, V>(map: ReadonlyMap<K, V>, key: K): V => {
  const value = map.get(key);
  if (value === undefined) throw new Error(`a fact names ${String(key)}, which no fact has made`);
  return value;
};

const apply = (world: OracleWorld, fact: Fact): OracleWorld => {
  const withPerson = (personId: number, change: Partial<Person>): OracleWorld => ({
    ...world,
    persons: new Map(world.persons).set(personId, { ...known(world.persons, personId), ...change }),
  });
  if (isRosterFact(fact)) return applyRosterFact(world, fact, knownIn(world));
  switch (fact.fact) {
    case 'event':
      return { ...world, events: new Map(world.events).set(fact.eventId, fact) };
    case 'person': {
      const { personId, timeline, name, localizedName, assocId } = fact;
      const person = { timeline, profile: { name, localizedName, assocId }, mergedInto: null };
      return { ...world, persons: new Map(world.persons).set(personId, person) };
    }
    case 'profile': {
      const { profile } = known(world.persons, fact.personId);
      return profile === null
        ? world
        : withPerson(fact.personId, { profile: { ...profile, ...fact.change } });
    }
    case 'moved': {
      const { timeline } = known(world.persons, fact.personId);
      return withPerson(fact.personId, { timeline: withMove(timeline, fact) });
    }
    case 'region-corrected':
      return withPerson(fact.personId, { timeline: fact.timeline });
    case 'erased':
      return withPerson(fact.personId, { profile: null });
    case 'merged':
      return merge(world, fact);
    case 'contest':
      return {
        ...world,
        contests: new Map(world.contests).set(fact.competitionId, {
          ...fact,
          state: 'draft',
          list: new Map(),
        }),
      };
    case 'contest-edited': {
      const contest = { ...known(world.contests, fact.competitionId), ...fact.change };
      return { ...world, contests: new Map(world.contests).set(fact.competitionId, contest) };
    }
    case 'contest-state': {
      const contest = { ...known(world.contests, fact.competitionId), state: fact.state };
      const contests = new Map(world.contests).set(fact.competitionId, contest);
      const isOver = fact.state === 'finished' || fact.state === 'deleted';
      const rounds = world.rounds.map((round) =>
        isOver && round.competitionId === fact.competitionId ? { ...round, open: false } : round,
      );
      return { ...world, contests, rounds };
    }
    case 'round': {
      const known = world.rounds.find((round) => sameRound(round, fact));
      const others = world.rounds.filter((round) => !sameRound(round, fact));
      const planned = { ...UNOPENED, results: [], changes: [], ...known, ...fact };
      return { ...world, rounds: [...others, planned] };
    }
    case 'round-removed':
      return { ...world, rounds: world.rounds.filter((round) => !sameRound(round, fact)) };
    case 'attempt':
      return enter(world, fact, (attempts) => new Map(attempts).set(fact.attemptNumber, fact.value));
    case 'result':
      return enter(world, fact, () => new Map(fact.attempts.map((value, index) => [index + 1, value])));
    case 'references':
      return { ...world, references: fact.references };
    case 'bests': {
      const { personId, on } = fact;
      return { ...world, bests: [...world.bests, ...fact.bests.map((best) => ({ ...best, personId, on }))] };
    }
    case 'undone':
      return inRound(world, fact, (round) => undo(world, round, fact));
    default:
      return fact satisfies never;
  }
};

const knownIn = (world: OracleWorld): Parameters<typeof applyRosterFact>[2] => ({
  now: (personId) => personNow(world, personId),
  resultsOf: (round) => placedIn(world, round),
});

/** A person without an association id takes over the other's. */
const merge = (world: OracleWorld, { from, into }: { from: number; into: number }): OracleWorld => {
  const absorbed = known(world.persons, from);
  const absorbing = known(world.persons, into);
  const profile = absorbing.profile && {
    ...absorbing.profile,
    assocId: absorbing.profile.assocId ?? absorbed.profile?.assocId ?? null,
  };
  const persons = new Map(world.persons)
    .set(from, { ...absorbed, mergedInto: into })
    .set(into, { ...absorbing, profile });
  return { ...world, persons };
};

const sameRound = (a: RoundName, b: RoundName): boolean =>
  a.competitionId === b.competitionId && a.eventId === b.eventId && a.roundNumber === b.roundNumber;

/** Whose the results of this person are now. */
export const personNow = (world: OracleWorld, personId: number): number => {
  const { mergedInto } = known(world.persons, personId);
  return mergedInto === null ? personId : personNow(world, mergedInto);
};

const personsNow = (world: OracleWorld, personIds: readonly number[]): number[] =>
  personIds.map((personId) => personNow(world, personId));

const inRound = (world: OracleWorld, name: RoundName, change: (round: Round) => Round): OracleWorld => ({
  ...world,
  rounds: world.rounds.map((round) => (sameRound(round, name) ? change(round) : round)),
});

const enter = (
  world: OracleWorld,
  entry: RoundName & { readonly personIds: readonly number[] },
  change: (attempts: ReadonlyMap<number, number>) => ReadonlyMap<number, number>,
): OracleWorld => {
  const competitor = personsNow(world, entry.personIds);
  return inRound(world, entry, (round) => {
    const { competitionId, eventId, roundNumber } = round;
    const before = resultOf(world, round, competitor) ?? {
      resultId: `${competitionId}_${eventId}_r${roundNumber}_${competitor.join('-')}`,
      enteredFor: competitor,
      attempts: new Map(),
    };
    const attempts = change(before.attempts);
    // The order of a team is that of its last entry.
    const enteredFor =
      taken(attempts) === ''
        ? before.enteredFor
        : competitor.map((id) => before.enteredFor.find((each) => personNow(world, each) === id) ?? id);
    return changed(world, round, { result: { ...before, enteredFor, attempts }, undoes: null });
  });
};

const resultOf = (world: OracleWorld, round: Round, competitor: readonly number[]): Result | undefined =>
  round.results.find(
    ({ enteredFor }) => personsNow(world, enteredFor).sort().join() === [...competitor].sort().join(),
  );

/** The round once the result is as given; unless it was so before. */
const changed = (
  world: OracleWorld,
  round: Round,
  { result, undoes }: Pick<Change, 'result' | 'undoes'>,
): Round => {
  const { resultId } = result;
  const before = round.results.find((other) => other.resultId === resultId);
  const isInOrder = before === undefined || before.enteredFor.join() === result.enteredFor.join();
  if (isInOrder && taken(before?.attempts ?? new Map()) === taken(result.attempts)) return round;
  const others = round.results.filter((other) => other.resultId !== resultId);
  return {
    ...round,
    results: taken(result.attempts) === '' ? others : [...others, result],
    changes: [...round.changes, { result, undoes, lost: lostBetween(world, round, { before, result }) }],
  };
};

/** As the rules of the round are when it happens. */
const lostBetween = (
  world: OracleWorld,
  round: Round,
  { before, result }: { readonly before: Result | undefined; readonly result: Result },
): Change['lost'] => {
  if (before === undefined) return { single: null, average: null };
  const [was, is] = [resultFacts(world, round, before), resultFacts(world, round, result)];
  const lost = (value: number, now: number): number | null =>
    value > 0 && (now <= 0 || now > value) ? value : null;
  return { single: lost(was.best, is.best), average: lost(was.average, is.average) };
};

/** The attempts that were taken, as text. */
const taken = (attempts: ReadonlyMap<number, number>): string =>
  [...attempts]
    .filter(([, value]) => value !== 0)
    .sort(([a], [b]) => a - b)
    .join();

export const changesOf = (round: Round, resultId: string): readonly Change[] =>
  round.changes.filter(({ result }) => result.resultId === resultId);

/** A result that was gone comes back as that of who its persons are now. Undoing what was just undone changes nothing. */
const undo = (
  world: OracleWorld,
  round: Round,
  { resultId, change }: { readonly resultId: string; readonly change: number },
): Round => {
  const changes = changesOf(round, resultId);
  const last = changes.at(-1);
  if (last === undefined || (last.undoes === change && changes.length === change + 1)) return round;
  const attempts = changes[change - 2]?.result.attempts ?? new Map();
  const standing = round.results.find((result) => result.resultId === resultId);
  const result = standing ?? { resultId, enteredFor: personsNow(world, last.result.enteredFor) };
  return changed(world, round, { result: { ...result, attempts }, undoes: change });
};

/** A person as every page shows them. */
export const personShown = (world: OracleWorld, personId: number): object => {
  const { profile, timeline } = known(world.persons, personId);
  if (profile === null)
    return { id: personId, name: '—', localizedName: null, regionCode: null, assocId: null };
  const { name, localizedName, assocId } = profile;
  return { id: personId, name, localizedName, regionCode: timeline.at(-1)?.regionCode ?? null, assocId };
};

/** Everything about a result that anything shown is made of. */
export interface ResultFacts extends PlacedAttempts {
  readonly resultId: string;
  readonly personIds: readonly number[];
  readonly date: string;
  readonly regionCode: string | null;
}

export const resultFacts = (world: OracleWorld, round: Round, result: Result): ResultFacts => {
  const date = round.date ?? known(world.contests, round.competitionId).endDate;
  const attempts = Array.from(
    { length: attemptsOf(round.format) },
    (_, index) => result.attempts.get(index + 1) ?? 0,
  );
  const timelines = result.enteredFor.map((personId) => known(world.persons, personId).timeline);
  return {
    resultId: result.resultId,
    personIds: personsNow(world, result.enteredFor),
    ...placed({ ...round, valueFormat: known(world.events, round.eventId).format }, attempts),
    date,
    regionCode: regionOfTeam(timelines, date),
  };
};

/** The results of a round as its places are made of them. */
export const placedIn = (world: OracleWorld, round: Round): readonly OracleResult[] =>
  round.results.map((result) => resultFacts(world, round, result));
