/** `podium competitors`: who is registered for a contest, checked in, withdrawn; the list from a file and as a file. */
import type { Command } from 'commander';
import type {
  ListedCompetitorView,
  MarkCompetitor,
} from '../../competition/contests/competitor-list.commands.js';
import type { CompetitorsPreview } from '../../competition/exchange/importing/competitor-import.js';
import type { RegistrationView } from '../../competition/exchange/importing/list-comparison.js';
import type { CompetitorSelector } from '../../domain/references.js';
import { today } from '../../foundation/basics/today.js';
import { positiveInteger } from '../arguments.js';
import { readGiven } from '../given-files.js';
import { table } from '../output.js';
import { CliError } from '../refusals.js';
import { inReadingSession, inSession, type Session } from '../session.js';

export const competitorsCommands = (program: Command): void => {
  const competitors = program
    .command('competitors')
    .description(
      'The competitor list of a contest. A contest with a list takes results only of those on it; one without takes every known person.',
    );
  for (const add of [listCommand, addCommand, editCommand, markCommands, importCommand, exportCommand])
    add(competitors);
};

const ofContest = (command: Command): Command => command.argument('<contest>');

const ofCompetitor = (command: Command): Command =>
  ofContest(command).argument('<person>', 'id of the person in Podium, or association id');

const listCommand = (competitors: Command): void => {
  ofContest(competitors.command('list'))
    .description('List the competitors by number.')
    .addHelpText('after', '\nExample:\n  podium competitors list SpringOpen2026')
    .action(
      inReadingSession(async (session, id: string) => {
        session.out.list(await listOf(session, id), {
          number: 'number',
          person: ({ person }) => person.id,
          name: ({ person }) => person.name,
          'assoc id': ({ person }) => person.assocId,
          events: ({ eventIds }) => eventIds.join(' '),
          state: ({ state, dropped }) => (dropped ? 'dropped, has results' : state),
        });
      }),
    );
};

const listOf = async (
  { ask, contest }: Session,
  competitionId: string,
): Promise<readonly ListedCompetitorView[]> => {
  const { GetCompetitorList } = await import('../../competition/contests/competitor-list.commands.js');
  return (await ask(new GetCompetitorList(contest(competitionId), true))).competitors;
};

interface Registering {
  readonly events: readonly string[];
  readonly number?: number;
}

const eventIds = (text: string): readonly string[] => text.split(',').filter((eventId) => eventId !== '');

const addCommand = (competitors: Command): void => {
  ofCompetitor(competitors.command('add'))
    .description('Register a person for events. Who has withdrawn is registered again.')
    .requiredOption('--events <ids>', 'joined by commas; "" for none', eventIds)
    .option('--number <n>', 'in the contest, which never changes (default: the next one)', positiveInteger)
    .addHelpText(
      'after',
      `
Examples:
  podium competitors add SpringOpen2026 2016BYRN01 --events 333,444
  podium competitors add SpringOpen2026 7 --events 333 --number 12`,
    )
    .action(
      inSession(async (session, id: string, person: string, { events, number }: Registering) => {
        await register(session, id, {
          selector: selectorOf(person),
          number: number ?? null,
          eventIds: events,
        });
        session.out.answer(
          { competitionId: id, person, eventIds: events },
          `${person} is registered for ${events.join(', ') || 'no event'} of ${id}`,
        );
      }),
    );
};

const editCommand = (competitors: Command): void => {
  ofCompetitor(competitors.command('edit'))
    .description('Change the events of a competitor of the list.')
    .requiredOption('--events <ids>', 'all of them, joined by commas; "" for none', eventIds)
    .addHelpText('after', '\nExample:\n  podium competitors edit SpringOpen2026 7 --events 333,222,clock')
    .action(
      inSession(async (session, id: string, person: string, { events }: Registering) => {
        const personId = await competitorOf(session, id, person);
        const selector = { by: 'personId', personIds: [personId] } as const;
        await register(session, id, { selector, number: null, eventIds: events });
        session.out.answer(
          { competitionId: id, personId, eventIds: events },
          `person ${personId} is registered for ${events.join(', ') || 'no event'} of ${id}`,
        );
      }),
    );
};

const register = async (
  { run, contest, context }: Session,
  competitionId: string,
  row: {
    readonly selector: CompetitorSelector;
    readonly number: number | null;
    readonly eventIds: readonly string[];
  },
): Promise<void> => {
  const { RegisterCompetitors } = await import('../../competition/contests/competitor-list.commands.js');
  await run(new RegisterCompetitors(contest(competitionId), [row], context));
};

const selectorOf = (person: string): CompetitorSelector =>
  /^\d+$/.test(person)
    ? { by: 'personId', personIds: [positiveInteger(person)] }
    : { by: 'assocId', assocIds: [person] };

/** Returns the person's id. Throws CliError when the list does not have the person. */
const competitorOf = async (session: Session, id: string, person: string): Promise<number> => {
  const wanted = person.toLowerCase();
  const found = (await listOf(session, id)).find(
    (each) => String(each.person.id) === wanted || each.person.assocId?.toLowerCase() === wanted,
  );
  if (found) return found.person.id;
  throw new CliError(
    `${person} is not on the competitor list of ${id}; \`podium competitors add\` registers`,
  );
};

