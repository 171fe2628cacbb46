/**
 * All that the adapter uses of `@eventstore/db-client` beyond its public API. package.json pins the version, and
 * test/unit/engines/eventstoredb/esdb-client-internals.spec.ts fails when an update changes a part that is used here.
 *
 * - The batch append call and its messages, opened with `GRPCStreamCreator` and `callArguments`. The public
 *   `appendToStream` keeps the pending appends of all clients of a process in one table. When one call fails, it rejects
 *   the appends of all other calls; when their answers arrive, it throws where no caller can catch it, and the process
 *   ends. With credentials it opens a call for each append, which is safe and 40 % slower with 64 appends in flight.
 * - `handleError`. The client calls it without awaiting it, so that its rejection ends the process.
 * - `GRPCStreamCreator` again, for an error that lacks a part: the client throws where no caller can catch it, and takes the read for
 *   complete.
 * - The users' calls and their messages, opened with `execute`: the public API has none for users.
 * - `getChannel`. The public `dispose` cancels the calls and leaves the socket open. The choice of a node ends with it.
 */
import { convertToCommandError, EventStoreDBClient, type SingleNodeOptions } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type {
  BatchAppendReq as BatchAppendRequest,
  BatchAppendResp as BatchAppendResponse,
} from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { UsersClient } from '@eventstore/db-client/generated/users_grpc_pb.js';
import users from '@eventstore/db-client/generated/users_pb.js';
import type { ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { NO_STREAM } from '../../foundation/event-store/event-store.js';
import type { AppendAnswer, AppendRequest } from './append-request.js';
import { type EncodedEvent, positionOf } from './codec.js';
import type { Credentials, EsdbUrl } from './esdb-url.js';
import { EsdbFailure } from './failures.js';

// The generated modules are CommonJS whose names Node cannot see from outside.
const { Empty, StreamIdentifier, UUID, WrongExpectedVersion } = shared;
const { BatchAppendReq } = streams;
const { CreateReq, ResetPasswordReq } = users;
/** Status code of gRPC. */
const ALREADY_EXISTS = 6;
const utf8 = new TextEncoder();

export type BatchAppendCall = ClientDuplexStream<BatchAppendRequest, BatchAppendResponse>;

export class EsdbClient extends EventStoreDBClient {
  /** Whether appends ask for the leader: true for a cluster. */
  readonly requiresLeader: boolean;
  #isClosed = false;

  /**
   * `generation` tells connections to the same URL apart. gRPC shares one socket, also a dead one, between channels
   * whose settings are equal.
   */
  constructor(url: EsdbUrl, generation: number) {
    const settings = { ...url.connection, keepAliveTimeout: url.keepAliveTimeoutMs + generation };
    // The constructor has an overload for each kind of settings, and none for their union.
    super(settings as SingleNodeOptions, url.tls, url.credentials);
    this.requiresLeader = url.discovers;
    const followLeader = this.handleError;
    // It rejects for a "not leader" without an address.
    this.handleError = (client, error) => followLeader(client, error).catch(() => undefined);
    const createStream = this.GRPCStreamCreator;
    this.GRPCStreamCreator = (service, name, creator, cache) => {
      const withReadableErrors: typeof creator = async (client) => {
        const stream = await creator(client);
        stream.prependListener('error', makeReadable);
        return stream;
      };
      return createStream(service, name, withReadableErrors, cache);
    };
  }

  /** After this the client ends the calls under way, and a read that it cancels looks like one that is complete. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The search for a leader may take minutes: no deadline ends it. */
  openBatchAppend(): Promise<BatchAppendCall> {
    const open = this.GRPCStreamCreator(StreamsClient, 'batchAppend', (client) =>
      client.batchAppend(
        ...this.callArguments(
          { requiresLeader: this.requiresLeader },
          { deadline: Number.POSITIVE_INFINITY },
        ),
      ),
    );
    return open();
  }

  /** Creates the user, or gives one that is there this password. Returns whether it was created. */
  async putUser({ username, password }: Credentials, deadline: number): Promise<boolean> {
    const create = new CreateReq.Options().setLoginName(username).setFullName(username).setPassword(password);
    try {
      await this.#askUsers(deadline, (client, options, done) =>
        client.create(new CreateReq().setOptions(create), ...options, done),
      );
      return true;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === ALREADY_EXISTS)) throw error;
    }
    const reset = new ResetPasswordReq.Options().setLoginName(username).setNewPassword(password);
    await this.#askUsers(deadline, (client, options, done) =>
      client.resetPassword(new ResetPasswordReq().setOptions(reset), ...options, done),
    );
    return false;
  }

  #askUsers(
    deadline: number,
    ask: (
      client: UsersClient,
      options: ReturnType<EsdbClient['callArguments']>,
      done: (error: Error | null) => void,
    ) => unknown,
  ): Promise<void> {
    const answered = (client: UsersClient) =>
      new Promise<void>((resolve, reject) => {
        const options = this.callArguments({ requiresLeader: this.requiresLeader, deadline });
        ask(client, options, (error) => (error ? reject(error) : resolve()));
      });
    return this.execute(UsersClient, 'users', answered);
  }

  /** Resolves when a node of the cluster is chosen. */
  async choose(): Promise<void> {
    await this.getChannel();
  }

  /** Ends every call and closes the socket. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.dispose();
    const channel = await this.getChannel().catch(() => null);
    channel?.close();
  }
}

/** An error that the client cannot convert, as a "not leader" without an address, becomes one by its status. */
const makeReadable = (error: Error): void => {
  try {
    convertToCommandError(error);
  } catch {
    const { metadata }: Partial<ServiceError> = Object(error);
    metadata?.remove('exception');
  }
};

