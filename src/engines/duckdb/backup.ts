/**
 * Writes a consistent copy of the whole store while the engine reads and writes. Besides its own file the engine may open
 * one folder, which exists only during a backup; the caller moves the copy out of it.
 */
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DuckDBInstance } from '@duckdb/node-api';

/** Beside the store's file. */
export const backupFolder = (storePath: string): string => `${storePath}.backup`;

export const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const COPY = '_podium_copy';

/** `to` must be in the backup folder. Appends during the backup are not in the copy and do not wait for it. */
export const backUp = async (instance: DuckDBInstance, to: string): Promise<void> => {
  await rm(dirname(to), { recursive: true, force: true });
  await mkdir(dirname(to), { recursive: true });
  const connection = await instance.connect();
  try {
    await connection.run(`ATTACH ${quotedText(to)} AS ${COPY}`);
    try {
      const result = await connection.runAndReadAll('SELECT current_database()');
      const name = String(result.getRows()[0]?.[0]).replaceAll('"', '""');
      await connection.run(`COPY FROM DATABASE "${name}" TO ${COPY}`);
      await connection.run(`CHECKPOINT ${COPY}`);
    } finally {
      await connection.run(`DETACH ${COPY}`);
    }
  } finally {
    connection.closeSync();
  }
};
