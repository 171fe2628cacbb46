/**
 * Who is on the competitor list of a contest, who is expected in its rounds, and who goes on from one to the next: folded from plain
 * facts, written from docs/domain.md alone. Persons are named by the ids that they had; who they are now is asked for each question.
 */
import { goesOn, isAhead, type OracleAdvancement, type PlacedAttempts } from './advancement.js';
import { meetsCutoff, type OracleCutoff, type OracleRoundFormat } from './arithmetic.js';

export type OracleRegistrationState = 'registered' | 'checked-in' | 'withdrawn' | 'dropped';
export type OracleMark = 'expected' | 'no-show' | 'withdrawn' | 'quit';

export interface OracleRegistration {
  readonly eventIds: readonly string[];
  readonly state: OracleRegistrationState;
}

/** By the id that the person had when last registered, withdrawn or merged. */
export type OracleListed = ReadonlyMap<number, OracleRegistration>;

export interface OracleEntry {
  readonly personIds: readonly number[];
  readonly mark: OracleMark;
  /** By a moderator, so the event need not be among those on the list. */
  readonly isAdded: boolean;
}

export interface OracleRosterState {
  readonly open: boolean;
  readonly opened: boolean;
  readonly roster: readonly OracleEntry[] | null;
  /** Who was decided to advance; null: that is open, or open again. */
  readonly advanced: readonly (readonly number[])[] | null;
}

export const UNOPENED: OracleRosterState = { open: false, opened: false, roster: null, advanced: null };

/** Who a person is now. */
export type Now = (personId: number) => number;

const keyOf = (personIds: readonly number[], now: Now): string =>
  personIds
    .map(now)
    .sort((a, b) => a - b)
    .join();

// --- the list -------------------------------------------------------------------------------------------------------

const FURTHEST: readonly OracleRegistrationState[] = ['checked-in', 'registered', 'withdrawn', 'dropped'];

const isIn = ({ state }: OracleRegistration): boolean => state === 'registered' || state === 'checked-in';

/** Of two records of one person: the state that goes furthest, with the events of those that compete or are in it. */
const united = (a: OracleRegistration, b: OracleRegistration): OracleRegistration => {
  const state = FURTHEST.find((each) => each === a.state || each === b.state) ?? 'dropped';
  const counted = [a, b].filter((each) => isIn(each) || each.state === state);
  return { state, eventIds: [...new Set(counted.flatMap(({ eventIds }) => eventIds))].sort() };
};

export const listNow = (list: OracleListed, now: Now): OracleListed => {
  const found = new Map<number, OracleRegistration>();
  for (const [personId, registration] of list) {
    const other = found.get(now(personId));
    found.set(now(personId), other === undefined ? registration : united(other, registration));
  }
  return found;
};

export interface OracleListRow {
  readonly personId: number;
  readonly eventIds: readonly string[];
  readonly state: Exclude<OracleRegistrationState, 'dropped'> | null;
}

/** Who is checked in stays so unless the row says otherwise. `isWhole`: everybody else is dropped. */
export const withRows = (
  list: OracleListed,
  rows: readonly OracleListRow[],
  { now, isWhole }: { readonly now: Now; readonly isWhole: boolean },
): OracleListed => {
  const next = new Map(listNow(list, now));
  const named = new Set(rows.map(({ personId }) => now(personId)));
  if (isWhole)
    for (const [personId, registration] of next)
      if (!named.has(personId)) next.set(personId, { ...registration, state: 'dropped' });
  for (const { personId, eventIds, state } of rows) {
    const before = next.get(now(personId))?.state;
    const kept = before === 'checked-in' ? 'checked-in' : 'registered';
    next.set(now(personId), { eventIds: [...new Set(eventIds)].sort(), state: state ?? kept });
  }
  return next;
};

export const withState = (
  list: OracleListed,
  personId: number,
  { now, state }: { readonly now: Now; readonly state: OracleRegistrationState },
): OracleListed => {
  const next = new Map(listNow(list, now));
  const before = next.get(now(personId));
  return before === undefined ? next : next.set(now(personId), { ...before, state });
};

// --- the roster -----------------------------------------------------------------------------------------------------

/** The list and who is who, for one round. */
export interface Around {
  readonly eventId: string;
  readonly roundNumber: number;
  readonly list: OracleListed;
  readonly now: Now;
}

