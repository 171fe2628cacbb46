/** Reads a Parquet file with DuckDB, an implementation that is not the writer's. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

export interface ParquetTable {
  /** The engine's type of each column. */
  readonly types: Readonly<Record<string, string>>;
  /** Values as the engine's JSON has them: big integers and times are text. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

export const readParquet = async (file: Uint8Array): Promise<ParquetTable> => {
  const folder = await mkdtemp(join(tmpdir(), 'podium-parquet-'));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const path = join(folder, 'rows.parquet');
    await writeFile(path, file);
    const read = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`);
    const types = read.columnTypes().map((type, at) => [read.columnName(at), type.alias ?? String(type)]);
    return { types: Object.fromEntries(types), rows: read.getRowObjectsJson() };
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true });
  }
};

/** The types of the columns that each entry has. */
export const ENTRY_TYPES = {
  id: 'VARCHAR',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
  event_message: 'VARCHAR',
  metadata: 'VARCHAR',
};
