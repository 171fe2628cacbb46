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
import { isOutage } from '../../foundation/basics/store-unavailable.js';
import type { PodiumConfig } from '../../foundation/config.js';
import { isSharedLogStore, shownLogStore } from '../../foundation/log-store/log-owner.js';
import {
  endOfCopy,
  MANIFEST_FILE,
  type Manifest,
  type NamedManifest,
} from '../../foundation/losses/manifest.js';
import type { BackupNote } from '../../foundation/operational/witness-store.js';
import { makeNewResultFile } from '../file-modes.js';
import { requireRoom } from '../free-space.js';
import { writingGiven } from '../given-files.js';
import { table } from '../output.js';
import { CliError } from '../refusals.js';
import { globalOptions } from '../session.js';
import { fileBytes, logPathOf, pathOf, sizeText } from '../sqlite-file.js';
import { type Wiring, wiringOf } from '../wiring.js';

export const backupCommand = (program: Command): void => {
  program
    .command('backup')
    .description(
      'Copy the event store, the operational store and the logs into a new folder, also while serving.',
    )
    .argument('[dir]', 'new or empty')
    .option(
      '--no-logs',
      'leave the logs out: their copy needs room beside their file, and the others need none',
    )
    .option(
      '--manifest-only <file>',
      'write only the manifest, before the engines’ own tools copy the stores',
    )
    .addHelpText(
      'after',
      `
Read models are left out: the server rebuilds them from the events. To restore, stop the server and replace the data
folder with the copy. An operational store in MongoDB is copied into a file that an embedded store opens. Where the disk of
the data folder is full, --no-logs copies the rest to another one.

--manifest-only is for copies by the engines' own tools: a snapshot of KurrentDB, then mongodump. Run it before them. To
restore, put the file as backup.json into the data folder of the first node that starts on the copy.

Examples:
  podium backup /backups/2026-04-11
  podium backup /mnt/other/2026-04-11 --no-logs
  podium backup --manifest-only /backups/2026-04-11.json
  PODIUM_DATA=/backups/2026-04-11 podium doctor`,
    )
    .action(async (dir: string | undefined, { manifestOnly, logs }: BackupOptions, command: Command) => {
      const { Output } = await import('../output.js');
      const { loadConfig } = await import('../../foundation/config.js');
      const out = new Output(globalOptions(command).json);
      if ((dir === undefined) === (manifestOnly === undefined))
        throw new CliError('give a folder, or --manifest-only with a file');
      if (dir === undefined) {
        const file = resolve(manifestOnly ?? '');
        const manifest = await writeManifest(wiringOf(command), loadConfig(process.env), file);
        out.answer(
          manifest,
          `${file}: events up to position ${manifest.position}. Now copy the event store, then the operational store`,
        );
        return;
      }
      const config = loadConfig(process.env);
      const written = await backUp(wiringOf(command), config, { dir: resolve(dir), takesLogs: logs });
      out.answer(written, () =>
        [
          table(written.files, { store: 'store', file: 'file', size: ({ bytes }) => sizeText(bytes) }),
          `up to position ${written.position} of event store ${written.storeId}`,
          ...(written.logs === 'copied' ? [] : [`logs: ${written.logs}`]),
        ].join('\n'),
      );
    });
};

interface BackupOptions {
  readonly logs: boolean;
  readonly manifestOnly?: string;
}

const isFile = (url: string): boolean => url.startsWith('sqlite:');

