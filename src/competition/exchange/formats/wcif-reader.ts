/**
 * Reads WCIF. Skips the parts that Podium does not use (of registrations all but the events, scrambles). Checks every value that it
 * uses and reports faults with line and column.
 */
import { type Advancement, CONTEST_TYPES, ROUND_FORMATS, VALUE_FORMATS } from '../../../domain/attempts.js';
import { isDate } from '../../../domain/ids.js';
import { isCountry } from '../../../domain/regions.js';
import type { EventDefinition } from '../../aggregates/space/space.events.js';
import { catalogueEvent, unknownEvent } from '../../spaces/catalogue.js';
import {
  type ContestFile,
  type Fault,
  FaultList,
  type FileCompetitor,
  type FilePerson,
  type FileRound,
  type FileSchedule,
  type Reading,
} from './contest-file.js';
import { JsonCursor } from './json-cursor.js';
import { type SplitName, splitName } from './person-name.js';
import { shortNameOf } from './short-name.js';
import { EXTENSIONS, extension } from './wcif.js';
import { readParticipation } from './wcif-participation.js';
import { type Context, readRound } from './wcif-rounds.js';
import { readAssignments, readSchedule, roundDates } from './wcif-schedule.js';

/** Never throws because of the content of the file. */
export const readWcif = (file: string, source: string): Reading => {
  const faults = new FaultList();
  const contest = faults.attempt(() => readCompetition(JsonCursor.parse(file, source), faults));
  return contest && faults.faults.length === 0
    ? { ok: true, contest: { ...contest, source: file } }
    : { ok: false, source: file, faults: faults.faults };
};

const readCompetition = (root: JsonCursor, faults: FaultList): ContestFile => {
  const version = root.field('formatVersion');
  if (!/^[12]\./.test(version.string())) version.fail(`is ${version.string()}; this reads WCIF 1 and 2`);
  const persons = readPersons(root);
  const dates = roundDates(root.field('schedule'));
  const context: Context = { faults, notes: [], persons: persons.byRegistrant, dates };
  const read = root
    .field('events')
    .items()
    .flatMap((event) => {
      const done = faults.attempt(() => readEvent(event, context));
      return done ? [done] : [];
    });
  const schedule = faults.attempt(() => scheduleOf(root, persons.competitors, context.notes));
  return {
    source: root.place.file,
    competitionId: root.field('id').nonEmptyString(),
    details: readDetails(root),
    organizers: persons.organizers,
    competitors: persons.competitors,
    events: read.map(({ definition }) => definition),
    rounds: read.flatMap(({ rounds }) => rounds),
    ...(schedule && { schedule }),
    notes: context.notes,
    place: root.place,
  };
};

const scheduleOf = (
  root: JsonCursor,
  competitors: readonly FileCompetitor[],
  notes: Fault[],
): FileSchedule | null => {
  const schedule = readSchedule(root.field('schedule'));
  if (schedule === null) return null;
  const registered = new Map(
    competitors.flatMap(({ number, person, eventIds }) => (eventIds === undefined ? [] : [[number, person]])),
  );
  const { activities } = schedule;
  const assignments = readAssignments(root.field('persons').items(), { activities, registered, notes });
  return { ...schedule, assignments };
};

const readDetails = (root: JsonCursor): ContestFile['details'] => {
  const schedule = root.field('schedule');
  const start = schedule.field('startDate');
  if (!isDate(start.string())) start.fail(`is “${start.string()}”; a date looks like 2023-07-29`);
  const days = schedule.field('numberOfDays');
  if (days.integer() < 1 || days.integer() > MAX_DAYS) days.fail(`must be 1 to ${MAX_DAYS}`);
  const own = extension(root, EXTENSIONS.contest);
  const venue = schedule.optional('venues')?.items()[0];
  const name = root.field('name').nonEmptyString();
  const country = own?.optional('regionCode') ?? venue?.optional('countryIso2') ?? null;
  return {
    name,
    shortName: root.optional('shortName')?.nonEmptyString() ?? shortNameOf(name),
    type: own?.optional('type')?.oneOf(CONTEST_TYPES) ?? 'competition',
    city: own?.optional('city')?.nonEmptyString() ?? null,
    regionCode: country && readCountry(country),
    venue: (own?.optional('venue') ?? venue?.optional('name'))?.nonEmptyString() ?? null,
    startDate: start.string(),
    endDate: addDays(start.string(), days.integer() - 1),
  };
};

/** The number of days between the first and the last valid date. */
const MAX_DAYS = 401_767;

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

const readCountry = (cursor: JsonCursor): string => {
  const code = cursor.string().toUpperCase();
  return isCountry(code) ? code : cursor.fail(`is “${code}”, which is no ISO 3166-1 country code`);
};

/** The limit leaves room: later competitors get higher numbers. */
const MAX_REGISTRANT_ID = 999_999;

