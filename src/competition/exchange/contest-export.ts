/** Exports contests: turns query results into contest files for the writers of WCIF and CSV. */

import type { QueryBus } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import { isCompeting } from '../../domain/registrations.js';
import type { OpaqueParts } from '../aggregates/contest/contest.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import { GetCompetitorList } from '../contests/competitor-list.commands.js';
import {
  type CompetitorView,
  type ContestView,
  GetContest,
  GetOpaqueParts,
  ListCompetitors,
  type RoundView,
} from '../contests/contest.queries.js';
import { GetModeratedContest } from '../contests/moderation.queries.js';
import { GetPerson, type PersonView } from '../persons/person.queries.js';
import { GetWholeSchedule, type WholeScheduleView } from '../schedule/schedule.queries.js';
import { ListEvents } from '../spaces/space.queries.js';
import { writeCompetitorsCsv } from './formats/competitors-csv.js';
import type {
  ContestFile,
  FileCompetitor,
  FilePerson,
  FileRound,
  FileSchedule,
  Place,
} from './formats/contest-file.js';
import { writeResultsCsv } from './formats/results-csv.js';
import type { WcifVersion } from './formats/wcif.js';
import { writeWcif2 } from './formats/wcif-2-writer.js';
import { writeWcif } from './formats/wcif-writer.js';
import { allSettled } from './importing/settled.js';

/**
 * Returns the text of a WCIF file. Throws RejectedError `contest-not-found`, and FaultError when the version cannot
 * represent a result or a rule.
 */
export const exportWcifText = async (
  queries: QueryBus,
  contest: ContestRef,
  version: WcifVersion,
): Promise<string> => {
  const file = await loadContestFile(queries, contest);
  return `${JSON.stringify(version === '2' ? writeWcif2(file) : writeWcif(file), null, 2)}\n`;
};

/** Returns one table with all the contests. Throws RejectedError `contest-not-found`. */
export const exportCsv = async (queries: QueryBus, contests: readonly ContestRef[]): Promise<string> => {
  const files: ContestFile[] = [];
  for (const contest of contests) files.push(await loadContestFile(queries, contest));
  return writeResultsCsv(files);
};

/** The competitor list as a CSV, without those who are dropped. Throws RejectedError `contest-not-found`. */
export const exportCompetitorsCsv = async (queries: QueryBus, contest: ContestRef): Promise<string> => {
  const { competitors } = await queries.execute(new GetCompetitorList(contest, true));
  const listed = competitors.filter(({ dropped }) => !dropped);
  return writeCompetitorsCsv(
    listed.map(({ person, number, eventIds, state }) => ({
      person: { ...personOf(person), personId: person.id },
      number,
      eventIds,
      state,
    })),
  );
};

/** Includes drafts. Throws RejectedError `contest-not-found`. */
export const loadContestFile = async (queries: QueryBus, contest: ContestRef): Promise<ContestFile> => {
  const view = await queries.execute(new GetContest(contest, true));
  const catalogue = await queries.execute(new ListEvents(contest.spaceId));
  const competitors = await queries.execute(new ListCompetitors(contest));
  const list = await queries.execute(new GetCompetitorList(contest, true));
  const schedule = await queries.execute(new GetWholeSchedule(contest));
  const { organizers } = await queries.execute(new GetModeratedContest(contest));
  const organizing = organizers.map(({ personId }) => queries.execute(new GetPerson(personId)));
  return contestFileOf(view, catalogue, {
    competitors,
    registered: new Map(
      list.competitors.filter(isCompeting).map(({ person, eventIds }) => [person.id, eventIds]),
    ),
    organizers: await allSettled(organizing),
    participation: (await queries.execute(new GetOpaqueParts(contest))).participation,
    schedule,
  });
};

interface Involved {
  readonly competitors: readonly CompetitorView[];
  /** Events by person. */
  readonly registered: ReadonlyMap<number, readonly string[]>;
  readonly organizers: readonly PersonView[];
  readonly participation: OpaqueParts['participation'];
  readonly schedule: WholeScheduleView;
}

/** `catalogue`: the events of the contest's space. */
const contestFileOf = (
  view: ContestView,
  catalogue: readonly EventDefinition[],
  { competitors, registered, organizers, participation, schedule }: Involved,
): ContestFile => {
  const place = { file: view.competitionId, line: null, column: null };
  const shown = new Set([...view.events, ...view.opaqueRounds].map(({ eventId }) => eventId));
  return {
    source: view.competitionId,
    competitionId: view.competitionId,
    details: {
      name: view.name,
      shortName: view.shortName,
      type: view.type,
      city: view.city,
      regionCode: view.regionCode,
      venue: view.venue,
      startDate: view.startDate,
      endDate: view.endDate,
    },
    organizers: organizers.map(personOf),
    competitors: numbered(competitors).map(({ number, person }) => ({
      number,
      person: personOf(person),
      ...eventsIn(registered.get(person.id)),
      place,
    })),
    events: catalogue.filter(({ eventId }) => shown.has(eventId)),
    rounds: view.events.flatMap(({ eventId, rounds }) =>
      rounds.map((round) => roundOf(eventId, round, place)),
    ),
    opaque: {
      rounds: view.opaqueRounds.map(({ results, ...round }) => ({
        ...round,
        results: results.map(({ persons, attempts, ...result }) => ({
          ...result,
          competitors: persons.map(personOf),
          attempts: attempts.map(({ result: value }) => value),
        })),
        at: place,
      })),
      participation,
    },
    ...(schedule.venues.length > 0 && { schedule: scheduleOf(schedule, place) }),
    notes: [],
    place,
  };
};

const scheduleOf = (
  { venues, rooms, activities, assignments }: WholeScheduleView,
  place: Place,
): FileSchedule => ({
  venues: venues.map((venue) => ({ ...venue, place })),
  rooms: rooms.map((room) => ({ ...room, place })),
  activities: activities.map((activity) => ({ ...activity, place })),
  assignments: assignments.map(({ person, ...rest }) => ({ ...rest, person: personOf(person) })),
});

const eventsIn = (eventIds: readonly string[] | undefined): Pick<FileCompetitor, 'eventIds'> =>
  eventIds === undefined ? {} : { eventIds };

/** A person who was merged may have two numbers: the first one, that of the competitor list, is exported. */
const numbered = (
  competitors: readonly CompetitorView[],
): readonly (CompetitorView & { readonly number: number })[] => {
  const seen = new Set<number>();
  return competitors.flatMap(({ number, person }) => {
    if (number === null || seen.has(person.id)) return [];
    seen.add(person.id);
    return [{ number, person }];
  });
};

const roundOf = (eventId: string, round: RoundView, place: FileRound['place']): FileRound => {
  const { roundNumber, format, date, timeLimit, cutoff, advancement } = round;
  return {
    eventId,
    roundNumber,
    rules: { format, date, timeLimit, cutoff, advancement },
    results: round.results.map(({ persons, attempts, best, average, place: rank, recordTags }) => ({
      competitors: persons.map(personOf),
      attempts: attempts.map(({ result }) => result),
      published: { best, average, rank },
      recordTags,
      place,
      attemptPlaces: [],
    })),
    place,
  };
};

const personOf = ({ id, name, localizedName, assocId, regionCode }: PersonView): FilePerson => ({
  name,
  localizedName,
  assocId,
  regionCode,
  ref: String(id),
});
