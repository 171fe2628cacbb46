/** `podium contest`: the life of a contest from draft to finished. Its rounds are in round.ts. */
import type { Command as BusCommand } from '@nestjs/cqrs';
import type { Command } from 'commander';
import type { ContestSummaryView, ContestView, Page } from '../../competition/contests/contest.queries.js';
import type { ContestType } from '../../domain/attempts.js';
import type { ContestRef } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import { calendarDate, oneOf, positiveInteger, region, repeated } from '../arguments.js';
import { keyValueLines, table } from '../output.js';
import { inReadingSession, inSession } from '../session.js';

interface DetailOptions {
  readonly name?: string;
  readonly shortName?: string;
  readonly type?: ContestType;
  readonly city?: string;
  readonly region?: string | null;
  readonly venue?: string;
  readonly start?: string;
  readonly end?: string;
  readonly organizer?: readonly number[];
}

export const contestCommands = (program: Command): Command => {
  const contest = program
    .command('contest')
    .description('Contests: draft, announced, ongoing, finished; and their rounds.');
  for (const add of [createCommand, editCommand, showCommand, listCommand, lifeCommands]) add(contest);
  return contest;
};

const withDetails = (command: Command): Command =>
  command
    .option('--short-name <name>', 'for narrow columns (default: the name)')
    .option('--type <type>', 'competition, meetup or online', oneOf(['competition', 'meetup', 'online']))
    .option('--city <city>')
    .option('--region <code>', 'the country, such as IE, or none', region)
    .option('--venue <venue>')
    .option('--organizer <personId>', 'may be repeated', repeated(positiveInteger));

const createCommand = (contest: Command): void => {
  withDetails(contest.command('create'))
    .description('Create a contest as a draft. Add rounds with plan-round, then announce it.')
    .argument('<id>', 'letters, digits, _ and -; part of URLs')
    .requiredOption('--name <name>')
    .requiredOption('--start <date>', 'YYYY-MM-DD', calendarDate)
    .option('--end <date>', 'YYYY-MM-DD (default: the start)', calendarDate)
    .addHelpText(
      'after',
      '\nExample:\n  podium contest create SpringOpen2026 --name "Spring Open 2026" --start 2026-04-11 --region IE',
    )
    .action(
      inSession(async (session, id: string, options: DetailOptions & { name: string; start: string }) => {
        const { CreateContest } = await import('../../competition/contests/contest.commands.js');
        const details = {
          name: options.name,
          shortName: options.shortName ?? options.name,
          type: options.type ?? ('competition' as const),
          city: options.city ?? null,
          regionCode: options.region ?? null,
          venue: options.venue ?? null,
          startDate: options.start,
          endDate: options.end ?? options.start,
          organizerIds: options.organizer ?? [],
        };
        await session.run(new CreateContest(session.contest(id), details, [], session.context));
        session.out.answer({ competitionId: id, state: 'draft' }, `${id} is a draft; next: plan-round`);
      }),
    );
};

const editCommand = (contest: Command): void => {
  withDetails(contest.command('edit'))
    .description('Change the given fields, keep the rest.')
    .argument('<id>')
    .option('--name <name>')
    .option('--start <date>', 'YYYY-MM-DD', calendarDate)
    .option('--end <date>', 'YYYY-MM-DD', calendarDate)
    .addHelpText('after', '\nExample:\n  podium contest edit SpringOpen2026 --venue "Town Hall"')
    .action(
      inSession(async (session, id: string, options: DetailOptions) => {
        const { EditContest } = await import('../../competition/contests/contest.commands.js');
        const { name, shortName, type, city, region: regionCode, venue, start, end, organizer } = options;
        const change = {
          ...(name === undefined ? {} : { name }),
          ...(shortName === undefined ? {} : { shortName }),
          ...(type === undefined ? {} : { type }),
          ...(city === undefined ? {} : { city }),
          ...(regionCode === undefined ? {} : { regionCode }),
          ...(venue === undefined ? {} : { venue }),
          ...(start === undefined ? {} : { startDate: start }),
          ...(end === undefined ? {} : { endDate: end }),
          ...(organizer === undefined ? {} : { organizerIds: organizer }),
        };
        await session.run(new EditContest(session.contest(id), change, session.context));
        session.out.answer({ competitionId: id, changed: Object.keys(change) }, `${id} is changed`);
      }),
    );
};

const showCommand = (contest: Command): void => {
  contest
    .command('show')
    .description(
      'Print a contest with its rounds, also a draft or deleted one. --json prints results as well.',
    )
    .argument('<id>')
    .addHelpText('after', '\nExample:\n  podium contest show SpringOpen2026')
    .action(
      inReadingSession(async ({ ask, contest: named, out }, id: string) => {
        const { GetContest } = await import('../../competition/contests/contest.queries.js');
        const view = await ask(new GetContest(named(id), true));
        out.answer(view, () => contestText(view));
      }),
    );
};

