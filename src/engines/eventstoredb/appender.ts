/**
 * The appends of the port. It refuses a malformed append before the server sees it, and repeats an append whose outcome
 * is not known with the same ids. It never has the same event in flight twice, as the server would drop the second and
 * let it time out. It tells a duplicate from a new append by its position.
 */

import { AppendSize, AppendTooLargeError, checkAppend } from '../../foundation/event-store/append-checks.js';
import {
  type AppendResult,
  type NewEvent,
  NO_STREAM,
  type Position,
} from '../../foundation/event-store/event-store.js';
import type { AppendAnswer, AppendRequest } from './append-request.js';
import { BatchAppends } from './batch-appends.js';
import type { EsdbClient } from './client-internals.js';
import { type EncodedEvent, encodeEvent } from './codec.js';
import type { Connection } from './connection.js';
import { EsdbFailure } from './failures.js';
import type { EsdbReads } from './reads.js';

/** A larger append would end the call that it shares with others. The server's own limit is usually lower. */
const MAX_CALL_BYTES = 8 * 1024 * 1024;

interface AppendInFlight {
  readonly ids: ReadonlySet<string>;
  readonly settled: Promise<unknown>;
}

export class Appender {
  readonly #connection: Connection;
  readonly #reads: EsdbReads;
  readonly #batches = new WeakMap<EsdbClient, BatchAppends>();
  readonly #inFlight = new Map<string, Set<AppendInFlight>>();

  readonly #maxAppendBytes: number;

  constructor(connection: Connection, reads: EsdbReads, maxAppendBytes: number) {
    this.#connection = connection;
    this.#reads = reads;
    this.#maxAppendBytes = Math.min(maxAppendBytes, MAX_CALL_BYTES);
  }

  /** Throws TypeError and AppendTooLargeError for an append that must not be sent, EsdbFailure for one that fails. */
  async append(stream: string, expected: number, events: readonly NewEvent[]): Promise<AppendResult> {
    const { encoded, bytes } = checked({ stream, expected, events }, this.#maxAppendBytes);
    const ids = new Set(events.map(({ id }) => id));
    for (let other = this.#sharing(stream, ids); other; other = this.#sharing(stream, ids)) {
      await other.settled;
    }
    const appending = this.#append({ stream, expected, events: encoded });
    const entry = { ids, settled: appending.catch(() => undefined) };
    const ofStream = this.#inFlight.get(stream) ?? new Set();
    this.#inFlight.set(stream, ofStream.add(entry));
    try {
      return await appending;
    } catch (error) {
      const isTooLarge = error instanceof EsdbFailure && error.kind === 'too large';
      throw isTooLarge ? new AppendTooLargeError(bytes, null) : error;
    } finally {
      ofStream.delete(entry);
      if (ofStream.size === 0 && this.#inFlight.get(stream) === ofStream) this.#inFlight.delete(stream);
    }
  }

  /** Resolves when no append is in flight. */
  async idle(): Promise<void> {
    for (const ofStream of this.#inFlight.values()) for (const { settled } of ofStream) await settled;
  }

  #sharing(stream: string, ids: ReadonlySet<string>): AppendInFlight | undefined {
    return [...(this.#inFlight.get(stream) ?? [])].find((other) => [...ids].some((id) => other.ids.has(id)));
  }

  async #append(request: AppendRequest): Promise<AppendResult> {
    const before = this.#reads.highestPosition;
    const answer = await this.#connection.call((client) => this.#send(client, request));
    if (!answer.ok) return answer;
    const { revision, position } = answer;
    if (position !== null && position > before) {
      this.#reads.observe(position);
      return { ok: true, revision, position, duplicate: false };
    }
    return { ok: true, revision, position: await this.#positionOf(request, revision), duplicate: true };
  }

  #send(client: EsdbClient, request: AppendRequest): Promise<AppendAnswer> {
    const batches = this.#batches.get(client) ?? new BatchAppends(client);
    this.#batches.set(client, batches);
    return batches.append(request, this.#connection.timeoutMs);
  }

  /** Of a duplicate: the server need not return its position. */
  async #positionOf({ stream, events }: AppendRequest, revision: number): Promise<Position> {
    const [last] = (await this.#reads.stream(stream, { from: revision, limit: 1 })) ?? [];
    if (last?.id !== events.at(-1)?.id) {
      throw new EsdbFailure(
        'refused',
        `it has appended to ${stream} at ${revision}, but other events are there`,
      );
    }
    return last?.position ?? 0;
  }
}

/** Throws for what the server would answer twice, store twice, or fail on. */
const checked = (
  { stream, expected, events }: Omit<AppendRequest, 'events'> & { readonly events: readonly NewEvent[] },
  limit: number,
): { readonly encoded: readonly EncodedEvent[]; readonly bytes: number } => {
  checkAppend(stream, events);
  const size = new AppendSize(limit);
  const encoded = events.map((event, index) => {
    // A deleted stream goes on from its old revision, so an append that expects none does not know its revisions.
    const revision = expected === NO_STREAM ? null : expected + 1 + index;
    const each = encodeEvent(event, { stream, revision });
    size.add(event, each.data);
    return each;
  });
  size.check();
  return { encoded, bytes: size.bytes };
};