const isOut = ({ personIds, isAdded }: OracleEntry, { eventId, roundNumber, list, now }: Around): boolean =>
  personIds.some((personId) => {
    const registration = listNow(list, now).get(now(personId));
    if (registration === undefined) return false;
    if (!isIn(registration)) return true;
    return roundNumber === 1 && !isAdded && !registration.eventIds.includes(eventId);
  });

export const registeredFor = ({ eventId, list, now }: Around): readonly number[] =>
  [...listNow(list, now)].flatMap(([personId, registration]) =>
    isIn(registration) && registration.eventIds.includes(eventId) ? [personId] : [],
  );

/** An open round follows the list. */
export const followed = (round: OracleRosterState, around: Around): OracleRosterState => {
  if (!round.open || round.roster === null) return round;
  const { now, roundNumber } = around;
  const known = new Set(round.roster.map(({ personIds }) => keyOf(personIds, now)));
  const late = roundNumber === 1 ? registeredFor(around).filter((id) => !known.has(String(id))) : [];
  const roster = round.roster.map((entry): OracleEntry => {
    const waits = entry.mark === 'expected' || entry.mark === 'no-show';
    if (waits && isOut(entry, around)) return { ...entry, mark: 'withdrawn' };
    return entry.mark === 'withdrawn' && !isOut(entry, around) ? { ...entry, mark: 'expected' } : entry;
  });
  const added = late.map((id): OracleEntry => ({ personIds: [id], mark: 'expected', isAdded: false }));
  return { ...round, roster: [...roster, ...added] };
};

const entriesOf = (
  roster: readonly OracleEntry[],
  personIds: readonly number[],
  now: Now,
): readonly OracleEntry[] => {
  const of = (ids: readonly number[]) =>
    roster.filter((entry) => keyOf(entry.personIds, now) === keyOf(ids, now));
  const own = of(personIds);
  if (own.length > 0) return own;
  const members = personIds.map((personId) => of([personId]));
  return members.every((entries) => entries.length > 0) ? members.flat() : [];
};

/** `hasResult`: such a competitor is no no-show. */
export const marked = (
  round: OracleRosterState,
  { personIds, mark }: { readonly personIds: readonly number[]; readonly mark: OracleMark },
  { now, hasResult }: { readonly now: Now; readonly hasResult: boolean },
): OracleRosterState => {
  const roster = round.roster ?? [];
  const own = entriesOf(roster, personIds, now);
  if (own.length === 0) return { ...round, roster: [...roster, { personIds, mark, isAdded: true }] };
  if (mark === 'no-show' && hasResult) return round;
  const change = (entry: OracleEntry): OracleEntry => ({
    ...entry,
    mark,
    isAdded: entry.isAdded || (entry.mark === 'withdrawn' && mark === 'expected'),
  });
  return { ...round, roster: roster.map((entry) => (own.includes(entry) ? change(entry) : entry)) };
};

/** Whether the round takes an entry of a competitor who has no result in it. */
export const takes = (
  { roster }: Pick<OracleRosterState, 'roster'>,
  personIds: readonly number[],
  around: Around,
): boolean => {
  const { list, now, roundNumber, eventId } = around;
  if (list.size === 0) return true;
  const own = entriesOf(rosterNow(roster ?? [], now), personIds, now);
  if (own.some(({ mark }) => mark === 'quit')) return false;
  if (roundNumber > 1 && roster !== null && own.length === 0) return false;
  return personIds.every((personId) => {
    const registration = listNow(list, now).get(now(personId));
    const isAdded = own.some(
      (entry) =>
        entry.isAdded && (entry.personIds.length > 1 || now(entry.personIds[0] ?? 0) === now(personId)),
    );
    if (registration === undefined) return roundNumber > 1 || isAdded;
    if (!isIn(registration)) return false;
    return roundNumber > 1 || isAdded || registration.eventIds.includes(eventId);
  });
};

// --- what is shown --------------------------------------------------------------------------------------------------

/** By most present: of the entries of one person under several ids the first counts. */
const MARKS: readonly OracleMark[] = ['expected', 'no-show', 'withdrawn', 'quit'];

