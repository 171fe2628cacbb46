/**
 * Sends the entries of drains on, batch by batch and in order. A batch is claimed before it is sent, so of several nodes one sends it; after
 * a crash the next one sends the same batch again, with the same id. So each entry arrives at least once.
 */
import { Inject, Injectable } from '@nestjs/common';
import { isSameData } from '../../domain/equality.js';
import { RejectedError } from '../../domain/rejections.js';
import { messageOf } from '../../foundation/basics/error-message.js';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { LogQueryFailedError } from '../../foundation/log-store/log-store.js';
import { generalValueOf, ownValuesOf, settingOf } from '../../foundation/log-store/per-source.js';
import type { JsonRecord } from '../../foundation/log-store/sources.js';
import { holderName } from '../../foundation/read-models/lease-holder.js';
import { FailureError } from '../../http/problems/failure.js';
import type { EntryRange } from '../tail/tail-rights.js';
import { BatchEntries, BOUNDS, batchId, objectKey } from './batch.js';
import { type Drain, sentBy } from './drain.js';
import { DrainBook } from './drain-book.js';
import { DrainDestinations } from './drain-destinations.js';
import { DrainEntries } from './drain-entries.js';
import {
  claimed,
  delayed,
  failed,
  isDue,
  movedTo,
  type PendingBatch,
  type Progress,
  passed,
  passedOver,
  skippedTo,
  split,
  stopped,
} from './progress.js';

/** Batches that a drain sends before others get their turn. */
const MAX_BATCHES = 50;
/** A position behind which no entry matches is stored this often, in microseconds. */
const MOVED_EVERY = 10_000_000;
const DAY_MS = 86_400_000;

export interface Look {
  /** The position of the last acknowledged entry. */
  readonly head: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** What this process knows of a drain, and need not read again. */
interface Seen {
  /** No entry after the drain's position matches up to this one. */
  readonly readTo: number;
  /** Until then, its entries wait for others. Milliseconds since 1970. */
  readonly waitsUntil: number;
  /** What it sends; null: nothing is known. */
  readonly of: ReturnType<typeof sentBy> | null;
}

interface ReadBatch extends PendingBatch {
  readonly entries: readonly JsonRecord[];
  /** The position of the first one. */
  readonly first: number;
  /** The positions of all. */
  readonly positions: readonly number[];
}

const NOTHING_SEEN: Seen = { readTo: 0, waitsUntil: 0, of: null };

@Injectable()
export class DrainRuns {
  readonly #holder = holderName();
  readonly #seen = new Map<string, Seen>();

  constructor(
    private readonly book: DrainBook,
    @Inject(DrainEntries) private readonly entries: Pick<DrainEntries, 'rangeOf' | 'pages' | 'count'>,
    @Inject(DrainDestinations) private readonly destinations: Pick<DrainDestinations, 'send'>,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'logRetentionDays'>,
  ) {}

  /** Sends what is due of a drain. One call at a time for each. Throws when a store is away. */
  async run(drainId: string, look: Look): Promise<void> {
    try {
      for (let batches = 0; batches < MAX_BATCHES && !look.signal.aborted; batches += 1)
        if (!(await this.#step(await this.book.drain(drainId), look))) return;
    } catch (error) {
      const isGone = error instanceof RejectedError && error.rejection.code === 'drain-not-found';
      if (!isGone) throw error;
      this.#seen.delete(drainId);
    }
  }

  /** Returns whether there may be more to send now. */
  async #step(drain: Drain, look: Look): Promise<boolean> {
    const { isPaused, progress } = drain;
    if (isPaused || !isDue(progress, this.#holder, look.now())) return false;
    if (progress.pending === null && !(await this.#hasNew(drain, look))) return false;
    const found = await this.#found(drain, look);
    return found !== null && this.#send(drain, found, look);
  }

  async #hasNew(drain: Drain, { head, now }: Look): Promise<boolean> {
    const { batchSeconds, progress } = drain;
    const { readTo, waitsUntil } = this.#seenOf(drain);
    const waitsMs = waitsUntil - now();
    // A longer wait is none: the clock was set back.
    if (waitsMs > 0 && waitsMs <= batchSeconds * 1_000) return false;
    if (head > Math.max(readTo, progress.position)) return true;
    // Nothing has come since the last look.
    if (progress.position < readTo) await this.#moveTo(drain, progress.position, readTo);
    return false;
  }

  /** Null: there is nothing to send now. */
  async #found(
    drain: Drain,
    look: Look,
  ): Promise<{ readonly range: EntryRange; readonly batch: ReadBatch } | null> {
    try {
      const range = await this.entries.rangeOf(drain);
      const rest = await this.#withoutOld(drain, range, look);
      const { pending } = rest.progress;
      const batch = pending ? await this.#again(range, pending, look) : await this.#next(rest, range, look);
      return batch && { range, batch };
    } catch (error) {
      if (look.signal.aborted) return null;
      const change = changeAfter(error);
      if (change === null) throw error;
      await this.#change(drain, (progress) => change(progress, look.now()));
      return null;
    }
  }

  /** The batch that was claimed before, whole, though more entries have come. */
  async #again(range: EntryRange, pending: PendingBatch, { signal }: Look): Promise<ReadBatch> {
    const entries: JsonRecord[] = [];
    const positions: number[] = [];
    for await (const page of this.entries.pages(range, pending, signal))
      for (const { position, entry } of page.entries) {
        positions.push(position);
        entries.push(entry);
      }
    return { ...pending, entries, positions, first: positions[0] ?? pending.upTo };
  }

  async #next(drain: Drain, range: EntryRange, { head, now, signal }: Look): Promise<ReadBatch | null> {
    const { drainId, batchSeconds, destination } = drain;
    const { position: after } = drain.progress;
    const seen = this.#seenOf(drain);
    const from = Math.max(after, seen.readTo);
    const collected = new BatchEntries(BOUNDS[destination.kind]);
    const isWhole = await filled(collected, this.entries.pages(range, { after: from, upTo: head }, signal));
    const { entries, positions, first, last } = collected;
    const of = sentBy(drain);
    if (first === null || last === null) {
      this.#seen.set(drainId, { readTo: head, waitsUntil: 0, of });
      if (head - after >= MOVED_EVERY) await this.#moveTo(drain, after, head);
      return null;
    }
    const waitsUntil = Math.min(first / 1_000, now()) + batchSeconds * 1_000;
    // With a clock that was set back, the time of receipt is not over for long.
    const hasWaited = seen.waitsUntil > 0 && seen.readTo === first - 1;
    if (!isWhole && !hasWaited && waitsUntil > now()) {
      this.#seen.set(drainId, { readTo: first - 1, waitsUntil, of });
      return null;
    }
    return { after, upTo: isWhole ? last : head, entries, positions, first };
  }

  async #send(
    drain: Drain,
    { range, batch }: { readonly range: EntryRange; readonly batch: ReadBatch },
    { now, signal }: Look,
  ): Promise<boolean> {
    const { destination } = drain;
    const { entries, first } = batch;
    const claim = await this.#change(drain, (progress) =>
      claimed(progress, batch, { holder: this.#holder, now: now() }),
    );
    if (claim === null) return false;
    const outgoing = { id: batchId(drain, batch), key: objectKey(drain, batch, first), entries };
    const refused =
      entries.length === 0
        ? null
        : await this.destinations.send(destination, { ...outgoing, columns: range.columns }, signal);
    // The server stops: the next one sends the batch again.
    if (refused !== null && signal.aborted) return false;
    const at = { batch, holder: this.#holder, now: now() };
    if (refused === null) {
      const done = await this.#change(drain, (progress) =>
        passed(progress, { ...at, entries: entries.length }),
      );
      return done !== null;
    }
    const { problem, final, tooLarge } = refused;
    if (tooLarge) return this.#smaller(drain, at, problem);
    await this.#change(drain, (progress) => {
      const after = failed(progress, { ...at, problem });
      return final && after ? stopped(after, problem, at.now) : after;
    });
    return false;
  }

