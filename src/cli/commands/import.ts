/**
 * `podium import`: imports contests from folders and files, each completely or not at all, and reports what was
 * decided.
 */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type {
  ContestOutcome,
  ImportChoice,
  ImportReport,
} from '../../competition/exchange/exchange.commands.js';
import type { Fault, Reading } from '../../competition/exchange/formats/contest-file.js';
import { today } from '../../foundation/basics/today.js';
import { table } from '../output.js';
import { startProgress } from '../progress.js';
import { CliError } from '../refusals.js';
import { withSession } from '../session.js';

interface Given {
  readonly open?: boolean;
  readonly finish?: boolean;
  readonly check?: boolean;
  readonly overwriteList?: boolean;
}

const choiceOf = ({ open = false, finish = false }: Given): ImportChoice | null =>
  open ? 'open' : finish ? 'finish' : null;

export const importCommand = (program: Command): void => {
  program
    .command('import')
    .description('Import contests: a folder of contests, a contest folder, a WCIF file, a results CSV.')
    .argument('<path>')
    .option('--open', 'leave them ongoing, with their rounds open')
    .addOption(
      new Option(
        '--finish',
        'finish those with results in the file: closes every round, ends every key',
      ).conflicts('open'),
    )
    .option('--overwrite-list', 'change competitor lists also where moderators changed them since')
    .option('--check', 'import nothing: compare published singles, averages and places with those of Podium')
    .addHelpText(
      'after',
      `
Without --open and --finish a stored contest stays in its state: results for a draft or announced one are refused. A new
contest that ended before today (UTC) is finished. One that goes on today is ongoing when the file has results. Any
other new contest is announced.

A contest with a fault is left out completely, and its faults are listed with file, line and column. The others are
imported, and the exit status is 1. Importing again changes nothing.

A WCIF with registrations brings the competitor list of its contest up to date: who is missing is dropped. What moderators
changed since the last import stays, unless --overwrite-list is given. \`podium competitors import\` reads nothing but the list.

Examples:
  podium import examples
  podium import --check examples
  podium import wcif.json --open --space club
  podium import results.csv --finish`,
    )
    .action(async (path: string, options: Given, command: Command) => {
      if (options.check) {
        const { reportPublished } = await import('./published-report.js');
        return reportPublished(resolve(path), command);
      }
      return withSession(command, async ({ run, spaceId, context, out }) => {
        const { ImportContests } = await import('../../competition/exchange/exchange.commands.js');
        const readings = await readAll(resolve(path));
        const progress = await startProgress('contests');
        let done = 0;
        const onContest = (outcome: ContestOutcome): void => {
          done += 1;
          progress.update(done, readings.length, outcome.competitionId ?? '');
        };
        const importing = new ImportContests(
          readings,
          {
            spaceId,
            choice: choiceOf(options),
            overwriteList: options.overwriteList ?? false,
            today: today(),
            onContest,
          },
          context,
        );
        const report = await run(importing).finally(() => progress.stop());
        const { faultText } = await import('../../competition/exchange/formats/contest-file.js');
        out.answer(report, () => reportText(report, faultText));
        await refuseLeftOut(report);
      });
    });
};

/** Reads all contests before the first import, so that the time left is known. Throws CliError when there is none. */
export const readAll = async (path: string): Promise<readonly Reading[]> => {
  const { readContests } = await import('../../competition/exchange/formats/read-contests.js');
  const readings: Reading[] = [];
  for await (const reading of readContests(path)) readings.push(reading);
  if (readings.length === 0) throw new CliError(`there is no contest in ${path}`);
  return readings;
};

/** Most warnings that the report for readers shows. */
const SHOWN_NOTES = 20;

const reportText = ({ contests }: ImportReport, textOf: (note: Fault) => string): string => {
  const persons = contests.flatMap((contest) => contest.persons);
  const count = (by: string): number =>
    new Set(persons.filter((each) => each.by === by).map(({ personId }) => personId)).size;
  const notes = contests.flatMap((contest) => contest.notes);
  const ended = contests.flatMap(({ competitionId, endedKeys }) =>
    endedKeys.map(({ keyId, device }) => `key ended: ${keyId} (${device}) of ${competitionId}`),
  );
  return [
    table(contests, {
      contest: ({ competitionId, source }) => competitionId ?? source,
      outcome: 'outcome',
      results: 'results',
    }),
    `persons: ${count('new')} new, ${count('assocId')} known by association id, ${count('name')} by name`,
    ...contests.flatMap(listLine),
    ...ended,
    ...notes.slice(0, SHOWN_NOTES).map((note) => `warning: ${textOf(note)}`),
    ...(notes.length <= SHOWN_NOTES
      ? []
      : [`${notes.length - SHOWN_NOTES} more warnings; --json lists them`]),
  ].join('\n');
};

const listLine = ({ competitionId, list }: ContestOutcome): readonly string[] => {
  const counted = Object.entries(list).filter(([, count]) => count > 0);
  if (counted.length === 0) return [];
  return [
    `competitors of ${competitionId}: ${counted.map(([change, count]) => `${count} ${change}`).join(', ')}`,
  ];
};

const refuseLeftOut = async ({ contests }: ImportReport): Promise<void> => {
  const leftOut = contests.filter(({ outcome }) => outcome === 'left-out');
  if (leftOut.length === 0) return;
  const { faultText } = await import('../../competition/exchange/formats/contest-file.js');
  throw new CliError(
    [
      `${leftOut.length} of ${contests.length} contests were left out:`,
      ...leftOut.flatMap(({ faults }) => faults.map(faultText)),
    ].join('\n'),
  );
};
