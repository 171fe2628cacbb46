/**
 * The client's connection (URL, TLS, credentials, discovery of the leader) with the calls of the streams service as the
 * adapter needs them. The client's own calls are not used: its appends share one table of answers over all connections
 * of a process, so that the failure of one loses the answers of another and ends the process when they come; its reads
 * know no filter and no deadline, and its subscriptions tell of checkpoints before the events in front of them.
 */
import { type BaseOptions, EventStoreDBClient, type SingleNodeOptions } from '@eventstore/db-client';
import { StreamsClient, StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { CallOptions, ClientDuplexStream, ClientReadableStream, Metadata } from '@grpc/grpc-js';
import type { EsdbUrl } from './esdb-url.js';
import { withinTime } from './failures.js';
import type {
  AppendRequest,
  AppendResponse,
  BatchAppendRequest,
  BatchAppendResponse,
  ReadRequest,
  ReadResponse,
} from './protocol.js';

export type ReadCall = ClientReadableStream<ReadResponse>;
export type BatchAppendCall = ClientDuplexStream<BatchAppendRequest, BatchAppendResponse>;

export class EsdbClient extends EventStoreDBClient {
  readonly #needsLeader: boolean;
  readonly #timeoutMs: number;

  /**
   * `generation` tells connections to the same URL apart: gRPC shares one socket, also one that went dead without a
   * word, between channels whose settings are the same.
   */
  constructor(url: EsdbUrl, generation: number) {
    const settings = { ...url.connection, keepAliveTimeout: url.keepAliveTimeoutMs + generation };
    // The constructor has an overload for each kind of settings, and none for their union.
    super(settings as SingleNodeOptions, url.tls, url.credentials);
    this.#needsLeader = url.discovers;
    this.#timeoutMs = url.timeoutMs;
    const followLeader = this.handleError;
    // It runs where nobody awaits it, and throws when a "not leader" carries no address.
    this.handleError = (client, error) => followLeader(client, error).catch(() => undefined);
  }

  /** Whether the server takes many appends on one stream. */
  takesBatches(): Promise<boolean> {
    return withinTime(this.supports(StreamsService.batchAppend), this.#timeoutMs);
  }

  /** A read or a subscription. It has no deadline: a large one may take its time, and who reads it sees that it goes on. */
  read(request: ReadRequest): Promise<ReadCall> {
    const open = this.GRPCStreamCreator(StreamsClient, 'read', (client) =>
      client.read(request, ...this.#arguments({}, null)),
    );
    return this.#inTime(open());
  }

  batchAppend(): Promise<BatchAppendCall> {
    const open = this.GRPCStreamCreator(StreamsClient, 'batchAppend', (client) =>
      client.batchAppend(...this.#arguments({ requiresLeader: this.#needsLeader }, null)),
    );
    return this.#inTime(open());
  }

  /** One append on a call of its own, for servers that take no batches. */
  appendAlone(requests: readonly AppendRequest[], timeoutMs: number): Promise<AppendResponse> {
    return this.execute(
      StreamsClient,
      'append',
      (client) =>
        new Promise((resolve, reject) => {
          const options = this.#arguments({ requiresLeader: this.#needsLeader }, timeoutMs);
          const call = client.append(...options, (error, response) =>
            error ? reject(error) : resolve(response),
          );
          call.on('error', reject);
          for (const request of requests) call.write(request);
          call.end();
        }),
    );
  }

  /** Ends every call and lets go of the socket. */
  async close(): Promise<void> {
    await this.dispose();
    const channel = await this.getChannel().catch(() => null);
    channel?.close();
  }

  /** The search for a leader may go on for long, and no deadline ends it. A call that opens later is of no use. */
  async #inTime<Call extends { cancel(): void }>(opening: Promise<Call>): Promise<Call> {
    try {
      return await withinTime(opening, this.#timeoutMs);
    } catch (error) {
      void opening.then((call) => call.cancel()).catch(() => undefined);
      throw error;
    }
  }

  #arguments(options: BaseOptions, timeoutMs: number | null): [Metadata, CallOptions] {
    return this.callArguments(options, {
      deadline: timeoutMs === null ? Number.POSITIVE_INFINITY : new Date(Date.now() + timeoutMs),
    });
  }
}
