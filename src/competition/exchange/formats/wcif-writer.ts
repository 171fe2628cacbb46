/**
 * Writes a contest as WCIF. Reading the file back gives the same contest, except hundredths and DNF details of multi
 * results (see wcif-multi.ts).
 */
import { roundCode } from '../../../domain/attempts.js';
import { averageOf, placesOf, singleOf } from '../../../domain/scoring.js';
import type { EventDefinition } from '../../aggregates/space/space.events.js';
import {
  type ContestFile,
  type FileAssignment,
  type FilePerson,
  type FileRound,
  fail,
} from './contest-file.js';
import { isSplitAgain, joinName } from './person-name.js';
import {
  EXTENSIONS,
  specUrl,
  WCIF_VERSION,
  type Wcif,
  type WcifEvent,
  type WcifExtension,
  type WcifPerson,
  type WcifResult,
  type WcifRound,
} from './wcif.js';
import { multiToWcif } from './wcif-multi.js';
import { writeAssignments, writeVenues } from './wcif-schedule.js';

/** Throws FaultError when WCIF cannot represent a multi result. `persons`: all that are named in what is written. */
export const writeWcif = (contest: ContestFile, persons = new Registrants(contest, [])): Wcif => {
  const { details } = contest;
  return {
    formatVersion: WCIF_VERSION,
    id: contest.competitionId,
    name: details.name,
    shortName: details.shortName,
    series: null,
    persons: persons.list(),
    events: contest.events.map((event) => writeEvent(event, contest, persons)),
    schedule: {
      startDate: details.startDate,
      numberOfDays: daysBetween(details.startDate, details.endDate) + 1,
      venues: contest.schedule ? writeVenues(contest.schedule) : [],
    },
    competitorLimit: null,
    extensions: [
      extensionOf(EXTENSIONS.contest, {
        type: details.type,
        city: details.city,
        regionCode: details.regionCode,
        venue: details.venue,
      }),
    ],
  };
};

export const extensionOf = (id: string, data: object): WcifExtension => ({ id, specUrl: specUrl(id), data });

const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);

/** The key that separates two persons of one contest. */
const personKey = ({ ref, assocId, name, localizedName, regionCode }: FilePerson): string =>
  JSON.stringify(ref === null ? [assocId?.toLowerCase() ?? null, name, localizedName, regionCode] : [ref]);

/** Gives competitors their registrant ids: their numbers, or the next free ids in the order of the results. */
export class Registrants {
  private readonly competitors = new Map<string, FilePerson>();
  private readonly ids = new Map<string, number>();
  private readonly numbered: ReadonlyMap<string, number>;
  private readonly organizers: readonly FilePerson[];
  private readonly registered: ReadonlyMap<string, readonly string[] | undefined>;
  private readonly assigned = new Map<string, FileAssignment[]>();

  /** `others`: who is named beside those with results in rounds. */
  constructor(contest: ContestFile, others: readonly FilePerson[]) {
    this.organizers = contest.organizers;
    this.registered = new Map(
      contest.competitors.map(({ person, eventIds }) => [personKey(person), eventIds]),
    );
    for (const assignment of contest.schedule?.assignments ?? []) {
      const key = personKey(assignment.person);
      this.assigned.set(key, [...(this.assigned.get(key) ?? []), assignment]);
    }
    this.numbered = new Map(contest.competitors.map(({ person, number }) => [personKey(person), number]));
    for (const { person } of contest.competitors) this.competitors.set(personKey(person), person);
    for (const [key, number] of this.numbered) this.ids.set(key, number);
    let last = Math.max(0, ...this.numbered.values());
    const entered = contest.rounds.flatMap(({ results }) =>
      results.flatMap(({ competitors }) => competitors),
    );
    for (const person of [...entered, ...others]) {
      const key = personKey(person);
      if (this.ids.has(key)) continue;
      last += 1;
      this.ids.set(key, last);
      this.competitors.set(key, person);
    }
  }

  idOf(person: FilePerson): number {
    return this.ids.get(personKey(person)) ?? 0;
  }

  private registrationOf(person: FilePerson): Pick<WcifPerson, 'registration'> {
    const eventIds = this.registered.get(personKey(person));
    return eventIds === undefined
      ? {}
      : { registration: { eventIds, status: 'accepted', isCompeting: true } };
  }

  private assignmentsOf(person: FilePerson): Pick<WcifPerson, 'assignments'> {
    const assigned = this.assigned.get(personKey(person));
    return assigned === undefined ? {} : { assignments: writeAssignments(assigned) };
  }

