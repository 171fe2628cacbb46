/** `podium generate-logs`: realistic entries of all nine sources, written through the server if one runs. */
import type { Command } from 'commander';
import { positiveInteger, wholeNumber } from '../arguments.js';
import { startProgress } from '../progress.js';
import { inSession } from '../session.js';

interface Options {
  readonly entries: number;
  readonly seed: number;
  readonly days: number;
}

export const generateLogsCommand = (program: Command): void => {
  program
    .command('generate-logs')
    .description('Write generated log entries of all nine sources and twenty projects.')
    .requiredOption('--entries <n>', 'how many entries', positiveInteger)
    .option('--seed <n>', 'the same seed makes the same entries', wholeNumber, 1)
    .option('--days <n>', 'over how many days until now', positiveInteger, 7)
    .addHelpText(
      'after',
      `
The same seed again within 24 hours adds nothing: the entries have the same ids.

Examples:
  podium generate-logs --entries 10000
  podium generate-logs --entries 1000000 --seed 7 --days 30`,
    )
    .action(
      inSession(async ({ app, wiring, out }, { entries, seed, days }: Options) => {
        const { LOG_STORE } = await import('../../foundation/log-store/log-store.js');
        const begun = Date.now();
        const progress = await startProgress('entries');
        const request = { entries, seed, days, until: begun * 1_000 };
        const { projects, ...written } = await wiring.generators
          .logs(app.get(LOG_STORE), request, (done) => progress.update(done, entries, 'written'))
          .finally(() => progress.stop());
        const seconds = (Date.now() - begun) / 1_000;
        const again = written.accepted === 0 ? ', another --seed makes others' : '';
        out.answer(
          { ...written, seed, seconds, projects },
          `${written.accepted} entries (${written.duplicates} existed already${again}) in ${seconds.toFixed(1)} s; the busiest project is ${projects[0]}`,
        );
      }),
    );
};
