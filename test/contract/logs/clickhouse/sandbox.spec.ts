/** The sandbox on ClickHouse: attempts to get out of it, queries that want too much, queries made at random, tied tokens. */
import { specsOnClickhouse } from '../../../support/clickhouse/specs-on-clickhouse.js';

await specsOnClickhouse([
  () => import('../sql/sandbox.spec.js'),
  () => import('../sql/random-queries.spec.js'),
  () => import('../sql/tied-tokens.spec.js'),
]);
