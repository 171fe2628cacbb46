/**
 * A contest file prepared for import: its persons are decided, and its rounds have the form that commands need.
 * `faultsOf` checks the whole plan against the rules of the deciders before the first append. So a refusal never
 * leaves half a contest. Each fault names its place in the file.
 */

import { type RoundRef, roundCode, type ValueFormat } from '../../../domain/attempts.js';
import { membersKey } from '../../../domain/references.js';
import type { FieldError } from '../../../domain/rejections.js';
import type { Members } from '../../../domain/roster.js';
import { timeSpentOn } from '../../../domain/scoring.js';
import type { NumberedCompetitor } from '../../aggregates/competitor-list/competitor-list.js';
import { contestDecider } from '../../aggregates/contest/contest.decider.js';
import { type ContestDetails, initialContest, type OpaqueParts } from '../../aggregates/contest/contest.js';
import type { RoundPlan } from '../../aggregates/contest/contest-rules.js';
import type { ResultRow } from '../../aggregates/round/entry.decider.js';
import { roundDecider } from '../../aggregates/round/round.decider.js';
import { initialRound } from '../../aggregates/round/round.js';
import { type SpaceState, spaceDecider } from '../../aggregates/space/space.decider.js';
import type { EventDefinition } from '../../aggregates/space/space.events.js';
import { scheduleDecider } from '../../schedule/schedule.decider.js';
import { initialSchedule } from '../../schedule/schedule.events.js';
import type { WholeSchedule } from '../../schedule/whole-schedule.decider.js';
import {
  type ContestFile,
  type Fault,
  FaultList,
  type FileOpaqueRound,
  type FileRound,
  type Place,
} from '../formats/contest-file.js';
import type { PersonBests } from './earlier-bests.js';
import { wholeSchedule } from './file-schedule.js';
import { type ContestIdentities, isSameName, personKey } from './identity.js';
import { type PlannedRegistration, plannedRegistrations } from './list-comparison.js';

/** A file with the persons that its names refer to. */
export class ContestPlan {
  /** `organizing`: the organizers of the stored contest, following merges. */
  constructor(
    readonly file: ContestFile,
    readonly identities: ContestIdentities,
    private readonly organizing: readonly number[],
  ) {}

  /** On the file, and on the names in it. */
  get notes(): readonly Fault[] {
    return [...this.file.notes, ...this.identities.notes];
  }

