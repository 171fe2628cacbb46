/**
 * The folded state of one stream, as the store has confirmed it: how it is read, and its snapshots. A stream with a long
 * history leaves a snapshot every thousand events or so, and with it the requests (idempotency keys) that its state held, which are
 * looked up from then on. A snapshot is never believed: its last event has to be in the stream, else all is folded anew.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { Map as ImmutableMap } from 'immutable';
import type { DomainEvent } from '../../domain/decider.js';
import { settlesWithin } from '../basics/settles-within.js';
import { NO_STREAM, type RecordedEvent } from '../event-store/event-store.js';
import type { SnapshotKey, StateSnapshot, UsedRequest } from '../read-models/state-snapshots.js';
import type { Aggregate, KnownRequest, SnapshotCodec, StreamServices } from './aggregate.js';
import type { Folded, QueuedCommand } from './command-batch.js';
import type { AggregateMetrics } from './command-metrics.js';

/** Read at a time: this thread has other work between two pages. */
const PAGE_EVENTS = 1_000;
/** A read that others began may miss what the feed has told of since; the next one has it. */
const CATCH_UPS = 2;
/** A larger state has so many times more events between its snapshots, so that an event always pays the same for them. */
const USUAL_STATE_BYTES = 300_000;
/** When the requests were not where they were stored so often in turn, the state holds them all from then on. */
const MAX_LOSSES = 3;
/** Without a snapshot after this time, the stream is folded from its beginning. */
const MAX_LOAD_MS = 1_000;

export class StreamState<Id, S, C, E extends DomainEvent> {
  /** Only ever moves forward, until it is forgotten. */
  known: Folded<S>;
  /** The feed count when `known` was last known to be the end of the stream. Null before the first read or append. */
  knownAt: number | null = null;
  /** The newest revision that the feed has told of. */
  observed = NO_STREAM;
  /** From this revision on a snapshot is due. */
  snapshotDue: number;
  /** Requests that the state no longer holds are in this lineage of snapshots. Null: the state holds them all. */
  lineage: number | null = null;
  /** Incremented whenever the state may have let go of requests: what was looked up before is not complete. */
  cuts = 0;
  /** The requests are no longer where they were stored: the stream has to be folded anew. */
  isLost = false;
  readonly #name: string;
  readonly #aggregate: Aggregate<Id, S, C, E>;
  readonly #services: StreamServices;
  readonly #metrics: AggregateMetrics;
  /** Called with a function that lets go of the stored requests, for states that were decided on top of this one. */
  readonly #onStored: (letGo: (folded: Folded<S>) => Folded<S>) => void;
  #catchingUp: Promise<void> | null = null;
  /** How often in turn stored requests were not found. */
  #losses = 0;
  /** How often the state was forgotten. */
  #forgotten = 0;

  constructor(
    name: string,
    aggregate: Aggregate<Id, S, C, E>,
    services: StreamServices & { readonly metrics: AggregateMetrics },
    onStored: (letGo: (folded: Folded<S>) => Folded<S>) => void,
  ) {
    this.#name = name;
    this.#aggregate = aggregate;
    this.#services = services;
    this.#metrics = services.metrics;
    this.#onStored = onStored;
    this.known = this.#nothing();
    this.snapshotDue = this.#dueAfter(this.known);
  }

  /** Forgets the state: the stream may have become another one. */
  forget(): void {
    this.known = this.#nothing();
    this.knownAt = null;
    this.observed = NO_STREAM;
    this.lineage = null;
    this.isLost = false;
    this.cuts += 1;
    this.#forgotten += 1;
    this.snapshotDue = this.#dueAfter(this.known);
  }

  // --- reading -------------------------------------------------------------------------------------------------------