interface WcifPersons extends Pick<ContestFile, 'organizers' | 'competitors'> {
  readonly byRegistrant: ReadonlyMap<number, FilePerson>;
}

const readPersons = (root: JsonCursor): WcifPersons => {
  const byRegistrant = new Map<number, FilePerson>();
  const organizers: FilePerson[] = [];
  const competitors: FileCompetitor[] = [];
  for (const cursor of root.field('persons').items()) {
    const registrant = cursor.optional('registrantId');
    const country = cursor.optional('countryIso2');
    const person: FilePerson = {
      ...readName(cursor),
      assocId: cursor.optional('wcaId')?.nonEmptyString() ?? null,
      regionCode: country && readCountry(country),
      ref: registrant ? String(registrant.integer()) : null,
    };
    if (registrant) {
      const number = registrant.integer();
      const numbered = isNumbered(cursor);
      if (number < 1 || (numbered && number > MAX_REGISTRANT_ID))
        registrant.fail(`is ${number}; it must be from 1 to ${MAX_REGISTRANT_ID}`);
      if (byRegistrant.has(number)) registrant.fail(`${number} is there twice`);
      byRegistrant.set(number, person);
      if (numbered) competitors.push({ person, number, ...registeredIn(cursor), place: registrant.place });
    }
    const roles = cursor.optional('roles')?.items() ?? [];
    if (roles.some((role) => role.string() === 'organizer')) organizers.push(person);
  }
  return { byRegistrant, organizers, competitors };
};

/** The extension has names that brackets cannot represent. */
const readName = (person: JsonCursor): SplitName => {
  const own = extension(person, EXTENSIONS.person);
  const name = own?.optional('name');
  const whole = person.field('name');
  if (!name) return splitName(whole.nonEmptyString());
  return { name: name.string(), localizedName: own?.optional('localizedName')?.string() ?? null };
};

/** A person who has withdrawn or is not yet accepted has no number. */
const isNumbered = (person: JsonCursor): boolean => {
  const status = person.optional('registration')?.optional('status')?.string() ?? 'accepted';
  const numbered = extension(person, EXTENSIONS.person)?.optional('numbered')?.boolean() ?? true;
  return status === 'accepted' && numbered;
};

/** Of an accepted person. Nothing else of the registration is read. */
const registeredIn = (person: JsonCursor): Pick<FileCompetitor, 'eventIds'> => {
  const registration = person.optional('registration');
  const eventIds = registration?.optional('eventIds');
  if (!eventIds || registration?.optional('isCompeting')?.boolean() === false) return {};
  return { eventIds: eventIds.items().map((eventId) => eventId.nonEmptyString()) };
};

const readEvent = (
  event: JsonCursor,
  context: Context,
): { readonly definition: EventDefinition; readonly rounds: readonly FileRound[] } => {
  const eventId = event.field('id').nonEmptyString();
  const all = event.field('rounds').items();
  const rounds = all.filter((round) => !isHeadToHead(round));
  for (const round of all) if (isHeadToHead(round)) context.notes.push(headToHeadNote(round));
  const firstFormat = rounds[0]?.field('format').oneOf(ROUND_FORMATS) ?? 'a';
  const definition =
    definedEvent(eventId, event) ??
    catalogueEvent(eventId) ??
    unknownEvent(eventId, { defaultRoundFormat: firstFormat, participants: 1 });
  const advancements =
    context.faults.attempt(() => readParticipation(all, definition.format, context.notes)) ??
    new Map<string, Advancement>();
  const within = { ...context, event: definition, advancements };
  return {
    definition,
    rounds: rounds.flatMap((round) => {
      const read = context.faults.attempt(() => readRound(round, within));
      return read ? [read] : [];
    }),
  };
};

/**
 * The association's format for duels. Podium has no such rounds and gives them no values, so they are left out, and the
 * rest of the contest is read.
 */
const isHeadToHead = (round: JsonCursor): boolean => round.optional('format')?.text() === 'h';

const headToHeadNote = (round: JsonCursor): Fault => {
  const id = round.optional('id')?.text() ?? 'a round';
  const results = round.optional('results')?.items().length ?? 0;
  const count = `${results} ${results === 1 ? 'result' : 'results'}`;
  return { ...round.place, reason: `${id} is head to head (format h) and is left out, with ${count}` };
};

const definedEvent = (eventId: string, event: JsonCursor): EventDefinition | null => {
  const own = extension(event, EXTENSIONS.event);
  return (
    own && {
      eventId,
      name: own.field('name').nonEmptyString(),
      category: own.field('category').nonEmptyString(),
      rank: own.field('rank').integer(),
      format: own.field('format').oneOf(VALUE_FORMATS),
      defaultRoundFormat: own.field('defaultRoundFormat').oneOf(ROUND_FORMATS),
      participants: own.field('participants').integer(),
      description: own.optional('description')?.string() ?? null,
    }
  );
};
