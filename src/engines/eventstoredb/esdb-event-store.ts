/**
 * The event store on EventStoreDB or KurrentDB (22.10 or newer). The server keeps the streams, their revisions and the
 * global order. The adapter adds what the port promises beyond that: it repeats appends whose outcome is not known, with
 * the same ids; subscriptions say when they have caught up; and a failure of the server is an EventStoreUnavailableError
 * that holds no credentials. A position is the commit position in $all.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { AnonymousAccess, AnonymousAct } from '../../foundation/event-store/anonymous-access.js';
import {
  type AppendResult,
  type EventBatch,
  type EventStore,
  EventStoreUnavailableError,
  type Position,
  type ReadAllOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from '../../foundation/event-store/event-store.js';
import type { Installation, StoreIdentity } from '../../foundation/event-store/installation.js';
import { type ScrubStep, StoreDamagedError, type Verifiable } from '../../foundation/integrity/damage.js';
import type { DamageListener } from '../../foundation/integrity/damage-log.js';
import { anonymousActs } from './anonymous-access.js';
import { Appender } from './appender.js';
import { Connection } from './connection.js';
import { scrubEvents } from './esdb-scrub.js';
import { parseEsdbUrl } from './esdb-url.js';
import { EsdbFailure, failureOf } from './failures.js';
import { EsdbReads } from './reads.js';
import { ensureStoreId, identityIn, writeInstallation } from './store-id.js';
import { Subscription } from './subscription.js';

export interface EsdbEventStoreOptions {
  /** Appends are refused. */
  readonly readOnly?: boolean;
  /** Of the installation, as the configuration has it. */
  readonly streamPrefix?: string;
  /** Of one append (append-checks.ts). Default: none of Podium's own. */
  readonly maxAppendBytes?: number;
  /** Called with each damage before it is thrown. */
  readonly onDamage?: DamageListener;
}

/** How long `open` waits for a server that is starting. */
const OPEN_FOR_MS = 10_000;
const OPEN_AGAIN_MS = 100;

/** Of a store that is new, or that was emptied. */
const NO_IDENTITY: StoreIdentity = { storeId: '', installation: null };

interface Parts {
  readonly storeId: string;
  readonly connection: Connection;
  readonly reads: EsdbReads;
  readonly appender: Appender;
  readonly readOnly: boolean;
  readonly streamPrefix: string;
  readonly onDamage: DamageListener;
}

export class EsdbEventStore implements EventStore, Verifiable, AnonymousAccess {
  readonly store = 'events';
  readonly storeId: string;
  readonly #connection: Connection;
  readonly #reads: EsdbReads;
  readonly #appender: Appender;
  readonly #readOnly: boolean;
  readonly #streamPrefix: string;
  readonly #onDamage: DamageListener;
  #closed = false;

  private constructor({ storeId, connection, reads, appender, readOnly, streamPrefix, onDamage }: Parts) {
    this.#onDamage = onDamage;
    this.storeId = storeId;
    this.#connection = connection;
    this.#reads = reads;
    this.#appender = appender;
    this.#readOnly = readOnly;
    this.#streamPrefix = streamPrefix;
  }

  /**
   * Connects, and waits up to ten seconds for a server that is starting. Throws ConfigError for a wrong URL, else
   * EventStoreUnavailableError, with one line.
   */
  static async open(
    url: string,
    {
      readOnly = false,
      streamPrefix = 'podium',
      maxAppendBytes = Number.POSITIVE_INFINITY,
      onDamage = () => undefined,
    }: EsdbEventStoreOptions = {},
  ): Promise<EsdbEventStore> {
    const connection = new Connection(parseEsdbUrl(url));
    const reads = new EsdbReads(connection);
    const appender = new Appender(connection, reads, maxAppendBytes);
    const giveUpAt = performance.now() + OPEN_FOR_MS;
    for (;;) {
      try {
        // A store that only reads leaves an empty one as it is.
        if (!readOnly) await ensureStoreId(reads, appender);
        const { storeId } = (await identityIn(reads, streamPrefix)) ?? NO_IDENTITY;
        // An append at or before this position was there already.
        await reads.head();
        return new EsdbEventStore({
          storeId,
          connection,
          reads,
          appender,
          readOnly,
          streamPrefix,
          onDamage,
        });
      } catch (error) {
        const canWait = error instanceof EsdbFailure && error.isTransient && performance.now() < giveUpAt;
        if (!canWait) {
          await connection.close();
          if (error instanceof StoreDamagedError) throw error;
          throw connection.mapStoreError('cannot be opened', failureOf(error));
        }
        await pause(OPEN_AGAIN_MS);
      }
    }
  }

  async identity(): Promise<StoreIdentity> {
    const identity = await this.#mapErrors('cannot be read', () =>
      identityIn(this.#reads, this.#streamPrefix),
    );
    return identity ?? NO_IDENTITY;
  }

  assign(installation: Installation): Promise<void> {
    return this.#mapErrors('did not append', () =>
      writeInstallation({ reads: this.#reads, appender: this.#appender }, this.#streamPrefix, installation),
    );
  }

  async append(...request: Parameters<EventStore['append']>): Promise<AppendResult> {
    if (this.#readOnly) throw new TypeError('this event store was opened read-only');
    if (this.#closed) throw new EventStoreUnavailableError('the event store is closed');
    return this.#mapErrors('did not append', () => this.#appender.append(...request));
  }

  async readStream(
    ...request: Parameters<EventStore['readStream']>
  ): Promise<readonly RecordedEvent[] | null> {
    return this.#mapErrors('cannot be read', () => this.#reads.stream(...request));
  }

  async *readAll(options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent, void, undefined> {
    try {
      yield* this.#reads.all(options);
    } catch (error) {
      throw this.#mapError('cannot be read', error);
    }
  }

  async head(): Promise<Position> {
    return this.#mapErrors('cannot be read', () => this.#reads.head());
  }

  /** Checksums stand in the metadata of each event, without a chain. */
  async chainAt(): Promise<null> {
    return null;
  }

  /** The server ends itself when it cannot write, so one that answers takes appends. */
  takesAppends(): Promise<boolean> {
    return this.#reads.head().then(
      () => true,
      () => false,
    );
  }

  async *subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch, void, undefined> {
    try {
      yield* new Subscription(this.#connection, this.#reads, options).run();
    } catch (error) {
      throw this.#mapError('ended a subscription', error);
    }
  }

  anonymousActs(): Promise<readonly AnonymousAct[]> {
    return this.#mapErrors('does not tell its rights', () =>
      anonymousActs(this.#connection.url, `${this.#streamPrefix}/rights`),
    );
  }

  async *scrub(): AsyncGenerator<ScrubStep, void, undefined> {
    try {
      yield* scrubEvents(this.#reads, `${this.#streamPrefix}/`);
    } catch (error) {
      throw this.#mapError('cannot be read', error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#appender.idle();
    await this.#connection.close();
  }

  async #mapErrors<T>(doing: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#mapError(doing, error);
    }
  }

  #mapError(doing: string, error: unknown): unknown {
    if (error instanceof StoreDamagedError) this.#onDamage(error.damage);
    return this.#connection.mapStoreError(doing, error);
  }
}
