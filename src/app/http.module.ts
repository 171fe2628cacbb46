/** Everything that speaks HTTP: the controllers of all features and what they share. The stores come from elsewhere. */
import { Module } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AccountsModule } from '../accounts/accounts.module.js';
import { SessionController } from '../accounts/session.controller.js';
import { UsersModerationController } from '../accounts/users-moderation.controller.js';
import { CompetitorsModerationController } from '../competition/contests/competitors-moderation.controller.js';
import { ContestModeration } from '../competition/contests/contest-moderation.js';
import { ContestsController } from '../competition/contests/contests.controller.js';
import { ContestsModerationController } from '../competition/contests/contests-moderation.controller.js';
import { ExchangeModerationController } from '../competition/exchange/exchange-moderation.controller.js';
import { ImportGate } from '../competition/exchange/importing/import-gate.js';
import { KeyCheck } from '../competition/keys/key-header.js';
import { KeysModerationController } from '../competition/keys/keys-moderation.controller.js';
import { MergeModerationController } from '../competition/merges/merge-moderation.controller.js';
import { PersonModeration } from '../competition/persons/person-moderation.js';
import { PersonsModerationController } from '../competition/persons/persons-moderation.controller.js';
import { RankingsController } from '../competition/rankings/rankings.controller.js';
import { RankingsModule } from '../competition/rankings/rankings.module.js';
import { RecordsController } from '../competition/records/records.controller.js';
import { EarlyEntry } from '../competition/rounds/early-entry.js';
import { EntryController } from '../competition/rounds/entry.controller.js';
import { EntryDesk } from '../competition/rounds/entry-desk.js';
import { EntryModerationController } from '../competition/rounds/entry-moderation.controller.js';
import { RoundsModerationController } from '../competition/rounds/rounds-moderation.controller.js';
import { EventsController } from '../competition/spaces/events.controller.js';
import { CONFIG, type PodiumConfig } from '../foundation/config.js';
import { ownerOf } from '../foundation/log-store/log-owner.js';
import { LOG_STORE, type LogStore } from '../foundation/log-store/log-store.js';
import { NODE_ID, newNodeId } from '../foundation/projections/runner/nodes.js';
import { Guesses } from '../http/credentials/guesses.js';
import { Health, HealthController } from '../http/observability/health.js';
import { Metrics, MetricsController } from '../http/observability/metrics.js';
import { RequestMetrics } from '../http/observability/request-metrics.js';
import { ProblemKindsController } from '../http/openapi/openapi.js';
import { Commanded } from '../http/reads/commanded.js';
import { Reads } from '../http/reads/reads.js';
import { ReadyReads } from '../http/reads/ready-reads.js';
import { LogCacheModule } from '../logs/cache/cache.module.js';
import { EndpointsController } from '../logs/endpoint-management/endpoints.controller.js';
import { EndpointsModule } from '../logs/endpoints/endpoints.module.js';
import { ForwardedOwnRequests } from '../logs/forwarded-own-requests.js';
import { LogForwarding } from '../logs/forwarding/log-forwarding.js';
import { EntryReader } from '../logs/ingest/entry-reader.js';
import { IngestController } from '../logs/ingest/ingest.controller.js';
import { IngestModule } from '../logs/ingest/ingest.module.js';
import { IngestGate } from '../logs/ingest/ingest-gate.js';
import { LogCallers } from '../logs/log-callers.js';
import { OWN_REQUEST_SINK, type OwnRequestSink, StoredOwnRequests } from '../logs/own-request-sink.js';
import { OwnRequests } from '../logs/own-requests.js';
import { QueryController } from '../logs/query/query.controller.js';
import { ReadyCalls } from '../logs/query/ready-calls.js';
import { LogRetention } from '../logs/retention.js';
import { NodeTokens } from '../logs/tokens/node-tokens.js';
import { TokenCheck } from '../logs/tokens/token-header.js';
import { TokensController } from '../logs/tokens/tokens.controller.js';
import { TokensModule } from '../logs/tokens/tokens.module.js';

/** Only the owner of the log store writes into it. */
const ownRequestSink = (
  { logStoreUrl }: PodiumConfig,
  node: string,
  reader: EntryReader,
  store: LogStore,
  commands: CommandBus,
): OwnRequestSink => {
  const owner = ownerOf(logStoreUrl);
  return owner ? new ForwardedOwnRequests(owner, commands, node) : new StoredOwnRequests(reader, store);
};

@Module({
  imports: [AccountsModule, EndpointsModule, IngestModule, LogCacheModule, RankingsModule, TokensModule],
  controllers: [
    EventsController,
    ContestsController,
    RankingsController,
    RecordsController,
    EntryController,
    EntryModerationController,
    CompetitorsModerationController,
    KeysModerationController,
    SessionController,
    ContestsModerationController,
    RoundsModerationController,
    ExchangeModerationController,
    UsersModerationController,
    PersonsModerationController,
    MergeModerationController,
    IngestController,
    EndpointsController,
    QueryController,
    TokensController,
    HealthController,
    ProblemKindsController,
    MetricsController,
  ],
  providers: [
    { provide: NODE_ID, useFactory: newNodeId },
    Reads,
    Commanded,
    ContestModeration,
    PersonModeration,
    ImportGate,
    ReadyReads,
    EntryDesk,
    EarlyEntry,
    RequestMetrics,
    Metrics,
    Health,
    Guesses,
    KeyCheck,
    TokenCheck,
    LogCallers,
    ReadyCalls,
    IngestGate,
    LogForwarding,
    {
      provide: OWN_REQUEST_SINK,
      useFactory: ownRequestSink,
      inject: [CONFIG, NODE_ID, EntryReader, LOG_STORE, CommandBus],
    },
    OwnRequests,
    LogRetention,
    NodeTokens,
  ],
  exports: [AccountsModule, Commanded, Reads, ReadyReads],
})
export class HttpModule {}
