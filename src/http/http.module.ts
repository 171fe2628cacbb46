/** Everything that speaks HTTP: the controllers of all features and what they share. The stores come from elsewhere. */
import { Module } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { KeyCheck } from '../access/key-header.js';
import { KeysModerationController } from '../access/keys-moderation.controller.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { SessionController } from '../accounts/session.controller.js';
import { UsersModerationController } from '../accounts/users-moderation.controller.js';
import { CONFIG, type PodiumConfig } from '../config.js';
import { CompetitorsModerationController } from '../contests/competitors-moderation.controller.js';
import { ContestModeration } from '../contests/contest-moderation.js';
import { ContestsController } from '../contests/contests.controller.js';
import { ContestsModerationController } from '../contests/contests-moderation.controller.js';
import { ExchangeModerationController } from '../exchange/exchange-moderation.controller.js';
import { ImportGate } from '../exchange/import-gate.js';
import { LogCacheModule } from '../logs/cache/cache.module.js';
import { EndpointsController } from '../logs/endpoints/endpoints.controller.js';
import { EndpointsModule } from '../logs/endpoints/endpoints.module.js';
import { ForwardedOwnRequests } from '../logs/forwarded-own-requests.js';
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
import { ownerOf } from '../logstore/log-owner.js';
import { LOG_STORE, type LogStore } from '../logstore/log-store.js';
import { MergeModerationController } from '../persons/merge-moderation.controller.js';
import { PersonModeration } from '../persons/person-moderation.js';
import { PersonsModerationController } from '../persons/persons-moderation.controller.js';
import { NODE_ID, newNodeId } from '../projections/nodes.js';
import { RankingsController } from '../rankings/rankings.controller.js';
import { RankingsModule } from '../rankings/rankings.module.js';
import { RecordsController } from '../records/records.controller.js';
import { EarlyEntry } from '../rounds/early-entry.js';
import { EntryController } from '../rounds/entry.controller.js';
import { EntryDesk } from '../rounds/entry-desk.js';
import { EntryModerationController } from '../rounds/entry-moderation.controller.js';
import { RoundsModerationController } from '../rounds/rounds-moderation.controller.js';
import { EventsController } from '../spaces/events.controller.js';
import { Commanded } from './commanded.js';
import { Guesses } from './guesses.js';
import { Health, HealthController } from './health.js';
import { LogForwarding } from './log-forwarding.js';
import { Metrics, MetricsController } from './metrics.js';
import { ProblemKindsController } from './openapi.js';
import { Reads } from './reads.js';
import { ReadyReads } from './ready-reads.js';
import { RequestMetrics } from './request-metrics.js';

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
