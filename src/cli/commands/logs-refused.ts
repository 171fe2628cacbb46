/** `podium logs refused`: the log entries of the last day that broke a rule. */
import type { Command } from 'commander';
import type { RefusedEntriesFilter } from '../../logs/ingest/refused-log.js';
import { positiveInteger, sourceName } from '../arguments.js';
import { inReadingSession } from '../session.js';

export const refusedCommand = (logs: Command): void => {
  logs
    .command('refused')
    .description('List the log entries of the last day that broke a rule, newest first.')
    .option('--project <project>', 'only those of this project')
    .option('--source <source>', 'only those of this source', sourceName)
    .option('--limit <n>', 'at most so many', positiveInteger, 50)
    .addHelpText(
      'after',
      `
Shows the start of each entry, without IP addresses. The server lists at most the newest 1,000 of each sender, and the first 20 of
each body.

Examples:
  podium logs refused
  podium logs refused --project todo-app --source edge_logs --limit 10`,
    )
    .action(
      inReadingSession(async ({ app, out }, filter: RefusedEntriesFilter) => {
        const { RefusedLog } = await import('../../logs/ingest/refused-log.js');
        const { items } = await app.get(RefusedLog).page(filter);
        out.list(items, {
          refused: 'refusedAt',
          source: 'source',
          project: 'project',
          index: 'index',
          reason: 'reason',
          entry: ({ entry }) => entry.slice(0, MAX_SHOWN_LENGTH),
        });
      }),
    );
};

/** Of an entry in the table; `--json` has all that is kept. */
const MAX_SHOWN_LENGTH = 80;