  /** Reads what the stream has beyond the state. */
  async refresh(): Promise<void> {
    const { store, feedStarts } = this.#services;
    const at = feedStarts();
    const forgotten = this.#forgotten;
    // Another process may have left a snapshot of what it wrote meanwhile.
    const isFarBehind = this.observed - this.known.revision > PAGE_EVENTS;
    if (this.known.revision === NO_STREAM || isFarBehind) await this.#loadSnapshot();
    for (;;) {
      const range = { from: this.known.revision + 1, limit: PAGE_EVENTS };
      const events = (await store.readStream(this.#name, range)) ?? [];
      if (forgotten !== this.#forgotten) return this.refresh();
      if (events.length > 0) this.#fold(events);
      if (events.length < PAGE_EVENTS) break;
      // Another process may have written many thousands of events, and snapshots of them.
      await this.#loadSnapshot();
      await this.saveSnapshot();
      await nextTurn();
    }
    this.knownAt = at;
    void this.saveSnapshot();
  }

  /** Reads until `isCurrent`, once for all callers meanwhile. */
  async catchUp(isCurrent: () => boolean): Promise<void> {
    for (let time = 0; time < CATCH_UPS && !isCurrent(); time += 1) {
      this.#catchingUp ??= this.refresh().finally(() => {
        this.#catchingUp = null;
      });
      await this.#catchingUp;
    }
  }

  #fold(events: readonly RecordedEvent[]): void {
    const begun = performance.now();
    let { state, revision, position, eventId } = this.known;
    for (const event of events) {
      // Another read or an append may have come further meanwhile.
      if (event.revision <= revision) continue;
      state = this.#aggregate.decider.evolve(state, this.#services.upcasters.domainEvent<E>(event));
      ({ revision, position, id: eventId } = event);
    }
    this.known = { state, revision, position, eventId };
    this.#metrics.fold.add((performance.now() - begun) / 1_000);
  }

  #nothing(): Folded<S> {
    return { state: this.#aggregate.decider.initialState, revision: NO_STREAM, position: 0, eventId: '' };
  }

  // --- snapshots -----------------------------------------------------------------------------------------------------

