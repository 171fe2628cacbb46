/**
 * Reads WCIF. Skips the parts that Podium does not use (of registrations all but the events, scrambles). Checks every value that it
 * uses and reports faults with line and column.
 */
import { CONTEST_TYPES, ROUND_FORMATS, VALUE_FORMATS } from '../../../domain/attempts.js';
import { isDate } from '../../../domain/ids.js';
import type { EventDefinition } from '../../aggregates/space/space.events.js';
import { catalogueEvent, unknownEvent } from '../../spaces/catalogue.js';
import {
  type ContestFile,
  type Fault,
  FaultList,
  type FileCompetitor,
  type FileOpaqueParts,
  type FileRound,
  type FileSchedule,
  type Reading,
} from './contest-file.js';
import { JsonCursor } from './json-cursor.js';
import { shortNameOf } from './short-name.js';
import { EXTENSIONS, extension, requireVersion } from './wcif.js';
import { isHeadToHead, readHeadToHead } from './wcif-opaque.js';
import { NO_PARTICIPATION, readParticipation } from './wcif-participation.js';
import { readCountry, readPersons } from './wcif-persons.js';
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
  requireVersion(root);
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
    opaque: opaqueIn(root, {
      rounds: read.flatMap(({ opaque }) => opaque.rounds),
      participation: read.flatMap(({ opaque }) => opaque.participation),
    }),
    ...(schedule && { schedule }),
    notes: context.notes,
    place: root.place,
  };
};

/** A file of version 1 cannot say such parts, so without any it says nothing about them. */
const opaqueIn = (root: JsonCursor, parts: FileOpaqueParts): FileOpaqueParts | null => {
  const isSilent = root.field('formatVersion').string().startsWith('1.');
  return isSilent && parts.rounds.length + parts.participation.length === 0 ? null : parts;
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

const readEvent = (
  event: JsonCursor,
  context: Context,
): {
  readonly definition: EventDefinition;
  readonly rounds: readonly FileRound[];
  readonly opaque: FileOpaqueParts;
} => {
  const eventId = event.field('id').nonEmptyString();
  const all = event.field('rounds').items();
  const rounds = all.filter((round) => !isHeadToHead(round));
  const firstFormat = rounds[0]?.field('format').oneOf(ROUND_FORMATS) ?? 'a';
  const definition =
    definedEvent(eventId, event) ??
    catalogueEvent(eventId) ??
    unknownEvent(eventId, { defaultRoundFormat: firstFormat, participants: 1 });
  const { advancements, kept } =
    context.faults.attempt(() => readParticipation(all, definition, context.notes)) ?? NO_PARTICIPATION;
  const within = { ...context, event: definition, advancements };
  const duels = all.filter(isHeadToHead).map((round) => readHeadToHead(round, definition, context));
  return {
    definition,
    opaque: { rounds: duels.filter((duel) => duel !== null), participation: kept },
    rounds: rounds.flatMap((round) => {
      const read = context.faults.attempt(() => readRound(round, within));
      return read ? [read] : [];
    }),
  };
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