interface Written extends Manifest {
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

const backUp = async (
  wiring: Wiring,
  config: PodiumConfig,
  { dir, takesLogs }: { readonly dir: string; readonly takesLogs: boolean },
): Promise<Written> => {
  if (!isFile(config.eventStoreUrl)) {
    throw new CliError(
      'the event store is not a file; docs/operations.md says how to copy it with its server',
    );
  }
  const files = [config.eventStoreUrl, config.operationalUrl].filter(isFile).map(pathOf);
  for (const file of files) if (!existsSync(file)) throw new CliError(`there is no ${file} to copy`);
  const kept = await writingGiven(dir, undefined, async () => {
    makeFolder(dir);
    return readdir(dir);
  });
  if (kept.length > 0) throw new CliError(`${dir} is not empty; give a new folder`);
  await requireRoom({ to: dir, files, logs: takesLogs ? logFileOf(config) : null });
  const at = new Date().toISOString();
  const events = await wiring.embedded.backUpEvents(config.eventStoreUrl, join(dir, 'events.sqlite'));
  const operational = join(dir, 'operational.sqlite');
  await copyOperational(wiring, config, operational);
  await setWitness(wiring, events, operational);
  const logs = takesLogs ? await copyLogs(wiring, config, dir) : null;
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
    logs: logs ? 'copied' : takesLogs ? whereLogsAre(config) : 'left out',
  };
  await writeFile(join(dir, MANIFEST_FILE), `${JSON.stringify(written, null, 2)}\n`);
  await flush(dir);
  await leaveNote(wiring, config, { at, folder: dir, position: events.position }).catch((error: unknown) => {
    // The copy is whole, also where the disk of the stores has no room for a note.
    if (!isOutage(error)) throw error;
  });
  return written;
};

/** What is copied after it holds these events, and its first start begins this epoch. */
const writeManifest = async (wiring: Wiring, config: PodiumConfig, file: string): Promise<NamedManifest> => {
  if (existsSync(file)) throw new CliError(`${file} is there already; give a new file`);
  const { nextEpoch } = await import('../../foundation/event-store/installation.js');
  const store = await wiring.stores.events(config.eventStoreUrl, { ...config, readOnly: true });
  const read = async () => ({ ...(await store.identity()), position: await store.head() });
  const { storeId, installation, position } = await read().finally(() => store.close());
  if (installation === null)
    throw new CliError('the event store has no installation yet: start a server first');
  const at = new Date().toISOString();
  const begun = { ...installation, epoch: nextEpoch(installation.epoch) };
  const manifest = { storeId, position, installation: begun, copiedBy: 'engines', at } as const;
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writingGiven(file, '--manifest-only', () => {
    makeNewResultFile(file);
    return writeFile(file, text, { flush: true });
  });
  await leaveNote(wiring, config, { at, folder: file, position });
  return manifest;
};

/** The copied operational store remembers the end of the copied events: they raise no alarm, and a cut copy does. */
const setWitness = async ({ stores }: Wiring, manifest: Manifest, path: string): Promise<void> => {
  const { installation, event = null } = manifest;
  if (!installation) return;
  const copy = await stores.operational(`sqlite:${path}`);
  await copy.witnesses
    .begin(installation, [{ ...endOfCopy({ ...manifest, installation }), event }])
    .finally(() => copy.close());
};

/** For `podium doctor`. */
const leaveNote = async (
  { stores }: Wiring,
  { operationalUrl }: PodiumConfig,
  note: BackupNote,
): Promise<void> => {
  const store = await stores.operational(operationalUrl);
  await store.witnesses.noteBackup(note).finally(() => store.close());
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

const whereLogsAre = ({ logStoreUrl }: PodiumConfig): string => {
  if (isSharedLogStore(logStoreUrl))
    return `at ${shownLogStore(logStoreUrl)}: copy them with its own BACKUP DATABASE`;
  return logPathOf(logStoreUrl) ? 'there are none' : `at ${logStoreUrl}: back them up on that node`;
};

/** Null when this machine has no logs. */
const logFileOf = ({ logStoreUrl }: PodiumConfig): string | null => {
  const path = logPathOf(logStoreUrl);
  return path !== null && existsSync(path) ? path : null;
};

/**
 * Copies the logs through the server that owns the file, if there is one, and opens the copy to check it.
 * Returns null when this machine has no logs.
 */
const copyLogs = async (
  { stores }: Wiring,
  config: PodiumConfig,
  dir: string,
): Promise<CopiedFile | null> => {
  if (logFileOf(config) === null) return null;
  const file = join(dir, 'logs.duckdb');
  const store = await stores.logs(config.logStoreUrl);
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
