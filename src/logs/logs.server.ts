/** Log endpoints over HTTP, the log of the server's own requests, and the timers that remove old entries and tokens. */
import { CommandBus } from '@nestjs/cqrs';
import { CONFIG, type PodiumConfig } from '../foundation/config.js';
import { owningNode } from '../foundation/log-store/log-owner.js';
import { LOG_STORE, type LogStore } from '../foundation/log-store/log-store.js';
import { NODE_ID } from '../foundation/projections/runner/nodes.js';
import { REQUEST_OBSERVER, type ServerPart } from '../http/feature.js';
import { Metrics } from '../http/observability/metrics.js';
import { AlertTimer } from './alerts/alert-timer.js';
import { ResultCacheTimer } from './cache/result-cache-timer.js';
import { DrainTimer } from './drains/drain-timer.js';
import { ForwardedOwnRequests } from './forwarded-own-requests.js';
import { LogForwarding } from './forwarding/log-forwarding.js';
import { EntryReader } from './ingest/entry-reader.js';
import { IngestGate } from './ingest/ingest-gate.js';
import { LogCallers } from './log-callers.js';
import { loadLql } from './lql/lql.js';
import { OWN_REQUEST_SINK, type OwnRequestSink, StoredOwnRequests } from './own-request-sink.js';
import { OwnRequests } from './own-requests.js';
import { ReadyCalls } from './query/ready-calls.js';
import { LogRetention } from './retention.js';
import { SourceSettings } from './source-settings.js';
import { LogTails } from './tail/log-tails.js';
import { NodeTokens } from './tokens/node-tokens.js';
import { TokenCheck } from './tokens/token-check.js';

/** Only the owner of the log store writes into it. */
const ownRequestSink = (
  { logStoreUrl }: PodiumConfig,
  node: string,
  reader: EntryReader,
  store: LogStore,
  commands: CommandBus,
): OwnRequestSink => {
  const owner = owningNode(logStoreUrl);
  return owner ? new ForwardedOwnRequests(owner, commands, node) : new StoredOwnRequests(reader, store);
};

const OWN_REQUESTS_GAUGE = Symbol('OwnRequestsGauge');

const addOwnRequestsGauge = (metrics: Metrics, ownRequests: OwnRequests): void =>
  metrics.gauge(
    'podium_own_requests_dropped',
    'Requests to this server that its own edge_logs do not have.',
    () => ownRequests.dropped,
  );

const TAIL_GAUGES = Symbol('TailGauges');

const addTailGauges = (metrics: Metrics, tails: LogTails): void => {
  metrics.gauge('podium_log_tail_readers', 'Open tails of the logs.', () => tails.readers);
  metrics.gauge(
    'podium_log_tail_delivered',
    'Entries sent to the readers of tails since the start.',
    () => tails.counts.delivered,
  );
  metrics.gauge(
    'podium_log_tail_skipped',
    'Entries that readers of tails were too slow for since the start.',
    () => tails.counts.skipped,
  );
};

const LOADED_LQL = Symbol('LoadedLql');

export const logsServer: ServerPart = {
  providers: [
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
    { provide: REQUEST_OBSERVER, useExisting: OwnRequests },
    { provide: OWN_REQUESTS_GAUGE, useFactory: addOwnRequestsGauge, inject: [Metrics, OwnRequests] },
    LogTails,
    // While the stores open, so that the first query does not wait for it.
    { provide: LOADED_LQL, useFactory: loadLql },
    { provide: TAIL_GAUGES, useFactory: addTailGauges, inject: [Metrics, LogTails] },
    LogRetention,
    AlertTimer,
    DrainTimer,
    SourceSettings,
    NodeTokens,
    ResultCacheTimer,
  ],
  threads: [EntryReader],
  gates: [IngestGate],
  earlyResponders: [LogForwarding, ReadyCalls],
};
