/**
 * Removes old entries. Days of receipt that have nothing else go as whole partitions, which costs no reading; of the others the rows
 * are marked, and go with the next merge.
 */
import type { ProjectChoice } from '../../foundation/log-store/log-store.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import { type ClickhouseConnection, LONG_STATEMENT } from './connection.js';
import { removalSettings } from './replicas.js';
import { identifier, textLiteral } from './sql/clickhouse-sql.js';
import { textList } from './sql-text.js';

export interface Removal {
  readonly source: LogSource;
  /** Microseconds since 1970, exclusive. */
  readonly timestamp: number;
  readonly whose?: ProjectChoice;
}

/** In the writer's turn, so no entry comes into these days meanwhile. Returns how many were removed. */
export const removeEntries = async (
  connection: ClickhouseConnection,
  { source, timestamp, whose }: Removal,
): Promise<number> => {
  const table = identifier(source);
  const isOwn = whose === undefined ? '1' : `_owner IN ${textList(whose.projects.filter(Boolean))}`;
  const isChosen = whose?.others ? `NOT (${isOwn})` : isOwn;
  const isOld = `timestamp < fromUnixTimestamp64Micro({before:Int64}, 'UTC') AND ${isChosen}`;
  const days = await connection.rows<[string, number, number]>(
    `SELECT _partition_id, countIf(${isOld}) AS old, count() FROM ${table} GROUP BY _partition_id HAVING old > 0`,
    { before: timestamp },
    LONG_STATEMENT,
  );
  for (const [day, old, all] of days)
    if (old === all) await connection.command(`ALTER TABLE ${table} DROP PARTITION ID ${textLiteral(day)}`);
  if (days.some(([, old, all]) => old < all))
    await connection.command(
      `DELETE FROM ${table} WHERE ${isOld}`,
      { before: timestamp },
      {
        ...LONG_STATEMENT,
        ...removalSettings(connection.cluster),
      },
    );
  return days.reduce((sum, [, old]) => sum + old, 0);
};
