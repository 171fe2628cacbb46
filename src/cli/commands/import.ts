/**
 * `podium import`: imports contests from folders and files, each completely or not at all, and reports what was
 * decided.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ContestOutcome, ImportReport } from '../../competition/exchange/exchange.commands.js';
import type { Reading } from '../../competition/exchange/formats/contest-file.js';
import { table } from '../output.js';
import { startProgress } from '../progress.js';
import { CliError } from '../refusals.js';
import { withSession } from '../session.js';

export const importCommand = (program: Command): void => {
  program
    .command('import')
    .description('Import contests: a folder of contests, a contest folder, a WCIF file, a results CSV.')
    .argument('<path>')
    .option('--open', 'leave them ongoing with open rounds (default: finished)')
    .option('--check', 'import nothing: compare published singles, averages and places with those of Podium')
    .addHelpText(
      'after',
      `
A contest with a fault is left out completely, and its faults are listed with file, line and column. The others are
imported, and the exit status is 1. Importing again changes nothing.

Examples:
  podium import examples
  podium import --check examples
  podium import wcif.json --open --space club`,
    )
    .action(async (path: string, options: { open?: boolean; check?: boolean }, command: Command) => {
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
          { spaceId, open: options.open ?? false, onContest },
          context,
        );
        const report = await run(importing).finally(() => progress.stop());
        out.answer(report, () => reportText(report));
        await refuseLeftOut(report);
      });
    });
};

/** Reads all contests before the first import, so that the time left is known. */
const readAll = async (path: string): Promise<readonly Reading[]> => {
  const { readContests } = await import('../../competition/exchange/formats/read-contests.js');
  const readings: Reading[] = [];
  for await (const reading of readContests(path)) readings.push(reading);
  if (readings.length === 0) throw new CliError(`there is no contest in ${path}`);
  return readings;
};

const reportText = ({ contests }: ImportReport): string => {
  const persons = contests.flatMap((contest) => contest.persons);
  const count = (by: string): number =>
    new Set(persons.filter((each) => each.by === by).map(({ personId }) => personId)).size;
  const notes = contests.flatMap((contest) => contest.notes);
  return [
    table(contests, {
      contest: ({ competitionId, source }) => competitionId ?? source,
      outcome: 'outcome',
      results: 'results',
    }),
    `persons: ${count('new')} new, ${count('assocId')} known by association id, ${count('name')} by name`,
    ...(notes.length === 0 ? [] : [`${notes.length} parts of the files are not read; --json lists them`]),
  ].join('\n');
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
