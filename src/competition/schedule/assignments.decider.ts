/** Assigns persons to activities: by hand, and competitors of a round to its groups by a rule. */
import { Map as ImmutableMap } from 'immutable';
import { isPartOf, parseActivityCode } from '../../domain/activity-codes.js';
import { roundCode } from '../../domain/attempts.js';
import { accept, reject } from '../../domain/decider.js';
import { isSameData } from '../../domain/equality.js';
import { groupedBy } from '../../domain/grouped-by.js';
import { invalid } from '../../domain/rejections.js';
import { byStart, lineOf } from './activity-tree.js';
import type { Activity, AssignedPerson, Assignments, ScheduleState } from './schedule.events.js';
import {
  activityNotFound,
  assignmentProblems,
  MAX_ASSIGNMENTS,
  refuse,
  roleProblem,
  type ScheduleDecision,
  stationProblem,
  tooMany,
} from './schedule-rules.js';

/** A person under all ids that the person has had; the present one first. */
export interface AssignedIds {
  readonly personId: number;
  readonly ids: readonly number[];
}

/** One competitor: a person, or the members of a team. */
export type Unit = readonly AssignedIds[];

export type AssignmentCommand =
  /** A competitor of a round leaves its other groups. */
  | {
      readonly type: 'Assign';
      readonly activityId: number;
      readonly role: string;
      readonly persons: readonly AssignedIds[];
      readonly station: number | null;
    }
  /** From every role at the activity. */
  | { readonly type: 'Unassign'; readonly activityId: number; readonly person: AssignedIds }
  | AssignGroups
  /** Takes everybody out of the activities of this code. */
  | { readonly type: 'ClearAssignments'; readonly code: string };

/**
 * Competitors who are in a group stay there. Each other one, in the given order, comes into the group that has the fewest so
 * far, the earliest of equal ones. Those who are not given leave.
 */
export interface AssignGroups {
  readonly type: 'AssignGroups';
  /** Of a round, or of an attempt of a round. */
  readonly code: string;
  readonly units: readonly Unit[];
  /** Gives the lowest free station up to this number to who has none; null: gives none. */
  readonly stations: number | null;
  /** The competitors of a group judge the next group in the same room, those of the last one the first. */
  readonly judges: boolean;
}

type CommandOf<T extends AssignmentCommand['type']> = Extract<AssignmentCommand, { type: T }>;

const COMPETITOR = 'competitor';
const JUDGE = 'staff-judge';

const personsOf = (
  { assigned }: ScheduleState,
  activityId: number,
  role: string,
): readonly AssignedPerson[] => assigned.get(activityId)?.get(role) ?? [];

/** Only what differs from the state. */
const assignmentsSet = (wanted: readonly Assignments[], state: ScheduleState): ScheduleDecision => {
  const assignments = wanted.filter(
    ({ activityId, role, persons }) => !isSameData(personsOf(state, activityId, role), persons),
  );
  const added = assignments.reduce(
    (sum, { activityId, role, persons }) => sum + persons.length - personsOf(state, activityId, role).length,
    0,
  );
  if (added > 0 && state.assignmentCount + added > MAX_ASSIGNMENTS)
    return tooMany('assignments', MAX_ASSIGNMENTS);
  return assignments.length === 0 ? accept() : accept({ type: 'AssignmentsSet', data: { assignments } });
};

// --- by hand --------------------------------------------------------------------------------------------------------

export const assign = (command: CommandOf<'Assign'>, state: ScheduleState): ScheduleDecision => {
  const { activityId, role, persons, station } = command;
  const activity = state.activities.get(activityId);
  if (activity === undefined) return activityNotFound(activityId);
  const errors = [roleProblem(role), stationProblem(station)].filter((problem) => problem !== null);
  if (errors.length > 0) return reject(invalid(errors));
  const ids = new Set(persons.flatMap((person) => person.ids));
  const before = personsOf(state, activityId, role);
  const kept = before.map((each): AssignedPerson => (ids.has(each[0]) ? [each[0], station] : each));
  const known = new Set(before.map(([personId]) => personId));
  const added = persons
    .filter((person) => !person.ids.some((id) => known.has(id)))
    .map(({ personId }) => [personId, station] as const);
  const elsewhere =
    role === COMPETITOR
      ? otherGroups(activity, state).map((other) => ({
          activityId: other.activityId,
          role,
          persons: personsOf(state, other.activityId, role).filter(([personId]) => !ids.has(personId)),
        }))
      : [];
  const wanted = { activityId, role, persons: [...kept, ...added] };
  const faults = assignmentProblems(wanted);
  return faults.length > 0 ? reject(invalid(faults)) : assignmentsSet([...elsewhere, wanted], state);
};

/** A person competes once in each attempt of a round. */
const otherGroups = (activity: Activity, { activities }: ScheduleState): readonly Activity[] => {
  const own = parseActivityCode(activity.code);
  if (own === null) return [];
  return [...activities.values()].filter((other) => {
    const code = parseActivityCode(other.code);
    return (
      other.activityId !== activity.activityId &&
      code !== null &&
      roundCode(code) === roundCode(own) &&
      (code.attempt === null || own.attempt === null || code.attempt === own.attempt)
    );
  });
};