const markCommands = (competitors: Command): void => {
  markCommand(competitors, 'check-in', {
    description: 'Note that a competitor has come.',
    mark: 'CheckInCompetitor',
    state: 'checked-in',
    text: 'is checked in',
  });
  markCommand(competitors, 'withdraw', {
    description:
      'Withdraw a competitor: no further results are taken, and open rounds no longer expect them.',
    mark: 'WithdrawCompetitor',
    state: 'withdrawn',
    text: 'has withdrawn',
  });
};

interface Marking {
  readonly description: string;
  readonly mark: MarkCompetitor['mark'];
  readonly state: string;
  /** Text for people, after the person. */
  readonly text: string;
}

const markCommand = (
  competitors: Command,
  name: string,
  { description, mark, state, text }: Marking,
): void => {
  ofCompetitor(competitors.command(name))
    .description(description)
    .addHelpText('after', `\nExample:\n  podium competitors ${name} SpringOpen2026 2016BYRN01`)
    .action(
      inSession(async (session, id: string, person: string) => {
        const { run, contest, context, out } = session;
        const { MarkCompetitor } = await import('../../competition/contests/competitor-list.commands.js');
        const personId = await competitorOf(session, id, person);
        await run(new MarkCompetitor(contest(id), personId, mark, context));
        out.answer({ competitionId: id, personId, state }, `person ${personId} ${text}`);
      }),
    );
};

interface Importing {
  readonly overwrite?: boolean;
  readonly check?: boolean;
}

const importCommand = (competitors: Command): void => {
  ofContest(competitors.command('import'))
    .description('Bring the list up to date with a CSV, or with the registrations of a WCIF of the contest.')
    .argument('<file>', '.csv or .json')
    .option('--overwrite', 'also where the list was changed by hand since the last import')
    .option('--check', 'import nothing: print what would change')
    .addHelpText(
      'after',
      `
The CSV has a header with the columns name and events (event ids joined by spaces), and any of number, localizedName,
assocId, personId, region, state (registered, checked-in, withdrawn). A person is found by personId, by assocId, or by a
name that only one person has; else the person is new.

Who is missing in the file is dropped; with results they stay, marked. What was changed by hand since the last import stays
as it is, unless --overwrite is given. The personal bests of a WCIF count for PR tags. A file with faults is refused with line and column, and the exit status is 1.

Examples:
  podium competitors import SpringOpen2026 competitors.csv --check
  podium competitors import SpringOpen2026 wcif.json`,
    )
    .action(
      inSession(async (session, id: string, file: string, { overwrite = false, check }: Importing) => {
        const { ask, run, contest, context, out } = session;
        const { ImportCompetitors, PreviewCompetitors } = await import(
          '../../competition/exchange/importing/competitor-import.js'
        );
        const source = await sourceOf(file);
        const choices = { overwrite, today: today() };
        const preview = await ask(new PreviewCompetitors(contest(id), source, choices));
        refuseFaults(preview, file);
        if (check) {
          out.answer(preview, () => changesText(preview));
          return;
        }
        const options = { ...choices, preview: preview.fingerprint };
        const { position: _, ...report } = await run(
          new ImportCompetitors(contest(id), source, options, context),
        );
        out.answer(report, () => changesText(preview));
      }),
    );
};

const sourceOf = async (file: string) => {
  const format = /\.json$/i.test(file) ? ('wcif' as const) : ('csv' as const);
  return { format, name: file, bytes: await readGiven(file) };
};

const placed = (file: string, { line, column, reason }: CompetitorsPreview['faults'][number]): string =>
  `${[file, line, column].filter((part) => part !== null).join(':')}: ${reason}`;

const refuseFaults = ({ faults }: CompetitorsPreview, file: string): void => {
  if (faults.length === 0) return;
  throw new CliError([`${file} is not imported:`, ...faults.map((fault) => placed(file, fault))].join('\n'));
};

const said = (registration: RegistrationView | null): string | null =>
  registration && `${registration.state} ${registration.eventIds.join(' ')}`.trim();

const changesText = (preview: CompetitorsPreview): string => {
  const { competitors, sameCompetitors, personalBests, persons, notes } = preview;
  const changes = table(competitors, {
    change: ({ change, hasResults }) => (hasResults ? `${change}, has results` : change),
    number: 'number',
    name: 'name',
    'on the list': ({ before }) => said(before),
    'in the file': ({ file }) => said(file),
  });
  const bests = personalBests === 0 ? '' : `; personal bests of ${personalBests}`;
  return [
    ...(competitors.length === 0 ? [] : [changes]),
    `${sameCompetitors} the same; ${persons.filter(({ by }) => by === 'new').length} new persons${bests}`,
    ...notes.map(({ line, reason }) => `warning: ${line === null ? '' : `line ${line}: `}${reason}`),
  ].join('\n');
};

const exportCommand = (competitors: Command): void => {
  ofContest(competitors.command('export'))
    .description('Print the list as a CSV, which import takes again.')
    .option('--out <file>', 'write to this file instead of stdout')
    .addHelpText('after', '\nExample:\n  podium competitors export SpringOpen2026 --out competitors.csv')
    .action(
      inReadingSession(async ({ app, contest, out }, id: string, options: { readonly out?: string }) => {
        const { QueryBus } = await import('@nestjs/cqrs');
        const { exportCompetitorsCsv } = await import('../../competition/exchange/contest-export.js');
        const text = await exportCompetitorsCsv(app.get(QueryBus), contest(id));
        await out.save(text, options.out, { of: id, competitionId: id });
      }),
    );
};
