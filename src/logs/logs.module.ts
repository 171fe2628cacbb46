/** Log endpoints: access tokens, saved endpoints, queries, ingestion, alerts, drains. The server adds their timers. */
import { Logger, Module, type Provider } from '@nestjs/common';
import { messageOf } from '../foundation/basics/error-message.js';
import { READ_MODEL_STORE, type ReadModelStore } from '../foundation/read-models/read-model-store.js';
import { OutgoingMail } from '../http/outgoing/outgoing-mail.js';
import { OutgoingObjects } from '../http/outgoing/outgoing-objects.js';
import { OutgoingPosts, RESOLVE, resolveByDns } from '../http/outgoing/outgoing-posts.js';
import { AlertBook } from './alerts/alert-book.js';
import { AlertDeliveries } from './alerts/alert-deliveries.js';
import { AlertQuery } from './alerts/alert-query.js';
import { AlertRuns } from './alerts/alert-runs.js';
import { Alerts } from './alerts/alerts.js';
import { Receivers } from './alerts/receivers.js';
import { LOG_RESULT_CACHE } from './cache/result-cache.js';
import { SharedResultCache } from './cache/shared-result-cache.js';
import { FileEncoder } from './downloads/file-encoder.js';
import { DrainBook } from './drains/drain-book.js';
import { DrainDestinations } from './drains/drain-destinations.js';
import { DrainEntries } from './drains/drain-entries.js';
import { DrainRuns } from './drains/drain-runs.js';
import { Drains } from './drains/drains.js';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { EntryReader } from './ingest/entry-reader.js';
import { LogIngestion } from './ingest/log-ingestion.js';
import { QuotaMeter } from './ingest/quota-meter.js';
import { RefusedLog } from './ingest/refused-log.js';
import { Owners } from './owners.js';
import { CLOCK, systemClock } from './query/clock.js';
import { EndpointCalls } from './query/endpoint-calls.js';
import { LogProjects } from './query/log-projects.js';
import { QueryChecks } from './query/query-checks.js';
import { QueryCompiler } from './query/query-compiler.js';
import { QueryRuns } from './query/query-runs.js';
import { RunningQueries } from './query/running-queries.js';
import { ScanAmounts } from './query/scan-amounts.js';
import { ReceiverTests } from './receiver-tests.js';
import { SavedFilters } from './saved-filters/saved-filters.js';
import { savedQueryHandlers } from './saved-queries/saved-query.handlers.js';
import { CreateSourceHandler } from './sources/source.handlers.js';
import { ListSourcesHandler } from './sources/source.queries.handlers.js';
import { TailRights } from './tail/tail-rights.js';
import { TokensModule } from './tokens/tokens.module.js';

const resultCache = ({ resultCache: results }: ReadModelStore): SharedResultCache => {
  const logger = new Logger('LogResultCache');
  return new SharedResultCache({ results, onError: (error) => logger.warn(messageOf(error)) });
};

const queries: readonly Provider[] = [
  { provide: CLOCK, useValue: systemClock },
  { provide: LOG_RESULT_CACHE, useFactory: resultCache, inject: [READ_MODEL_STORE] },
  FileEncoder,
  SavedFilters,
  QueryChecks,
  QueryCompiler,
  QueryRuns,
  ScanAmounts,
  RunningQueries,
  TailRights,
  EndpointCalls,
  LogProjects,
  ...savedQueryHandlers,
];

const ingestion: readonly Provider[] = [
  EntryReader,
  QuotaMeter,
  RefusedLog,
  LogIngestion,
  CreateSourceHandler,
  ListSourcesHandler,
];

const alertsAndDrains: readonly Provider[] = [
  { provide: RESOLVE, useValue: resolveByDns },
  OutgoingPosts,
  OutgoingMail,
  OutgoingObjects,
  Owners,
  ReceiverTests,
  Receivers,
  AlertBook,
  AlertQuery,
  AlertRuns,
  AlertDeliveries,
  Alerts,
  DrainBook,
  DrainDestinations,
  DrainEntries,
  DrainRuns,
  Drains,
];

const modules = [TokensModule, EndpointsModule];
const providers = [...queries, ...ingestion, ...alertsAndDrains];

@Module({ imports: modules, providers, exports: [...modules, ...providers] })
export class LogsModule {}
