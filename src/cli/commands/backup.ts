/**
 * `podium backup`: copies what no replay can restore, while a server runs. The event store is copied first,
 * then the operational store. Profiles are written before the events that name them, so every person in the
 * copied events has a copied profile, and no used id is given again. The logs come last, through the process
 * that owns their file.
 */
import { existsSync } from 'node:fs';
import { open, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { makeFolder } from '../../foundation/basics/folders.js';
import type { PodiumConfig } from '../../foundation/config.js';
import { table } from '../output.js';
import { CliError } from '../refusals.js';
import { globalOptions } from '../session.js';
import { fileBytes, pathOf, sizeText } from '../sqlite-file.js';
import { type Wiring, wiringOf } from '../wiring.js';

export const backupCommand = (program: Command): void => {
  program
    .command('backup')
    .description(
      'Copy the event store, the operational store and the logs into a new folder, also while serving.',
    )
    .argument('<dir>', 'new or empty')
    .addHelpText(
      'after',
      `
Read models are left out: the server rebuilds them from the events. To restore, stop the server and replace the data
folder with the copy. An operational store in MongoDB is copied into a file that an embedded store opens.

Examples:
  podium backup /backups/2026-04-11
  PODIUM_DATA=/backups/2026-04-11 podium doctor`,
    )
    .action(async (dir: string, _options: object, command: Command) => {
      const { Output } = await import('../output.js');
      const { loadConfig } = await import('../../foundation/config.js');
      const out = new Output(globalOptions(command).json);
      const written = await backUp(wiringOf(command), loadConfig(process.env), resolve(dir));
      out.answer(written, () =>
        [
          table(written.files, { store: 'store', file: 'file', size: ({ bytes }) => sizeText(bytes) }),
          `up to position ${written.position} of event store ${written.storeId}`,
          ...(written.logs === 'copied' ? [] : [`logs: ${written.logs}`]),
        ].join('\n'),
      );
    });
};

const isFile = (url: string): boolean => url.startsWith('sqlite:');

interface Written {
  readonly storeId: string;
  /** Position of the last event in the copy. */
  readonly position: number;
  readonly at: string;
  readonly version: string;
  readonly files: readonly CopiedFile[];
  /** `copied`, or the reason why not. */
  readonly logs: string;
}

interface CopiedFile {
  readonly store: string;
  readonly file: string;
  readonly bytes: number;
}

const backUp = async (wiring: Wiring, config: PodiumConfig, dir: string): Promise<Written> => {
  if (!isFile(config.eventStoreUrl)) {
    throw new CliError(
      'the event store is not a file; docs/operations.md says how to copy it with its server',
    );
  }
  for (const url of [config.eventStoreUrl, config.operationalUrl].filter(isFile)) {
    if (!existsSync(pathOf(url))) throw new CliError(`there is no ${pathOf(url)} to copy`);
  }
  makeFolder(dir);
  if ((await readdir(dir)).length > 0) throw new CliError(`${dir} is not empty; give a new folder`);
  const at = new Date().toISOString();
  const events = await wiring.embedded.backUpEvents(config.eventStoreUrl, join(dir, 'events.sqlite'));
  const operational = join(dir, 'operational.sqlite');
  await copyOperational(wiring, config, operational);
  const logs = await copyLogs(wiring, config, dir);
  const { VERSION } = await import('../../http/message/version.js');
  const written = {
    ...events,
    at,
    version: VERSION,
    files: [
      await copied(wiring, 'events', join(dir, 'events.sqlite')),
      await copied(wiring, 'operational', operational),
      ...(logs ? [logs] : []),
    ],
    logs: logs ? 'copied' : whereLogsAre(config),
  };
  await writeFile(join(dir, 'backup.json'), `${JSON.stringify(written, null, 2)}\n`);
  await flush(dir);
  return written;
};

const copyOperational = async (
  { stores }: Wiring,
  { operationalUrl }: PodiumConfig,
  path: string,
): Promise<void> => {
  const store = await stores.operational(operationalUrl);
  try {
    await store.backup(path);
  } finally {
    await store.close();
  }
};

const LOG_FILE = /^duckdb:(.+)$/;

const whereLogsAre = ({ logStoreUrl }: PodiumConfig): string =>
  LOG_FILE.test(logStoreUrl) ? 'there are none' : `at ${logStoreUrl}: back them up on that node`;

/**
 * Copies the logs through the server that owns the file, if there is one, and opens the copy to check it.
 * Returns null when this machine has no logs.
 */
const copyLogs = async (
  { stores }: Wiring,
  { logStoreUrl }: PodiumConfig,
  dir: string,
): Promise<CopiedFile | null> => {
  const [, path] = LOG_FILE.exec(logStoreUrl) ?? [];
  if (path === undefined || !existsSync(resolve(path))) return null;
  const file = join(dir, 'logs.duckdb');
  const store = await stores.logs(logStoreUrl);
  try {
    await store.backup(file);
  } finally {
    await store.close();
  }
  const copy = await stores.ownLogs(`duckdb:${file}`);
  await copy.close();
  await flush(file);
  return { store: 'logs', file, bytes: fileBytes(file) };
};

/** Checks that a copy is sound, and flushes it to the disk. */
const copied = async ({ embedded }: Wiring, store: string, file: string): Promise<CopiedFile> => {
  const fault = await embedded.findFault(file);
  if (fault !== null) throw new CliError(`the copy ${file} is not sound: ${fault}`);
  await flush(file);
  return { store, file, bytes: fileBytes(file) };
};

const flush = async (path: string): Promise<void> => {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};
