/** Reads of streams and of $all, and subscriptions to $all with the server's own way of telling how far it has come. */
import type { ReadReq, ReadResp as ReadResponse } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { Access } from './access.js';
import type { Behaviour } from './behaviour.js';
import {
  accessDenied,
  Code,
  callError,
  identifierOf,
  nameIn,
  notLeader,
  ReadReq as ReadRequest,
  ReadResp,
  streamDeleted,
  UUID,
} from './messages.js';
import type { RecordStore, StoredRecord } from './record-store.js';

type ReadCall = ServerWritableStream<ReadReq, ReadResponse>;
type Passes = (record: StoredRecord) => boolean;

const BACKWARDS = ReadRequest.Options.ReadDirection.BACKWARDS;
/** Records looked through between two checkpoints. */
const WINDOW = 32;

export class ReadService {
  readonly #records: RecordStore;
  readonly #behaviour: Behaviour;
  readonly #access: Access;

  constructor(records: RecordStore, behaviour: Behaviour, access: Access) {
    this.#records = records;
    this.#behaviour = behaviour;
    this.#access = access;
  }

  async read(call: ReadCall): Promise<void> {
    this.#behaviour.openReads += 1;
    call.on('error', () => undefined);
    try {
      await this.#read(call, call.request.getOptions() ?? new ReadRequest.Options());
    } catch (error) {
      call.emit(
        'error',
        isCallError(error) ? error : callError(Code.UNKNOWN, `handler failed: ${String(error)}`),
      );
    } finally {
      this.#behaviour.openReads -= 1;
    }
  }

  async #read(call: ReadCall, options: ReadReq.Options): Promise<void> {
    const { trouble, counts } = this.#behaviour;
    if (trouble === 'not ready' || trouble === 'unavailable') {
      counts.refused += 1;
      throw callError(Code.UNAVAILABLE, trouble === 'not ready' ? 'Server Is Not Ready' : 'not now');
    }
    const mustLead = call.metadata.get('requires-leader').includes('true');
    if (typeof trouble === 'object' && mustLead) throw notLeader(trouble);
    if (trouble === 'leader without address' && mustLead) {
      counts.refused += 1;
      throw notLeader();
    }
    const stream = options.getStream()?.getStreamIdentifier();
    const isAllowed = stream
      ? await this.#access.mayRead(call, nameIn(stream))
      : await this.#access.mayReadAll(call);
    if (!isAllowed) throw accessDenied();
    if (options.hasSubscription()) {
      counts.subscriptions += 1;
      this.#behaviour.openSubscriptions += 1;
      await this.#subscribe(call, options).finally(() => {
        this.#behaviour.openSubscriptions -= 1;
      });
      return;
    }
    counts.reads += 1;
    await (options.hasStream() ? this.#readStream(call, options) : this.#readAll(call, options));
    call.end();
  }

  async #readStream(call: ReadCall, options: ReadReq.Options): Promise<void> {
    const place = options.getStream();
    const stream = nameIn(place?.getStreamIdentifier());
    const records = await this.#records.readStream(stream, {
      ...(place?.hasRevision() && { from: Number(place.getRevision()) }),
      direction: options.getReadDirection() === BACKWARDS ? 'backwards' : 'forwards',
      limit: Number(options.getCount()),
    });
    if (records === 'deleted') throw streamDeleted(stream);
    if (records === null) {
      const notFound = new ReadResp.StreamNotFound();
      notFound.setStreamIdentifier(identifierOf(stream));
      const response = new ReadResp();
      response.setStreamNotFound(notFound);
      await send(call, response);
      return;
    }
    for (const record of records) await send(call, eventResponse(record));
  }

  async #readAll(call: ReadCall, options: ReadReq.Options): Promise<void> {
    const backwards = options.getReadDirection() === BACKWARDS;
    const from = this.#place(options);
    const passes = filterOf(options);
    let left = Number(options.getCount());
    if (left === 0) return;
    const past = from !== null && from > (await this.#records.head());
    // Silence, as subscriptions from there get.
    if (past && !backwards) return new Promise((resolve) => call.on('cancelled', resolve));
    for await (const record of this.#records.readAll(
      past ? null : from,
      backwards ? 'backwards' : 'forwards',
    )) {
      if (!passes(record)) continue;
      await send(call, eventResponse(record));
      left -= 1;
      if (left === 0 || call.cancelled) return;
    }
  }

  /** Position 0 for a start from the beginning. */
  async #subscribe(call: ReadCall, options: ReadReq.Options): Promise<void> {
    const over = new AbortController();
    call.on('cancelled', () => over.abort());
    call.on('close', () => over.abort());
    const confirmation = new ReadResp();
    confirmation.setConfirmation(new ReadResp.SubscriptionConfirmation());
    await send(call, confirmation);
    const after = this.#place(options) ?? 0;
    if (after > (await this.#records.head())) return;
    const passes = filterOf(options);
    const checkpoints = new Checkpoints(call, options);
    // The first may be that of the beginning itself.
    if (after === 0) await checkpoints.tell(0);
    let live = false;
    for await (const { records, atEnd } of this.#records.follow(after, over.signal)) {
      for (const record of this.#behaviour.mutesSubscriptions ? [] : records) {
        if (passes(record)) await this.#deliver(call, record, live);
        await checkpoints.lookedAt(record);
        if (call.cancelled || call.destroyed) return;
      }
      if (atEnd && !live && this.#behaviour.saysCaughtUp) {
        const caughtUp = new ReadResp();
        caughtUp.setCaughtUp(new ReadResp.CaughtUp());
        await send(call, caughtUp);
      }
      live ||= atEnd;
    }
  }

  async #deliver(call: ReadCall, record: StoredRecord, live: boolean): Promise<void> {
    await this.#behaviour.beforeDelivery();
    for (let times = 0; times < this.#behaviour.deliveries; times += 1) {
      if (!live) await send(call, eventResponse(record));
      else call.write(eventResponse(record));
    }
    if (live && call.writableLength > this.#behaviour.slowAfter) {
      this.#behaviour.counts.dropped += 1;
      throw callError(
        Code.ABORTED,
        'Operation timed out. Details: Consumer too slow to handle event while live. Client resubscription required.',
      );
    }
  }

  /** Null: from the beginning, or the end. */
  #place(options: ReadReq.Options): number | null {
    const place = options.getAll()?.getPosition();
    if (!place) return null;
    const position = Number(place.getCommitPosition());
    if (this.#records.isBoundary(position)) return position;
    throw callError(Code.UNKNOWN, `Exception was thrown by handler: no record begins at ${position}`);
  }
}