const contestText = (view: ContestView): string => {
  const rounds = view.events.flatMap(({ eventId, rounds: ofEvent }) =>
    ofEvent.map((round) => ({ ...round, eventId })),
  );
  return [
    keyValueLines([
      ['contest', view.competitionId],
      ['name', view.name],
      ['state', view.state],
      ['type', view.type],
      ['dates', `${view.startDate} to ${view.endDate}`],
      ['place', [view.venue, view.city, view.regionCode].filter((part) => part !== null).join(', ')],
      ['participants', view.participants],
    ]),
    '',
    table(rounds, {
      event: 'eventId',
      round: 'roundNumber',
      format: 'format',
      date: 'date',
      state: ({ open }) => (open ? 'open' : 'closed'),
      results: ({ results }) => results.length,
    }),
  ].join('\n');
};

const listCommand = (contest: Command): void => {
  contest
    .command('list')
    .description('List the contests, newest first.')
    .option('--event <id>', 'only contests with this event')
    .option('--region <code>', 'only contests of this country or continent', (text: string) =>
      text.toUpperCase(),
    )
    .option('--hidden', 'include drafts and deleted contests')
    .addHelpText('after', '\nExample:\n  podium contest list --region IE --hidden')
    .action(
      inReadingSession(
        async ({ ask, spaceId, out }, options: { event?: string; region?: string; hidden?: boolean }) => {
          const { ListContests } = await import('../../competition/contests/contest.queries.js');
          const filter = {
            spaceId,
            ...(options.event === undefined ? {} : { eventId: options.event }),
            ...(options.region === undefined ? {} : { region: options.region }),
            includeHidden: options.hidden ?? false,
          };
          const contests: ContestSummaryView[] = [];
          let after: string | null = null;
          do {
            const page: Page<ContestSummaryView> = await ask(
              new ListContests(filter, { limit: 1_000, ...(after === null ? {} : { after }) }),
            );
            contests.push(...page.items);
            after = page.next;
          } while (after !== null);
          out.list(contests, {
            contest: 'competitionId',
            state: 'state',
            start: 'startDate',
            region: 'regionCode',
            name: 'name',
          });
        },
      ),
    );
};

const lifeCommands = (contest: Command): void => {
  lifeCommand(contest, 'announce', {
    description: 'Make a draft public.',
    state: 'announced',
    text: 'is announced',
    step: ({ AnnounceContest }, ref, context) => new AnnounceContest(ref, context),
  });
  lifeCommand(contest, 'finish', {
    description: 'Close every round and end every key for good; results stay.',
    state: 'finished',
    text: 'is finished: no attempt can follow',
    step: ({ EndContest }, ref, context) => new EndContest(ref, 'finish', context),
  });
  lifeCommand(contest, 'delete', {
    description: 'End the contest like finish, and remove it from all lists.',
    state: 'deleted',
    text: 'is deleted: no attempt can follow',
    step: ({ EndContest }, ref, context) => new EndContest(ref, 'delete', context),
  });
  lifeCommand(contest, 'reopen', {
    description: 'Make a finished contest ongoing again. Its keys stay ended: issue new ones.',
    state: 'ongoing',
    text: 'is ongoing again; issue new keys',
    step: ({ ReopenContest }, ref, context) => new ReopenContest(ref, context),
  });
};

interface LifeStep {
  readonly description: string;
  /** State of the contest after the step. */
  readonly state: string;
  /** Text for people, after the id of the contest. */
  readonly text: string;
  readonly step: (
    commands: typeof import('../../competition/contests/contest.commands.js'),
    contest: ContestRef,
    context: CommandContext,
  ) => BusCommand<Receipt>;
}

const lifeCommand = (contest: Command, name: string, { description, state, text, step }: LifeStep): void => {
  contest
    .command(name)
    .description(description)
    .argument('<id>')
    .addHelpText('after', `\nExample:\n  podium contest ${name} SpringOpen2026`)
    .action(
      inSession(async ({ run, ask, contest: refOf, context, out }, id: string) => {
        const { GetContest } = await import('../../competition/contests/contest.queries.js');
        await run(step(await import('../../competition/contests/contest.commands.js'), refOf(id), context));
        // A step that was taken long ago changes nothing: the contest may have gone further since.
        const { state: now } = await ask(new GetContest(refOf(id), true));
        out.answer({ competitionId: id, state: now }, `${id} ${now === state ? text : `is ${now} already`}`);
      }),
    );
};
