/** Queries of every form on ClickHouse: SQL, LQL, the stored endpoints, the explorer's templates. */
import { specsOnClickhouse } from '../../../support/clickhouse/specs-on-clickhouse.js';

await specsOnClickhouse([
  () => import('../sql/queries.spec.js'),
  () => import('../sql/constructs.spec.js'),
  () => import('../sql/correlated.spec.js'),
  () => import('../lql.spec.js'),
  () => import('../api-counts.spec.js'),
  () => import('../templates.spec.js'),
  () => import('../sql/estimates.spec.js'),
  () => import('../sql/identifiers.spec.js'),
]);