  /** Stores a snapshot when one is due. When that fails, the next one may succeed. */
  async saveSnapshot(): Promise<void> {
    const { snapshots } = this.#services;
    const codec = this.#aggregate.snapshots;
    if (!snapshots || !codec || this.isLost || this.#losses >= MAX_LOSSES) return;
    if (this.known.revision < this.snapshotDue) return;
    this.snapshotDue = Number.POSITIVE_INFINITY;
    const { known, lineage, cuts } = this;
    const requests = codec.requests(known.state);
    const used = Array.from(requests, ([key, fingerprint]): UsedRequest => [short(key), short(fingerprint)]);
    try {
      const snapshot = sealed(known, codec.encode(known.state));
      const stored = await snapshots.save(this.#key(codec), snapshot, { lineage, used });
      this.#metrics.snapshots.saved += 1;
      if (cuts !== this.cuts) return;
      if (stored !== null) this.#letGo(codec, requests, stored);
      else if (lineage !== null) this.#lose();
    } catch {
      this.#metrics.snapshots.failed += 1;
    } finally {
      this.snapshotDue = this.#dueAfter(this.known);
    }
  }

  /** Takes over a snapshot that is further than the state. */
  async #loadSnapshot(): Promise<void> {
    const codec = this.#aggregate.snapshots;
    if (!codec || this.#losses >= MAX_LOSSES) return;
    const forgotten = this.#forgotten;
    const found = await this.#soundSnapshot(codec).catch(() => null);
    if (!found || forgotten !== this.#forgotten || found.folded.revision <= this.known.revision) return;
    this.known = found.folded;
    this.lineage = found.lineage;
    this.cuts += 1;
    this.snapshotDue = this.#dueAfter(this.known);
    this.#metrics.snapshots.loaded += 1;
  }

  /** Null: there is none in time, or it is damaged, or its last event is not in the stream. */
  async #soundSnapshot(codec: SnapshotCodec<S, C>): Promise<{ folded: Folded<S>; lineage: number } | null> {
    const { snapshots, store } = this.#services;
    const loading = snapshots?.load(this.#key(codec));
    if (!loading || !(await settlesWithin(loading, MAX_LOAD_MS))) return null;
    const snapshot = await loading;
    const text = snapshot && opened(snapshot);
    if (!snapshot || text === null) return null;
    const { revision, eventId, lineage } = snapshot;
    const [event] = (await store.readStream(this.#name, { from: revision, limit: 1 })) ?? [];
    if (event?.revision !== revision || event.id !== eventId) return null;
    return { folded: { state: codec.decode(text), revision, position: event.position, eventId }, lineage };
  }

  #letGo(codec: SnapshotCodec<S, C>, requests: ImmutableMap<string, string>, lineage: number): void {
    const without = (folded: Folded<S>): Folded<S> => {
      const left = codec.requests(folded.state).deleteAll(requests.keys());
      return { ...folded, state: codec.withRequests(folded.state, left) };
    };
    this.lineage = lineage;
    this.cuts += 1;
    if (requests.size === 0) return;
    this.known = without(this.known);
    this.#onStored(without);
  }

  #key({ version }: SnapshotCodec<S, C>): SnapshotKey {
    return { stream: this.#name, version };
  }

  #dueAfter({ revision, state }: Folded<S>): number {
    const size = this.#aggregate.sizeOf(state) / USUAL_STATE_BYTES;
    return revision + this.#services.snapshotEvents * Math.max(1, size);
  }

  // --- earlier requests ----------------------------------------------------------------------------------------------

  // The request (idempotency key) of a command may have been used so long ago that the state has let go of it. It is looked up
  // among the stored ones before the command is decided, for all commands that wait at once.

  /** Whether it has to be looked up before the command is decided: the state may have let go of it since the last time. */
  isUnknown<R>(queued: QueuedCommand<S, C, R>): boolean {
    return this.lineage !== null && queued.lookedUp !== this.cuts && this.#requestOf(queued) !== undefined;
  }

  /** Looks up the requests of commands that wait. Returns those that could not be looked up, and why. */
  async lookUp<R>(
    waiting: readonly QueuedCommand<S, C, R>[],
  ): Promise<ReadonlyMap<QueuedCommand<S, C, R>, unknown>> {
    const { cuts } = this;
    const unknown = waiting.filter((queued) => this.isUnknown(queued));
    const keys = unknown.map((queued) => short(this.#requestOf(queued)?.key ?? ''));
    try {
      const found = await this.#find(keys);
      if (found === null) this.#lose();
      else
        for (const [index, queued] of unknown.entries()) {
          queued.earlier = found.get(keys[index] ?? '');
          queued.lookedUp = cuts;
        }
      return new Map();
    } catch (error) {
      return new Map(unknown.map((queued) => [queued, error]));
    }
  }

  /** The state with the command's request in it, where it was used before. */
  recalled<R>(queued: QueuedCommand<S, C, R>, state: S): S {
    const codec = this.#aggregate.snapshots;
    const request = this.#requestOf(queued);
    if (queued.earlier === undefined || !codec || !request) return state;
    const fingerprint = short(request.fingerprint) === queued.earlier ? request.fingerprint : queued.earlier;
    return codec.withRequests(state, codec.requests(state).set(request.key, fingerprint));
  }

  #requestOf<R>({ command }: QueuedCommand<S, C, R>): KnownRequest | undefined {
    return command === undefined ? undefined : this.#aggregate.snapshots?.requestOf(command);
  }

  /**
   * Returns the fingerprints of those requests that were used before and that the state has let go of, by key; all `short`. Null: they are
   * no longer where they were stored.
   */
  async #find(keys: readonly string[]): Promise<ReadonlyMap<string, string> | null> {
    const { snapshots } = this.#services;
    const codec = this.#aggregate.snapshots;
    if (!snapshots || !codec || this.lineage === null) return new Map();
    const found = await snapshots.find(this.#key(codec), this.lineage, keys);
    if (found !== null) this.#losses = 0;
    return found;
  }

  /** The requests are not where they were stored. */
  #lose(): void {
    this.isLost = true;
    this.#losses += 1;
  }
}

/** Keys and fingerprints are hashes in hexadecimal digits: 64 bits of them tell the requests of a stream apart. */
const short = (hash: string): string => hash.slice(0, 16);

const sealed = ({ revision, eventId }: Folded<unknown>, text: string): StateSnapshot => {
  const checksum = crc32(`${revision} ${eventId} ${text}`);
  return { revision, eventId, body: `${checksum} ${text}` };
};

/** Null: the snapshot is not as it was sealed. */
const opened = ({ revision, eventId, body }: StateSnapshot): string | null => {
  const at = body.indexOf(' ');
  const text = body.slice(at + 1);
  return body.slice(0, at) === String(crc32(`${revision} ${eventId} ${text}`)) ? text : null;
};