  details(): ContestDetails {
    const ids = this.file.organizers.map((organizer) => this.#idOf(organizer));
    return { ...this.file.details, organizerIds: eachOnce(ids) };
  }

  /** Returns the stored details in a form that compares with those of the plan. */
  known(details: ContestDetails): ContestDetails {
    return { ...details, organizerIds: eachOnce(this.organizing) };
  }

  /** For each result of the round, in the order of the file. */
  personIds(round: FileRound): readonly (readonly number[])[] {
    return round.results.map(({ competitors }) => competitors.map((person) => this.#idOf(person)));
  }

  /** Null: the file says nothing about such parts. */
  opaqueParts(): OpaqueParts | null {
    const { opaque } = this.file;
    return (
      opaque && {
        rounds: opaque.rounds.map(({ eventId, roundNumber, format, date, results }) => ({
          eventId,
          roundNumber,
          format,
          date,
          results: results.map(({ competitors, place, attempts, best, average }) => ({
            personIds: competitors.map((person) => this.#idOf(person)),
            place,
            attempts,
            best,
            average,
          })),
        })),
        participation: opaque.participation,
      }
    );
  }

  /** The present id of a person of the file under an id from before a merge. */
  presentId(personId: number): number {
    const { persons } = this.identities;
    const found = [...persons.values()].find(({ candidate }) => candidate.absorbed.includes(personId));
    return found?.candidate.personId ?? personId;
  }

  /** With the numbers of the file. */
  competitors(): readonly NumberedCompetitor[] {
    return this.file.competitors.map(({ person, number }) => ({ personId: this.#idOf(person), number }));
  }

  /** Of all numbered competitors, registered ones or not. */
  bests(): readonly PersonBests[] {
    return this.file.competitors.flatMap(({ person, bests = [] }) =>
      bests.length === 0 ? [] : [{ personId: this.#idOf(person), bests }],
    );
  }

  /** Those whom the file registers, for events that it has. */
  registrations(): readonly PlannedRegistration[] {
    const registered = this.file.competitors.flatMap(({ eventIds, ...competitor }) =>
      eventIds === undefined
        ? []
        : [{ ...competitor, eventIds: eventIds.filter((id) => this.#hasRound(id)), state: null }],
    );
    return plannedRegistrations(registered, this.identities);
  }

  /** Those registered for the event, and those with results in the round; null: the file registers no competitor. */
  rosterOf(round: FileRound): readonly Members[] | null {
    const registered = this.registrations();
    if (registered.length === 0) return null;
    const first = registered.filter(({ registration }) => registration.eventIds.includes(round.eventId));
    const expected = round.roundNumber === 1 ? first.map(({ candidate }) => [candidate.personId]) : [];
    const listed = new Set(expected.flat());
    const others = this.personIds(round).filter((personIds) => personIds.some((id) => !listed.has(id)));
    return [...expected, ...others];
  }

  /** The schedule of the file; null: it has none. */
  schedule(): WholeSchedule | null {
    return this.file.schedule === undefined
      ? null
      : wholeSchedule(this.file.schedule, (person) => this.#idOf(person));
  }

  #hasRound(eventId: string): boolean {
    return this.file.rounds.some((round) => round.eventId === eventId);
  }

  event({ eventId }: RoundRef): EventDefinition | undefined {
    return this.file.events.find((event) => event.eventId === eventId);
  }

  rounds(): readonly RoundPlan[] {
    return this.file.rounds.map((round) => ({
      round: { eventId: round.eventId, roundNumber: round.roundNumber, rules: round.rules },
      valueFormat: this.#valueFormat(round),
    }));
  }

  #valueFormat(round: RoundRef): ValueFormat {
    return this.event(round)?.format ?? 'time';
  }

  /** An organizer without a reference is the competitor with the same name. */
  #idOf(person: ContestFile['organizers'][number]): number {
    const { persons } = this.identities;
    const found =
      persons.get(personKey(person)) ??
      [...persons.values()].find((known) => isSameName(known.person.name, person.name));
    return found?.candidate.personId ?? 0;
  }
}

const eachOnce = (ids: readonly number[]): readonly number[] => [...new Set(ids)].sort((a, b) => a - b);

/** Returns every fault that a decider would refuse. `space` has the current catalogue. */
export const faultsOf = (plan: ContestPlan, space: SpaceState): readonly Fault[] => {
  const faults = new FaultList();
  for (const fault of plan.identities.faults.faults) faults.add(fault, fault.reason);
  for (const event of plan.file.events) checkEvent(event, space, { plan, faults });
  checkContest(plan, faults);
  checkSchedule(plan, faults);
  for (const round of plan.file.rounds) checkRound(round, plan, faults);
  for (const round of plan.file.opaque?.rounds ?? []) checkOpaqueRound(round, plan, faults);
  return faults.faults;
};

const addErrors = (
  faults: FaultList,
  rejection: { readonly detail: string; readonly errors?: readonly FieldError[] },
  placeFor: (field: string) => Place,
): void => {
  for (const { field, message } of rejection.errors ?? [])
    faults.add(placeFor(field), `${field}: ${message}`);
  if (rejection.errors === undefined) faults.add(placeFor(''), rejection.detail);
};

/** A known event keeps its name and rank. Only the fields that results depend on must agree. */
const checkEvent = (
  event: EventDefinition,
  space: SpaceState,
  { plan, faults }: { readonly plan: ContestPlan; readonly faults: FaultList },
): void => {
  const known = space.events.get(event.eventId);
  const place = plan.file.rounds.find(({ eventId }) => eventId === event.eventId)?.place ?? plan.file.place;
  const wanted = known ? { ...known, format: event.format, participants: event.participants } : event;
  const decision = spaceDecider.decide({ type: 'DefineEvent', event: wanted }, space);
  if (!decision.ok) addErrors(faults, decision.rejection, () => place);
};

const checkContest = (plan: ContestPlan, faults: FaultList): void => {
  const { file } = plan;
  const decision = contestDecider.decide(
    {
      type: 'CreateContest',
      spaceId: '',
      competitionId: file.competitionId,
      // New persons have no id yet. The plan itself names each organizer once.
      details: { ...plan.details(), organizerIds: [] },
      rounds: plan.rounds(),
    },
    initialContest,
  );
  if (decision.ok) return;
  addErrors(faults, decision.rejection, (field) => {
    const index = /^rounds\[(\d+)\]/.exec(field)?.[1];
    return (index === undefined ? undefined : file.rounds[Number(index)]?.place) ?? file.place;
  });
};

const checkSchedule = (plan: ContestPlan, faults: FaultList): void => {
  const schedule = plan.schedule();
  if (schedule === null) return;
  const decision = scheduleDecider.decide({ type: 'ReplaceSchedule', ...schedule }, initialSchedule);
  if (!decision.ok) addErrors(faults, decision.rejection, (field) => placeInSchedule(plan.file, field));
};

/** Maps `activities[3].end` to the activity. */
const placeInSchedule = ({ schedule, place }: ContestFile, field: string): Place => {
  const [, list, index] = /^(venues|rooms|activities)\[(\d+)\]/.exec(field) ?? [];
  const all = { venues: schedule?.venues, rooms: schedule?.rooms, activities: schedule?.activities };
  const items = list === 'venues' || list === 'rooms' || list === 'activities' ? all[list] : undefined;
  return items?.[Number(index)]?.place ?? place;
};

const checkRound = (round: FileRound, plan: ContestPlan, faults: FaultList): void => {
  const event = plan.event(round);
  if (!event) return;
  const setup = { rules: round.rules, valueFormat: event.format, participants: event.participants };
  const opened = roundDecider.decide({ type: 'OpenRound', setup }, initialRound);
  if (!opened.ok) {
    addErrors(faults, opened.rejection, () => round.place);
    return;
  }
  const state = opened.events.reduce(roundDecider.evolve, initialRound);
  const command = { type: 'EnterResults', eventId: round.eventId, rows: rowsOf(round, plan) } as const;
  const entered = roundDecider.decide(command, state);
  if (!entered.ok) addErrors(faults, entered.rejection, (field) => placeInRound(round, field));
};

const checkOpaqueRound = (
  { at, ...round }: FileOpaqueRound,
  { file }: ContestPlan,
  faults: FaultList,
): void => {
  const code = roundCode(round);
  const isTwice = file.opaque?.rounds.some((other) => other.at !== at && roundCode(other) === code);
  if (isTwice || file.rounds.some((other) => roundCode(other) === code))
    faults.add(at, `${code} is there twice`);
};

const rowsOf = (round: FileRound, plan: ContestPlan): readonly ResultRow[] => {
  const competitors = plan.personIds(round);
  const spent = spentElsewhere(round, plan);
  return round.results.map(({ attempts }, index) => {
    const personIds = competitors[index] ?? [];
    const elsewhere = spent.get(membersKey(personIds)) ?? 0;
    const field = `results[${index}].personId`;
    return { index, competitor: { named: personIds, personIds, resultId: '', field, elsewhere }, attempts };
  });
};

/** Maps `results[3].attempts[2].result` to the cell of that attempt. */
const placeInRound = (round: FileRound, field: string): Place => {
  const [, row, attempt] = /^results\[(\d+)\](?:\.attempts\[(\d+)\])?/.exec(field) ?? [];
  const result = row === undefined ? undefined : round.results[Number(row)];
  const cell = attempt === undefined ? undefined : result?.attemptPlaces[Number(attempt)];
  return cell ?? result?.place ?? round.place;
};

/** Centiseconds that each competitor spends in the other rounds of a cumulative limit, by the key of its members. */
const spentElsewhere = (round: FileRound, plan: ContestPlan): ReadonlyMap<string, number> => {
  const others = new Set(round.rules.timeLimit?.cumulativeRounds ?? []);
  others.delete(roundCode(round));
  const spent = new Map<string, number>();
  for (const other of plan.file.rounds.filter((each) => others.has(roundCode(each)))) {
    for (const [index, personIds] of plan.personIds(other).entries()) {
      const key = membersKey(personIds);
      const here = timeSpentOn(other.results[index]?.attempts ?? []);
      spent.set(key, (spent.get(key) ?? 0) + here);
    }
  }
  return spent;
};
