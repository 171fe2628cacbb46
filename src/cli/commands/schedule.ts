/** `podium schedule`: the schedule of a contest, and how late it runs. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type {
  RoomNowView,
  ScheduledActivityView,
  ScheduledVenueView,
  ScheduleView,
} from '../../competition/schedule/schedule.queries.js';
import { instantOf, localTime } from '../../domain/time-zones.js';
import { oneOf, positiveInteger, wholeNumber } from '../arguments.js';
import { table } from '../output.js';
import { inReadingSession, inSession } from '../session.js';
import { readAll } from './import.js';

export const scheduleCommands = (program: Command): void => {
  const schedule = program
    .command('schedule')
    .description('Schedules of contests: venues, rooms, activities, groups, and the day.');
  for (const add of [showCommand, nowCommand, importCommand, exportCommand, lateCommand]) add(schedule);
};

const showCommand = (schedule: Command): void => {
  schedule
    .command('show')
    .description('Print a schedule, in the time zone of each venue. --json prints instants, and groups too.')
    .argument('<id>', 'the contest')
    .addHelpText('after', '\nExample:\n  podium schedule show SpringOpen2026')
    .action(
      inReadingSession(async ({ ask, contest, out }, id: string) => {
        const { GetSchedule } = await import('../../competition/schedule/schedule.queries.js');
        const view = await ask(new GetSchedule(contest(id), true));
        out.answer(view, () => scheduleText(view));
      }),
    );
};

const scheduleText = ({ venues }: ScheduleView): string =>
  venues.length === 0
    ? 'The contest has no schedule.'
    : venues
        .map((venue) => `${venue.name} (${venue.timeZone})\n\n${table(rowsOf(venue), COLUMNS)}`)
        .join('\n\n');

interface Row {
  readonly room: string;
  readonly activity: ScheduledActivityView;
  readonly timeZone: string;
}

const rowsOf = ({ rooms, timeZone }: ScheduledVenueView): readonly Row[] =>
  rooms
    .flatMap(({ name: room, activities }) => activities.map((activity) => ({ room, activity, timeZone })))
    .sort((a, b) => (a.activity.start < b.activity.start ? -1 : 1));

const timeOf = (instant: string, timeZone: string): string => localTime(instant, timeZone).time;

const COLUMNS = {
  day: ({ activity, timeZone }: Row) => localTime(activity.start, timeZone).date,
  planned: ({ activity: { start, end }, timeZone }: Row) =>
    `${timeOf(start, timeZone)}-${timeOf(end, timeZone)}`,
  expected: ({ activity: { expectedStart, expectedEnd }, timeZone }: Row) =>
    `${timeOf(expectedStart, timeZone)}-${timeOf(expectedEnd, timeZone)}`,
  room: ({ room }: Row) => room,
  activity: ({ activity }: Row) => activity.name,
  groups: ({ activity }: Row) => activity.parts.length || null,
  id: ({ activity }: Row) => activity.activityId,
};

const nowCommand = (schedule: Command): void => {
  schedule
    .command('now')
    .description('Print what goes on in each room, what comes next, and how late the room is.')
    .argument('<id>', 'the contest')
    .addHelpText('after', '\nExample:\n  podium schedule now SpringOpen2026')
    .action(
      inReadingSession(async ({ ask, contest, out }, id: string) => {
        const { GetNowAndNext } = await import('../../competition/schedule/schedule.queries.js');
        const rooms = await ask(new GetNowAndNext(contest(id), now(), true));
        out.list(rooms, {
          room: 'name',
          now: ({ now: running, groups }) => [...running, ...groups].map(({ name }) => name).join('; '),
          next: nextText,
          'minutes late': 'late',
        });
      }),
    );
};

const nextText = ({ next, timeZone }: RoomNowView): string | null =>
  next && `${timeOf(next.expectedStart, timeZone)} ${next.name}`;

const now = (): string => instantOf(Date.now());

const importCommand = (schedule: Command): void => {
  schedule
    .command('import')
    .description('Replace the schedule of a contest by that of a WCIF file. Reads nothing else of the file.')
    .argument('<id>', 'the contest')
    .argument('<file>', 'a WCIF')
    .addHelpText(
      'after',
      `
Assigned are persons on the competitor list: with the association id of the file, else with the number of the file.

Example:
  podium schedule import SpringOpen2026 wcif.json`,
    )
    .action(
      inSession(async (session, id: string, path: string) => {
        const { ImportSchedule } = await import('../../competition/exchange/exchange.commands.js');
        const { GetWholeSchedule } = await import('../../competition/schedule/schedule.queries.js');
        const contest = session.contest(id);
        const readings = await readAll(resolve(path));
        await session.run(new ImportSchedule(contest, readings, session.context));
        const { venues, rooms, activities, assignments } = await session.ask(new GetWholeSchedule(contest));
        const counts = {
          venues: venues.length,
          rooms: rooms.length,
          activities: activities.length,
          assignments: assignments.length,
        };
        session.out.answer({ competitionId: id, ...counts }, () =>
          Object.entries(counts)
            .map(([what, count]) => `${count} ${what}`)
            .join(', '),
        );
      }),
    );
};

interface ExportOptions {
  readonly format: 'wcif' | 'ics';
  readonly competitor?: number;
  readonly out?: string;
}

const exportCommand = (schedule: Command): void => {
  schedule
    .command('export')
    .description('Print a schedule as WCIF, with the rest of the contest, or as iCalendar.')
    .argument('<id>', 'the contest')
    .option('--format <format>', 'wcif or ics', oneOf(['wcif', 'ics']), 'wcif' as const)
    .option('--competitor <number>', 'only the groups and duties of this one, as ics', positiveInteger)
    .option('--out <file>', 'write to this file instead of stdout')
    .addHelpText(
      'after',
      `
Examples:
  podium schedule export SpringOpen2026 --out spring.json
  podium schedule export SpringOpen2026 --format ics --competitor 17`,
    )
    .action(
      inReadingSession(async ({ app, ask, contest, out }, id: string, options: ExportOptions) => {
        const { format, competitor } = options;
        let text: string;
        if (format === 'wcif' && competitor === undefined) {
          const { QueryBus } = await import('@nestjs/cqrs');
          const { exportWcifText } = await import('../../competition/exchange/contest-export.js');
          text = await exportWcifText(app.get(QueryBus), contest(id), '1');
        } else {
          const { GetCalendar } = await import('../../competition/schedule/schedule.queries.js');
          text = await ask(new GetCalendar(contest(id), competitor ?? null, true));
        }
        await out.save(text, options.out, { of: id, competitionId: id });
      }),
    );
};

interface LateOptions {
  readonly room?: number;
  readonly from?: number;
}

const lateCommand = (schedule: Command): void => {
  schedule
    .command('late')
    .description(
      'Say how many minutes a contest runs late: what comes later on the day moves along. 0: on time.',
    )
    .argument('<id>', 'the contest')
    .argument('<minutes>', 'such as 20', wholeNumber)
    .option('--room <id>', 'only this room', positiveInteger)
    .option(
      '--from <activity>',
      'from this activity on, in its room (default: the next one)',
      positiveInteger,
    )
    .addHelpText(
      'after',
      `
Examples:
  podium schedule late SpringOpen2026 20
  podium schedule late SpringOpen2026 0 --room 2`,
    )
    .action(
      inSession(async (session, id: string, minutes: number, { room, from }: LateOptions) => {
        const { ChangeSchedule } = await import('../../competition/schedule/schedule.commands.js');
        const contest = session.contest(id);
        const delay = {
          type: 'DelayRooms',
          roomId: room ?? null,
          from: from ?? null,
          minutes,
          at: now(),
        } as const;
        await session.run(new ChangeSchedule(contest, delay, session.context));
        session.out.answer(
          { competitionId: id, minutes, room: room ?? null, from: from ?? null },
          `${id} runs ${minutes} minutes late`,
        );
      }),
    );
};
