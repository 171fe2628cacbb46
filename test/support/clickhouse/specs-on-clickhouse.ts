/** Runs specs of queries once more, on ClickHouse, in the spec that calls this. */
import { describe, it } from '@jest/globals';
import { openQueriesOn } from '../log-queries.js';
import { hasClickhouse } from './clickhouse-server.js';
import { openOnClickhouse } from './own-database.js';

/** `specs`: import them. They are skipped where there is no ClickHouse. */
export const specsOnClickhouse = async (specs: readonly (() => Promise<unknown>)[]): Promise<void> => {
  if (!hasClickhouse) return describe.skip('on ClickHouse', () => it('runs', () => undefined));
  openQueriesOn(openOnClickhouse);
  for (const spec of specs) await spec();
};
