/** The shared providers of all controllers: reads, read-your-writes, metrics, health. Knows no feature. */
import { Global, Module } from '@nestjs/common';
import { NODE_ID, newNodeId } from '../foundation/projections/runner/nodes.js';
import { FailedCredentialLimiter } from './credentials/failed-credential-limiter.js';
import { EdgeCaching } from './edge/edge-caching.js';
import { EdgePurges } from './edge/edge-purges.js';
import { Health, HealthController } from './observability/health.js';
import { Metrics, MetricsController } from './observability/metrics.js';
import { MetricsServer } from './observability/metrics-server.js';
import { RequestMetrics } from './observability/request-metrics.js';
import { ProblemKindsController } from './openapi/openapi.js';
import { ReadYourWrites } from './reads/read-your-writes.js';
import { Reads } from './reads/reads.js';
import { ReadyReads } from './reads/ready-reads.js';
import { VisibleCommands } from './reads/visible-commands.js';

const shared = [
  ...[Reads, ReadYourWrites, VisibleCommands, ReadyReads, EdgeCaching, EdgePurges, FailedCredentialLimiter],
  ...[RequestMetrics, Metrics, MetricsServer, Health],
];

@Global()
@Module({
  controllers: [HealthController, ProblemKindsController, MetricsController],
  providers: [{ provide: NODE_ID, useFactory: newNodeId }, ...shared],
  exports: [NODE_ID, ...shared],
})
export class HttpModule {}
