/**
 * The appends of the port on what the server promises for one: nothing malformed is sent, an append whose outcome is
 * not known is made again with the same ids, and the same event is not under way twice, since the server drops the
 * second and lets it time out. What was there before is told from what is new by its position.
 */
import { checkAppend } from '../../foundation/event-store/append-check.js';
import type {
  AppendResult,
  ExpectedRevision,
  NewEvent,
  Position,
} from '../../foundation/event-store/event-store.js';
import { appendAlone } from './append-alone.js';
import { type AppendAnswer, type AppendRequestParts, BatchAppends } from './batch-appends.js';
import { type EncodedEvent, encodeEvent } from './codec.js';
import type { Connection } from './connection.js';
import type { EsdbClient } from './esdb-client.js';
import { EsdbFailure } from './failures.js';
import type { EsdbReads } from './reads.js';

/** More would fail for everybody on the same call; what a server takes is usually less and it says so itself. */
const MAX_BYTES = 8 * 1024 * 1024;

/** How appends are made on a client, found out once for each. */
type Send = (parts: AppendRequestParts, timeoutMs: number) => Promise<AppendAnswer>;

interface UnderWay {
  readonly ids: ReadonlySet<string>;
  readonly settled: Promise<unknown>;
}

export class Appender {
  readonly #connection: Connection;
  readonly #reads: EsdbReads;
  readonly #senders = new WeakMap<EsdbClient, Promise<Send>>();
  readonly #underWay = new Map<string, Set<UnderWay>>();

  constructor(connection: Connection, reads: EsdbReads) {
    this.#connection = connection;
    this.#reads = reads;
  }

  /** Throws TypeError for what must not be sent, EsdbFailure for what fails. */
  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    const encoded = checked(stream, events);
    const ids = new Set(events.map(({ id }) => id));
    for (let other = this.#sharing(stream, ids); other; other = this.#sharing(stream, ids)) {
      await other.settled;
    }
    const appending = this.#append({ stream, expected, events: encoded });
    const entry = { ids, settled: appending.catch(() => undefined) };
    const ofStream = this.#underWay.get(stream) ?? new Set();
    this.#underWay.set(stream, ofStream.add(entry));
    try {
      return await appending;
    } finally {
      ofStream.delete(entry);
      if (ofStream.size === 0 && this.#underWay.get(stream) === ofStream) this.#underWay.delete(stream);
    }
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    for (const ofStream of this.#underWay.values()) for (const { settled } of ofStream) await settled;
  }

  #sharing(stream: string, ids: ReadonlySet<string>): UnderWay | undefined {
    return [...(this.#underWay.get(stream) ?? [])].find((other) => [...ids].some((id) => other.ids.has(id)));
  }

  async #append(parts: AppendRequestParts): Promise<AppendResult> {
    const before = this.#reads.furthest;
    const { timeoutMs } = this.#connection;
    const answer = await this.#connection.call(async (client) => {
      const send = await this.#senderOf(client);
      return send(parts, timeoutMs);
    });
    if (!answer.ok) return answer;
    const { revision, position } = answer;
    if (position !== null && position > before) {
      this.#reads.saw(position);
      return { ok: true, revision, position, duplicate: false };
    }
    return { ok: true, revision, position: await this.#positionOf(parts, revision), duplicate: true };
  }

  /** Of events that are there already: the answer to sending them again need not tell it. */
  async #positionOf({ stream, events }: AppendRequestParts, revision: number): Promise<Position> {
    const [last] = (await this.#reads.stream(stream, { from: revision, limit: 1 })) ?? [];
    if (last?.id !== events.at(-1)?.id) {
      throw new EsdbFailure(
        'refused',
        `it has appended to ${stream} at ${revision}, but other events are there`,
      );
    }
    return last?.position ?? 0;
  }

  #senderOf(client: EsdbClient): Promise<Send> {
    const known = this.#senders.get(client);
    if (known) return known;
    const sender = client.takesBatches().then((batches): Send => {
      if (!batches) return (parts, timeoutMs) => appendAlone(client, parts, timeoutMs);
      const appends = new BatchAppends(client);
      return (parts, timeoutMs) => appends.append(parts, timeoutMs);
    });
    this.#senders.set(client, sender);
    sender.catch(() => this.#senders.delete(client));
    return sender;
  }
}

/** What a server would answer twice, store twice, or choke on is refused before it is sent. */
const checked = (stream: string, events: readonly NewEvent[]): readonly EncodedEvent[] => {
  checkAppend(stream, events);
  const encoded = events.map(encodeEvent);
  const bytes = encoded.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
  if (bytes > MAX_BYTES) throw new RangeError(`an append of ${bytes} bytes is larger than ${MAX_BYTES}`);
  return encoded;
};
