/** The tables of functions on ClickHouse: the same expressions with the same values. */
import { specsOnClickhouse } from '../../../support/clickhouse/specs-on-clickhouse.js';

await specsOnClickhouse([
  () => import('../sql/expressions.spec.js'),
  () => import('../sql/times.spec.js'),
  () => import('../sql/documented-functions.spec.js'),
  () => import('../sql/mixed-fields.spec.js'),
]);