/** The roster with each competitor once, as they are now. A team of one person twice is none. */
export const rosterNow = (roster: readonly OracleEntry[], now: Now): readonly OracleEntry[] => {
  const found = new Map<string, OracleEntry>();
  for (const entry of roster) {
    const personIds = entry.personIds.map(now);
    if (new Set(personIds).size < personIds.length) continue;
    const key = keyOf(personIds, now);
    const other = found.get(key);
    const isFirst = other === undefined || MARKS.indexOf(entry.mark) < MARKS.indexOf(other.mark);
    const isAdded = entry.isAdded || (other?.isAdded ?? false);
    found.set(key, isFirst ? { ...entry, personIds, isAdded } : { ...other, isAdded });
  }
  return [...found.values()];
};

export interface OracleResult extends PlacedAttempts {
  readonly personIds: readonly number[];
}

export interface OracleRoundRules {
  readonly format: OracleRoundFormat;
  readonly cutoff: OracleCutoff | null;
  readonly advancement: OracleAdvancement | null;
}

export const isComplete = (
  attempts: readonly number[],
  { cutoff }: Pick<OracleRoundRules, 'cutoff'>,
): boolean => {
  const wanted =
    cutoff === null || meetsCutoff(attempts, cutoff) ? attempts : attempts.slice(0, cutoff.numberOfAttempts);
  return !wanted.includes(0);
};

export const missingIn = (
  roster: readonly OracleEntry[],
  results: readonly OracleResult[],
  now: Now,
): readonly OracleEntry[] => {
  const entered = new Set(results.flatMap(({ personIds }) => personIds));
  return rosterNow(roster, now).filter(({ personIds }) => !personIds.every((id) => entered.has(id)));
};

/** How many competitors still have to come: single persons make teams. */
export const absentIn = (missing: readonly OracleEntry[], participants: number): number => {
  const awaited = missing.filter(({ mark }) => mark === 'expected');
  const teams = awaited.filter(({ personIds }) => personIds.length === participants).length;
  return teams + Math.floor((awaited.length - teams) / participants);
};

/** A result of a round that is over is awaited while attempts are missing, unless the competitor is gone. */
export const isAwaiting = ({
  roster,
  rules,
  results,
  participants,
  now,
}: {
  readonly roster: readonly OracleEntry[] | null;
  readonly rules: OracleRoundRules;
  readonly results: readonly OracleResult[];
  readonly participants: number;
  readonly now: Now;
}): boolean => {
  const present = rosterNow(roster ?? [], now);
  const isGone = ({ personIds }: OracleResult): boolean =>
    entriesOf(present, personIds, now).some(({ mark }) => mark === 'quit' || mark === 'withdrawn');
  return (
    absentIn(missingIn(roster ?? [], results, now), participants) > 0 ||
    results.some((result) => !isComplete(result.attempts, rules) && !isGone(result))
  );
};

export interface OraclePlan {
  readonly competitors: readonly OracleResult[];
  readonly leaving: readonly OracleResult[];
  readonly line: readonly OracleResult[];
}

/** Who goes on by the rule, who would and has quit, and who is next in line. */
export const planOf = (
  { roster }: Pick<OracleRosterState, 'roster'>,
  { rules, results }: { readonly rules: OracleRoundRules; readonly results: readonly OracleResult[] },
  around: Around,
): OraclePlan => {
  const { list, now } = around;
  const present = rosterNow(roster ?? [], now);
  const hasQuit = ({ personIds }: OracleResult): boolean => {
    const hasLeft = personIds.some((personId) => {
      const registration = listNow(list, now).get(now(personId));
      return registration !== undefined && !isIn(registration);
    });
    return (
      hasLeft ||
      entriesOf(present, personIds, now).some(
        (entry) => entry.mark === 'quit' || (entry.mark === 'withdrawn' && isOut(entry, around)),
      )
    );
  };
  const through = results.filter((result) => goesOn(rules, result, results));
  const others = results.filter((result) => !through.includes(result) && result.best > 0 && !hasQuit(result));
  return {
    competitors: through.filter((result) => !hasQuit(result)),
    leaving: through.filter(hasQuit),
    line: others.sort((a, b) => (isAhead(a, b) ? -1 : isAhead(b, a) ? 1 : 0)),
  };
};
