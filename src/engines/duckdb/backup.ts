/**
 * A copy of the whole store as of one moment, made by the engine itself while it writes and reads. The engine may open one
 * folder besides its own file, which is there only while a copy is made; whoever asked takes the copy away from there.
 */
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DuckDBInstance } from '@duckdb/node-api';

/** Beside the store's file. */
export const backupFolder = (storePath: string): string => `${storePath}.backup`;

export const quotedText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const COPY = '_podium_copy';

/** `to` has to be in the backup folder. Writes that come meanwhile are not in the copy and do not wait for it. */
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