export const unassign = (
  { activityId, person }: CommandOf<'Unassign'>,
  state: ScheduleState,
): ScheduleDecision => {
  const roles = [...(state.assigned.get(activityId) ?? ImmutableMap<string, readonly AssignedPerson[]>())];
  const wanted = roles.map(([role, persons]) => ({
    activityId,
    role,
    persons: persons.filter(([personId]) => !person.ids.includes(personId)),
  }));
  return assignmentsSet(wanted, state);
};

export const clearAssignments = (
  { code }: CommandOf<'ClearAssignments'>,
  state: ScheduleState,
): ScheduleDecision => {
  const wanted = [...state.assigned].flatMap(([activityId, roles]) =>
    isPartOf(state.activities.get(activityId)?.code ?? '', code)
      ? [...roles.keys()].map((role) => ({ activityId, role, persons: [] }))
      : [],
  );
  return assignmentsSet(wanted, state);
};

// --- by a rule ------------------------------------------------------------------------------------------------------

export const assignGroups = (command: AssignGroups, state: ScheduleState): ScheduleDecision => {
  const problem = stationProblem(command.stations);
  if (problem !== null) return reject(invalid([{ ...problem, field: 'stations' }]));
  const attempts = groupsByAttempt(command.code, state);
  if (attempts.length === 0)
    return refuse('schedule', `the schedule has no activity of ${command.code}: add it first`);
  return assignmentsSet(
    attempts.flatMap((groups) => wantedIn(groups, command, state)),
    state,
  );
};

/**
 * The groups of each attempt, or of all attempts together, in the order of their start. A round or an attempt without groups
 * is one group.
 */
export const groupsByAttempt = (
  code: string,
  state: Pick<ScheduleState, 'activities'>,
): readonly (readonly Activity[])[] => {
  const whole = new Set(state.activities.valueSeq().map(({ parentId }) => parentId));
  const groups = [...state.activities.values()].filter(
    (activity) =>
      isPartOf(activity.code, code) &&
      !lineOf(state, activity).slice(1).some(isGroup) &&
      (isGroup(activity) || !whole.has(activity.activityId)),
  );
  const byAttempt = groupedBy(
    groups.sort(byStart),
    (group) => parseActivityCode(group.code)?.attempt ?? null,
  );
  return [...byAttempt.values()];
};

const isGroup = ({ code }: Activity): boolean => (parseActivityCode(code)?.group ?? null) !== null;

const wantedIn = (
  groups: readonly Activity[],
  { units, stations, judges }: AssignGroups,
  state: ScheduleState,
): readonly Assignments[] => {
  const wanted = new Set(units.flat().flatMap(({ ids }) => ids));
  const members = groups.map(({ activityId }) =>
    personsOf(state, activityId, COMPETITOR).filter(([personId]) => wanted.has(personId)),
  );
  const placed = new Set(members.flat().map(([personId]) => personId));
  for (const unit of units) {
    const missing = unit.filter(({ ids }) => !ids.some((id) => placed.has(id)));
    const own = members.findIndex((group) => unit.some(({ ids }) => group.some(([id]) => ids.includes(id))));
    const index = own === -1 ? smallest(members) : own;
    members[index] = [
      ...(members[index] ?? []),
      ...missing.map(({ personId }): AssignedPerson => [personId, null]),
    ];
  }
  const seated = members.map((persons) => (stations === null ? persons : withStations(persons, stations)));
  const competing = groups.map(({ activityId }, index) => ({
    activityId,
    role: COMPETITOR,
    persons: seated[index] ?? [],
  }));
  return judges ? [...competing, ...judging(groups, seated)] : competing;
};

/** The index of the group with the fewest persons, the first of equal ones. */
const smallest = (members: readonly (readonly AssignedPerson[])[]): number =>
  members.reduce((best, group, index) => (group.length < (members[best]?.length ?? 0) ? index : best), 0);

const withStations = (persons: readonly AssignedPerson[], stations: number): readonly AssignedPerson[] => {
  const taken = new Set(persons.map(([, station]) => station));
  let next = 1;
  return persons.map(([personId, station]) => {
    if (station !== null) return [personId, station];
    while (taken.has(next)) next += 1;
    if (next > stations) return [personId, null];
    taken.add(next);
    return [personId, next];
  });
};

const judging = (
  groups: readonly Activity[],
  members: readonly (readonly AssignedPerson[])[],
): readonly Assignments[] =>
  groups.map((group, index) => {
    const inRoom = groups.flatMap(({ roomId }, at) => (roomId === group.roomId ? [at] : []));
    const before = inRoom.at(inRoom.indexOf(index) - 1) ?? index;
    const judges = before === index ? [] : (members[before] ?? []);
    return {
      activityId: group.activityId,
      role: JUDGE,
      persons: judges.map(([personId]): AssignedPerson => [personId, null]),
    };
  });
