/** `podium logs copy`: copies all log entries into another log store, on whatever engines. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { CopiedLogs } from '../../logs/copy/copy-logs.js';
import { Output, table } from '../output.js';
import { startProgress } from '../progress.js';
import { CliError } from '../refusals.js';
import { globalOptions } from '../session.js';
import { logPathOf } from '../sqlite-file.js';
import { wiringOf } from '../wiring.js';

interface Options {
  readonly from: string;
  readonly to: string;
}

export const copyLogsCommand = (logs: Command): void => {
  logs
    .command('copy')
    .description('Copy all log entries and sources into another log store.')
    .requiredOption('--from <url>', 'the log store to copy, as LOG_STORE_URL names it')
    .requiredOption('--to <url>', 'the log store to copy into; what it has stays')
    .addHelpText(
      'after',
      `
A copy that was interrupted goes on: entries that the target has are not appended again. Each project's entries of each hour are then
compared by their number and a checksum. Servers may run on both; entries that come meanwhile may be left to the next copy. Tails of
the target show copied entries as new.

Examples:
  podium logs copy --from duckdb:data/logs.duckdb --to clickhouse://podium:changeit@db:8123/podium
  podium logs copy --from clickhouse://podium:changeit@db:8123/podium --to duckdb:/backups/logs.duckdb`,
    )
    .action(async ({ from, to }: Options, command: Command) => {
      if (from === to) throw new CliError('--from and --to are the same');
      const file = logPathOf(from);
      if (file !== null && !existsSync(file)) throw new CliError(`there is no ${file} to copy`);
      const copied = await copyAll(command, { from, to });
      const out = new Output(globalOptions(command).json);
      out.answer(copied, () => textOf(copied));
      if (copied.differences.length > 0) process.exitCode = 1;
    });
};

const copyAll = async (command: Command, { from, to }: Options): Promise<CopiedLogs> => {
  const { stores } = wiringOf(command);
  const { copyLogs } = await import('../../logs/copy/copy-logs.js');
  const source = await stores.logs(from);
  const target = await stores.logs(to);
  const progress = await startProgress('entries');
  try {
    return await copyLogs({ from: source, to: target }, progress.update);
  } finally {
    progress.stop();
    await target.close();
    await source.close();
  }
};

const textOf = ({ sources, differences }: CopiedLogs): string =>
  [
    table(sources, { source: 'source', entries: 'entries', 'copied now': 'appended', compared: 'compared' }),
    ...differences.map(
      ({ source, project, hour, entries, differing }) =>
        `${differing} of ${entries} entries of ${project ?? 'no project'} in ${source} from ${hour} on are not the same in the target`,
    ),
  ].join('\n');