  list(): readonly WcifPerson[] {
    const organizing = new Set(this.organizers.map(personKey));
    const write = (person: FilePerson, registrantId: number | null): WcifPerson => ({
      registrantId,
      name: joinName(person),
      wcaId: person.assocId,
      countryIso2: person.regionCode,
      roles: organizing.has(personKey(person)) ? ['organizer'] : [],
      ...this.registrationOf(person),
      ...this.assignmentsOf(person),
      extensions: personExtensions(
        person,
        registrantId !== null && !this.numbered.has(personKey(person)) ? { numbered: false } : {},
      ),
    });
    return [
      ...[...this.competitors.values()].map((person) => write(person, this.idOf(person))),
      ...this.organizers
        .filter((person) => !this.ids.has(personKey(person)))
        .map((person) => write(person, null)),
    ];
  }
}

/** Writes the names only when splitting the joined name would give other names. */
const personExtensions = (
  { name, localizedName }: FilePerson,
  data: { readonly numbered?: false },
): readonly WcifExtension[] => {
  const all = isSplitAgain({ name, localizedName }) ? data : { ...data, name, localizedName };
  return Object.keys(all).length === 0 ? [] : [extensionOf(EXTENSIONS.person, all)];
};

const writeEvent = (event: EventDefinition, contest: ContestFile, persons: Registrants): WcifEvent => {
  const { eventId, ...definition } = event;
  return {
    id: eventId,
    rounds: contest.rounds
      .filter((round) => round.eventId === eventId)
      .map((round) => writeRound(round, event, persons)),
    competitorLimit: null,
    qualification: null,
    extensions: [extensionOf(EXTENSIONS.event, definition)],
  };
};

const writeRound = (round: FileRound, event: EventDefinition, persons: Registrants): WcifRound => {
  const { format, date, timeLimit, cutoff, advancement } = round.rules;
  const team = event.participants > 1;
  const teamResults = round.results.map(({ competitors, attempts }) => ({
    personIds: competitors.map((person) => persons.idOf(person)),
    attempts: attempts.map((result) => ({ result })),
  }));
  return {
    id: roundCode(round),
    format,
    timeLimit: timeLimit && {
      centiseconds: timeLimit.centiseconds,
      cumulativeRoundIds: timeLimit.cumulativeRounds,
    },
    cutoff: cutoff && { ...cutoff, attemptResult: inDigits(cutoff.attemptResult, event, round) },
    advancementCondition: advancement && {
      type: CONDITIONS[advancement.type],
      level: advancement.type === 'value' ? inDigits(advancement.value, event, round) : advancement.value,
    },
    results: team ? [] : writeResults(round, event, persons),
    scrambleSetCount: 1,
    scrambleSets: [],
    extensions: [
      extensionOf(EXTENSIONS.round, {
        date,
        ...(cutoff && event.format === 'multi' ? { cutoffResult: cutoff.attemptResult } : {}),
        ...(team ? { results: teamResults } : {}),
      }),
    ],
  };
};

const writeResults = (
  round: FileRound,
  event: EventDefinition,
  persons: Registrants,
): readonly WcifResult[] => {
  const { format, cutoff } = round.rules;
  const scores = round.results.map(({ attempts }) => ({
    best: singleOf(attempts),
    average: averageOf(attempts, { format, cutoff, valueFormat: event.format }),
  }));
  const places = placesOf(scores, format);
  return round.results.map((result, index) => {
    const attemptValue = (value: number): number =>
      event.format === 'multi' ? writeMulti(value, result) : value;
    return {
      personId: result.competitors[0] ? persons.idOf(result.competitors[0]) : 0,
      ranking: places[index] ?? null,
      attempts: result.attempts.map((value) => ({ result: attemptValue(value), reconstruction: null })),
      best: attemptValue(scores[index]?.best ?? 0),
      average: scores[index]?.average ?? 0,
    };
  });
};

const inDigits = (value: number, { format }: EventDefinition, round: FileRound): number =>
  format === 'multi' ? writeMulti(value, round) : value;

const CONDITIONS = { number: 'ranking', percent: 'percent', value: 'attemptResult' } as const;

export const writeMulti = (value: number, { place }: Pick<FileRound, 'place'>): number =>
  multiToWcif(value) ?? fail(place, `the multi result ${value} is beyond what WCIF can hold`);
