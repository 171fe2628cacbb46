/** Values that the file keeps under a name. */
import type { DuckDBConnection } from '@duckdb/node-api';

export const makeSettingsTable = async (writer: DuckDBConnection): Promise<void> => {
  await writer.run('CREATE TABLE IF NOT EXISTS _podium.store (name VARCHAR, value VARCHAR)');
};

/** Null: there is none. */
export const settingIn = async (writer: DuckDBConnection, name: string): Promise<string | null> => {
  const result = await writer.runAndReadAll('SELECT value FROM _podium.store WHERE name = $name', { name });
  const [[value] = []] = result.getRows();
  return typeof value === 'string' ? value : null;
};

/** Null removes it. */
export const setSetting = async (
  writer: DuckDBConnection,
  name: string,
  value: string | null,
): Promise<void> => {
  await writer.run('DELETE FROM _podium.store WHERE name = $name', { name });
  if (value !== null) await writer.run('INSERT INTO _podium.store VALUES ($name, $value)', { name, value });
};
