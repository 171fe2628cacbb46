/**
 * Copies a whole event store into another, event by event in the source's global order, with ids, revisions, metadata
 * and recording times unchanged. At every moment the target holds a prefix of the source. So an interrupted copy
 * resumes: it compares what is there and appends the rest. A target that holds anything else is refused.
 */
import { createHash } from 'node:crypto';
import { AppendTooLargeError } from './append-checks.js';
import {
  type EventStore,
  type NewEvent,
  NO_STREAM,
  type Position,
  type RecordedEvent,
} from './event-store.js';

export interface CopyOptions {
  readonly from: EventStore;
  readonly to: EventStore;
  /** Only streams whose name begins with this. */
  readonly streamPrefix: string;
  /**
   * How many appends may be in flight. More than one only where the target commits them in the order of the calls, as
   * the embedded store does.
   */
  readonly inFlight: number;
  /** `done` of `total` positions of the source. */
  readonly onProgress?: (step: CopyStep, done: Position, total: Position) => void;
}

export type CopyStep = 'comparing' | 'copying' | 'verifying';

/** What both stores hold, compared event by event. */
export interface Inventory {
  readonly events: number;
  readonly streams: number;
  /** SHA-256 of all events in their order, in hexadecimal digits. */
  readonly checksum: string;
}

export interface Copied extends Inventory {
  /** Events that this run appended; the others were there before. */
  readonly appended: number;
  /** Of the last event, in the source. */
  readonly position: Position;
}

/** The target holds something else than a prefix of the source. */
class UnrelatedTargetError extends Error {
  constructor(message: string) {
    super(`${message}; the target has to be empty, or what an interrupted copy of this source has left`);
    this.name = 'UnrelatedTargetError';
  }
}

const MAX_APPEND_EVENTS = 500;

/** Throws UnrelatedTargetError, or EventStoreUnavailableError; after the latter the caller may retry. */
export const copyEvents = async (options: CopyOptions): Promise<Copied> => {
  const there = await compare(options, 'comparing');
  const appended = await appendRest(options, there.position);
  const all = await compare(options, 'verifying');
  if (all.events !== there.events + appended)
    throw new UnrelatedTargetError('another process has appended to the target meanwhile');
  const { events, streams, checksum, position } = all;
  return { events, streams, checksum, appended, position };
};

interface Compared extends Inventory {
  /** In the source, of the last event that the target holds. */
  readonly position: Position;
}

/** Walks both stores side by side to the target's end. */
const compare = async (
  { from, to, streamPrefix, onProgress }: CopyOptions,
  step: CopyStep,
): Promise<Compared> => {
  const total = await from.head();
  const source = from.readAll({ filter: { streamPrefix } })[Symbol.asyncIterator]();
  const streams = new Set<string>();
  const hash = createHash('sha256');
  let events = 0;
  let position: Position = 0;
  try {
    for await (const copy of to.readAll({ filter: { streamPrefix } })) {
      const next = await source.next();
      const text = contentOf(copy);
      if (next.done || contentOf(next.value) !== text)
        throw new UnrelatedTargetError(`the target has ${nameOf(copy)} where the source has ${textOf(next)}`);
      hash.update(text);
      streams.add(copy.stream);
      events += 1;
      position = next.value.position;
      onProgress?.(step, position, total);
    }
  } finally {
    await source.return?.();
  }
  return { events, streams: streams.size, checksum: hash.digest('hex'), position };
};

/** Copies until nothing is left, including events appended to the source meanwhile. Returns how many it appended. */
const appendRest = async (options: CopyOptions, after: Position): Promise<number> => {
  const { from, streamPrefix, onProgress } = options;
  const appends = new Appends(options);
  let reached = after;
  for (let before = -1; before < reached; ) {
    before = reached;
    const total = await from.head();
    for await (const event of from.readAll({ after: before, filter: { streamPrefix } })) {
      await appends.add(event);
      reached = event.position;
      onProgress?.('copying', reached, total);
    }
  }
  await appends.finish();
  return appends.count;
};

/** Batches consecutive events of one stream into one append. */
class Appends {
  readonly #options: CopyOptions;
  #run: RecordedEvent[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #failure: unknown = null;
  count = 0;

  constructor(options: CopyOptions) {
    this.#options = options;
  }

  async add(event: RecordedEvent): Promise<void> {
    const [first] = this.#run;
    if (first && (first.stream !== event.stream || this.#run.length >= MAX_APPEND_EVENTS)) await this.#send();
    this.#run.push(event);
    this.count += 1;
  }

  async finish(): Promise<void> {
    await this.#send();
    await Promise.all(this.#underWay);
    this.#throwFailure();
  }

  async #send(): Promise<void> {
    const run = this.#run;
    this.#run = [];
    if (run.length === 0) return;
    const append: Promise<void> = this.#append(run)
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#underWay.delete(append));
    this.#underWay.add(append);
    while (this.#underWay.size >= this.#options.inFlight) await Promise.race(this.#underWay);
    this.#throwFailure();
  }

  async #append(run: readonly RecordedEvent[]): Promise<void> {
    const [first] = run;
    if (!first) return;
    const expected = first.revision - 1;
    const appending = this.#options.to.append(first.stream, expected, run.map(copyOf));
    const result = await appending.catch((error: unknown) => {
      if (error instanceof AppendTooLargeError && run.length > 1) return null;
      throw error;
    });
    if (result === null) {
      const half = Math.floor(run.length / 2);
      await this.#append(run.slice(0, half));
      return this.#append(run.slice(half));
    }
    if (!result.ok)
      throw new UnrelatedTargetError(
        `${first.stream} ${endOf(result.actual)} in the target, and ${endOf(expected)} in what was copied`,
      );
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}

const endOf = (revision: number): string =>
  revision === NO_STREAM ? 'has no event' : `ends with revision ${revision}`;

const copyOf = ({ id, type, data, metadata, recordedAt }: RecordedEvent): NewEvent => ({
  id,
  type,
  data,
  metadata,
  recordedAt,
});

/** The event as text, without its position, which differs between stores. */
const contentOf = ({ stream, revision, id, type, data, metadata, recordedAt }: RecordedEvent): string => {
  const { actor, keyId, accountId, correlationId, causationId, schema } = metadata;
  const recorded = [
    actor,
    keyId ?? null,
    accountId ?? null,
    correlationId,
    causationId ?? null,
    schema,
    recordedAt,
  ];
  return JSON.stringify([stream, revision, id, type, data, recorded]);
};

const nameOf = ({ stream, revision, type }: RecordedEvent): string => `${type} (${stream} ${revision})`;

const textOf = (next: IteratorResult<RecordedEvent, unknown>): string =>
  next.done ? 'nothing more' : nameOf(next.value);
