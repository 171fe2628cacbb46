/**
 * Opens the file in a sandboxed engine. Queries are checked before, and this is the second defence: no other file than
 * its own and a backup, no network, no extension, no setting that can be changed but one, and bounds on memory and disk.
 */
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { backupFolder, quotedText } from './backup.js';
import type { EngineOptions } from './messages.js';
import { SourceTables } from './source-tables.js';
import { makeFieldsTable } from './stored-fields.js';
import { makeSettingsTable, setSetting, settingIn } from './stored-settings.js';
import { WritingConnection } from './writing-connection.js';

/** The engine's own bound for the WAL, which the writer never lets it reach: see EntryWriter. */
const CHECKPOINT_AT = '1GB';
/** How many merges of row groups a checkpoint may make. The only setting that can be changed later; the writer does. */
export const MERGES = 'max_vacuum_tasks';
const SECRET_BYTES = 32;

export interface Engine {
  readonly instance: DuckDBInstance;
  /** The only connection that writes. */
  readonly writer: WritingConnection;
  /** How many engine threads there are, including the calling one. */
  readonly threads: number;
  /** Bytes in the WAL when the file was opened. */
  readonly walBytes: number;
  readonly secret: Buffer;
  readonly sources: SourceTables;
}

export const openEngine = async ({ path, memoryMb, threads }: EngineOptions): Promise<Engine> => {
  const wal = await stat(`${path}.wal`).catch(() => null);
  const config = configOf({
    memory_limit: `${memoryMb}MB`,
    threads: String(threads),
    temp_directory: `${path}.tmp`,
    max_temp_directory_size: `${4 * memoryMb}MB`,
    checkpoint_threshold: CHECKPOINT_AT,
    [MERGES]: '0',
    autoload_known_extensions: 'false',
    autoinstall_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const database = await duckdb.open(path, config);
  const instance = new DuckDBInstance(database);
  const writer = new WritingConnection(await duckdb.connect(database));
  await writer.run("SET GLOBAL TimeZone = 'UTC'");
  await writer.run(`SET GLOBAL allowed_directories = [${quotedText(backupFolder(path))}]`);
  await writer.run('SET GLOBAL enable_external_access = false');
  await writer.run(`SET GLOBAL allowed_configs = ['${MERGES}']`);
  await writer.run('SET GLOBAL lock_configuration = true');
  await writer.run('BEGIN');
  await writer.run('CREATE SCHEMA IF NOT EXISTS _podium');
  const sources = await SourceTables.open(writer);
  await makeSettingsTable(writer);
  const secret = await secretOf(writer);
  await makeFieldsTable(writer);
  await writer.run('COMMIT');
  return { instance, writer, threads, walBytes: wal?.size ?? 0, secret, sources };
};

const configOf = (settings: Readonly<Record<string, string>>): duckdb.Config => {
  const config = duckdb.create_config();
  for (const [name, value] of Object.entries(settings)) duckdb.set_config(config, name, value);
  return config;
};

/** Made with the file, and kept. */
const secretOf = async (writer: DuckDBConnection): Promise<Buffer> => {
  const before = await settingIn(writer, 'secret');
  const secret = before ?? randomBytes(SECRET_BYTES).toString('hex');
  if (before === null) await setSetting(writer, 'secret', secret);
  return Buffer.from(secret, 'hex');
};