  /** Halves a batch that its receiver found too large, or passes over the only entry of it. Returns whether to go on at once. */
  async #smaller(drain: Drain, at: Sent, problem: string): Promise<boolean> {
    const { positions, entries } = at.batch;
    const middle = positions[Math.ceil(positions.length / 2) - 1];
    const isOne = middle === undefined || positions.length === 1;
    const words = `${problem} to the entry ${String(entries[0]?.id)} alone, which was passed over`;
    const done = await this.#change(drain, (progress) =>
      isOne ? passedOver(progress, { ...at, problem: words }) : split(progress, { ...at, middle }),
    );
    return done !== null;
  }

  #seenOf(drain: Drain): Seen {
    const seen = this.#seen.get(drain.drainId);
    return seen && isSameData(seen.of, sentBy(drain)) ? seen : NOTHING_SEEN;
  }

  /** Passes over what is older than the retention, and counts what of it is still stored. Returns the drain after it. */
  async #withoutOld(drain: Drain, range: EntryRange, { head, now, signal }: Look): Promise<Drain> {
    const { position: from, pending } = drain.progress;
    const days = daysOf(this.config.logRetentionDays, drain);
    const position = Math.min((now() - days * DAY_MS) * 1_000, head);
    if (from >= position || (pending !== null && pending.upTo > position)) return drain;
    const entries = await this.entries.count(range, { after: from, upTo: position }, signal);
    const problem = `${entries} entries were not sent within ${days} days, and were skipped`;
    const skip = { from, position, entries, problem, now: now() };
    return (await this.#change(drain, (before) => skippedTo(before, skip))) ?? drain;
  }

  async #moveTo(drain: Drain, from: number, position: number): Promise<void> {
    await this.#change(drain, (progress) => movedTo(progress, from, position));
  }

  /** Returns null when `change` does, and when the drain sends something else since it was read. */
  #change(read: Drain, change: (progress: Progress) => Progress | null): Promise<Drain | null> {
    return this.book.change(read.drainId, (drain) => {
      const progress = isSameData(sentBy(drain), sentBy(read)) ? change(drain.progress) : null;
      return progress && { ...drain, progress };
    });
  }
}

interface Sent {
  readonly batch: ReadBatch;
  readonly holder: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns whether there are more entries than fit. */
const filled = async (
  collected: BatchEntries,
  pages: ReturnType<DrainEntries['pages']>,
): Promise<boolean> => {
  for await (const page of pages) for (const entry of page.entries) if (!collected.add(entry)) return true;
  return false;
};

/** Its entries may be gone after so many days. */
const daysOf = (setting: PodiumConfig['logRetentionDays'], { source, project }: Drain): number =>
  project === null
    ? Math.min(generalValueOf(setting, source), ...ownValuesOf(setting, source).values())
    : settingOf(setting, source, project);

/** What a failed read changes: it stops when no later read can succeed. Null: the store is away. */
const changeAfter = (error: unknown): ((progress: Progress, now: number) => Progress) | null => {
  const isLasting =
    error instanceof RejectedError ||
    error instanceof FailureError ||
    (error instanceof LogQueryFailedError && error.failure === 'value');
  if (isLasting) return (progress, now) => stopped(progress, messageOf(error), now);
  if (error instanceof LogQueryFailedError)
    return (progress, now) => delayed(progress, messageOf(error), now);
  return null;
};
