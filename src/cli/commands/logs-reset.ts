/** `podium logs reset`: puts a damaged file of logs aside, so that new entries have a file again. */
import { existsSync, renameSync } from 'node:fs';
import type { Command } from 'commander';
import { isSharedLogStore, shownLogStore } from '../../foundation/log-store/log-owner.js';
import { Output } from '../output.js';
import { CliError } from '../refusals.js';
import { globalOptions } from '../session.js';
import { logPathOf } from '../sqlite-file.js';
import { type Wiring, wiringOf } from '../wiring.js';

export const resetCommand = (logs: Command): void => {
  logs
    .command('reset')
    .description('Move the file of the logs aside and make an empty one.')
    .option('--yes', 'do it; without this nothing is changed')
    .addHelpText(
      'after',
      `
For a damaged file that no backup replaces. The entries in it are no longer served; the file keeps them, under a name with the
time. Sources of your own are to be added again. Contests and results are not affected. Stop the server before: it is refused while the file is in use.

Examples:
  podium logs reset
  podium logs reset --yes`,
    )
    .action(async ({ yes = false }: { readonly yes?: boolean }, command: Command) => {
      const { loadConfig } = await import('../../foundation/config.js');
      const { logStoreUrl } = loadConfig(process.env);
      const out = new Output(globalOptions(command).json);
      const { stores } = wiringOf(command);
      const file = ownFile(logStoreUrl);
      const fault = await faultIn(stores, logStoreUrl);
      const state = fault === null ? 'the file is sound' : `the file is damaged: ${fault}`;
      if (!yes)
        throw new CliError(
          `${state}. Give --yes to move ${file} aside and begin an empty one, without the sources of your own: add them again`,
        );
      const aside = `${file}.damaged-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`;
      renameSync(file, aside);
      if (existsSync(`${file}.wal`)) renameSync(`${file}.wal`, `${aside}.wal`);
      await (await stores.ownLogs(logStoreUrl)).close();
      out.answer({ file, aside, fault }, `${state}. It was moved to ${aside}; ${file} is empty`);
    });
};

const ownFile = (url: string): string => {
  const file = logPathOf(url);
  if (isSharedLogStore(url))
    throw new CliError(
      `the logs are at ${shownLogStore(url)}, and this is for a damaged file: restore a backup there, or drop the database; a server makes it anew`,
    );
  if (file === null) throw new CliError(`the logs are at ${url}; do this on that node`);
  if (!existsSync(file)) throw new CliError(`there is no ${file}`);
  return file;
};

/** Null: the file is sound. Throws when it is in use, or cannot be opened for another reason than damage. */
const faultIn = async ({ ownLogs }: Wiring['stores'], url: string): Promise<string | null> => {
  const { LogsDamagedError } = await import('../../foundation/log-store/log-store.js');
  try {
    const store = await ownLogs(url);
    await store.close();
    return null;
  } catch (error) {
    if (error instanceof LogsDamagedError) return error.message;
    throw error;
  }
};