/** Limit of one message; a larger append is sent in several. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

/** The messages of one append. `id` is a UUID, which its answer repeats. */
export const batchAppendRequests = (id: string, request: AppendRequest): BatchAppendRequest[] => {
  const messages = chunksOf(request.events).map((events) =>
    new BatchAppendReq()
      .setCorrelationId(new UUID().setString(id))
      .setProposedMessagesList(events.map(proposedMessage))
      .setIsFinal(false),
  );
  messages[0]?.setOptions(optionsOf(request));
  messages.at(-1)?.setIsFinal(true);
  return messages;
};

/** Id of the append that the server answers, in lower case. Empty when there is none. */
export const answeredId = (response: BatchAppendResponse): string => {
  const id = response.getCorrelationId();
  const parts = id?.getStructured();
  if (!parts) return (id?.getString() ?? '').toLowerCase();
  const hex = hexOf(parts.getMostSignificantBits()) + hexOf(parts.getLeastSignificantBits());
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** A conflict is an answer. Throws EsdbFailure for every other error. */
export const appendAnswer = (response: BatchAppendResponse): AppendAnswer => {
  const error = response.getError();
  if (error) return conflictIn(error);
  const success = response.getSuccess();
  const commit = success?.getPosition()?.getCommitPosition();
  return {
    ok: true,
    revision: Number(success?.getCurrentRevision()),
    position: commit === undefined ? null : positionOf(commit),
  };
};

const conflictIn = (error: Status): AppendAnswer => {
  const details = error.getDetails();
  switch (details?.getTypeName()) {
    case 'event_store.client.WrongExpectedVersion': {
      const conflict = details.unpack(WrongExpectedVersion.deserializeBinary, details.getTypeName());
      const isThere = conflict?.hasCurrentStreamRevision();
      return { ok: false, actual: isThere ? Number(conflict?.getCurrentStreamRevision()) : NO_STREAM };
    }
    case 'event_store.client.StreamDeleted':
      throw EsdbFailure.streamDeleted();
    case 'event_store.client.AccessDenied':
      throw EsdbFailure.accessDenied();
    case 'event_store.client.Timeout':
      throw new EsdbFailure('write timeout', 'it gave up on the append');
    case 'event_store.client.MaximumAppendSizeExceeded':
      throw EsdbFailure.tooLarge();
    case 'event_store.client.BadRequest':
      throw new EsdbFailure('refused', `it refuses the append: ${error.getMessage()}`);
    default:
      throw new EsdbFailure('unavailable', error.getMessage() || 'it gives no reason');
  }
};

const hexOf = (signed: string): string => BigInt.asUintN(64, BigInt(signed)).toString(16).padStart(16, '0');

const chunksOf = (events: readonly EncodedEvent[]): EncodedEvent[][] => {
  const chunks: EncodedEvent[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const size = event.data.length + event.metadata.length;
    if (bytes + size > MAX_MESSAGE_BYTES) {
      chunks.push([]);
      bytes = 0;
    }
    bytes += size;
    chunks.at(-1)?.push(event);
  }
  return chunks;
};

const optionsOf = ({ stream, expected }: AppendRequest) => {
  const options = new BatchAppendReq.Options();
  options.setStreamIdentifier(new StreamIdentifier().setStreamName(utf8.encode(stream)));
  return expected === NO_STREAM
    ? options.setNoStream(new Empty())
    : options.setStreamPosition(String(expected));
};

const proposedMessage = ({ id, type, data, metadata }: EncodedEvent) => {
  const message = new BatchAppendReq.ProposedMessage()
    .setId(new UUID().setString(id))
    .setData(data)
    .setCustomMetadata(metadata);
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
};