/** Tells how far the search has come, each time that it has looked through a window of records. */
class Checkpoints {
  readonly #call: ReadCall;
  readonly #every: number;
  #since = 0;

  constructor(call: ReadCall, options: ReadReq.Options) {
    this.#call = call;
    const filter = options.getFilter();
    this.#every = filter ? (filter.getMax() || WINDOW) * filter.getCheckpointintervalmultiplier() : 0;
  }

  async lookedAt({ position }: StoredRecord): Promise<void> {
    this.#since += 1;
    if (this.#every > 0 && this.#since >= this.#every) await this.tell(position);
  }

  async tell(position: number): Promise<void> {
    this.#since = 0;
    if (this.#every === 0) return;
    const checkpoint = new ReadResp.Checkpoint();
    checkpoint.setCommitPosition(String(position));
    checkpoint.setPreparePosition(String(position));
    const response = new ReadResp();
    response.setCheckpoint(checkpoint);
    await send(this.#call, response);
  }
}

const filterOf = (options: ReadReq.Options): Passes => {
  const filter = options.getFilter();
  const byType = filter?.getEventType();
  const byStream = filter?.getStreamIdentifier();
  const expression = byType ?? byStream;
  if (!expression) return () => true;
  const subject = byType ? (record: StoredRecord) => record.type : (record: StoredRecord) => record.stream;
  const prefixes = expression.getPrefixList();
  if (prefixes.length > 0) return (record) => prefixes.some((prefix) => subject(record).startsWith(prefix));
  const regex = new RegExp(expression.getRegex(), 'u');
  return (record) => regex.test(subject(record));
};

const TICKS_PER_MS = 10_000n;

const eventResponse = (record: StoredRecord): ReadResponse => {
  const recorded = new ReadResp.ReadEvent.RecordedEvent();
  const id = new UUID();
  id.setString(record.id);
  recorded.setId(id);
  recorded.setStreamIdentifier(identifierOf(record.stream));
  recorded.setStreamRevision(String(record.revision));
  recorded.setCommitPosition(String(record.position));
  recorded.setPreparePosition(String(record.position));
  recorded
    .getMetadataMap()
    .set('type', record.type)
    .set('content-type', record.contentType)
    .set('created', String(BigInt(record.created) * TICKS_PER_MS));
  recorded.setCustomMetadata(record.metadata);
  recorded.setData(record.data);
  const event = new ReadResp.ReadEvent();
  event.setEvent(recorded);
  event.setCommitPosition(String(record.position));
  const response = new ReadResp();
  response.setEvent(event);
  return response;
};

const GOES_ON = ['drain', 'close', 'cancelled'];

/** Waits until the reader has room. */
const send = async (call: ReadCall, response: ReadResponse): Promise<void> => {
  if (call.write(response) || call.cancelled || call.destroyed) return;
  await new Promise<void>((resolve) => {
    const goOn = (): void => {
      for (const event of GOES_ON) call.off(event, goOn);
      resolve();
    };
    for (const event of GOES_ON) call.on(event, goOn);
  });
};

const isCallError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && 'metadata' in error;
