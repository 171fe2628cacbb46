/**
 * How far a drain has come, and the steps that it takes: a batch is claimed before it is sent, and passed when the receiver has it. What
 * was claimed stays the same batch until then, whichever node sends it. Pure.
 */
import { isDeadHolder } from '../../foundation/read-models/lease-holder.js';

/** The matching entries in a range of positions. */
export interface PendingBatch {
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly upTo: number;
}

export interface Progress {
  /** Each matching entry up to this position is with the receiver, or was skipped. */
  readonly position: number;
  /** The batch that is on its way; null: none is. */
  readonly pending: PendingBatch | null;
  /** The ends of the batches after it, which were one with it until the receiver found that too large. */
  readonly rest: readonly number[];
  /** The process that sends it, as `holderName` names it; null: none does. */
  readonly claimedBy: string | null;
  /** Milliseconds since 1970, as all times here. */
  readonly claimedUntil: number;
  /** That the receiver has taken. */
  readonly entries: number;
  readonly batches: number;
  readonly lastSentAt: number | null;
  /** Entries that were older than the retention before the receiver took them. */
  readonly skipped: number;
  /** Entries that the receiver found too large, each alone. */
  readonly tooLarge: number;
  /** Attempts that failed since the last one that did not. */
  readonly failures: number;
  readonly nextAt: number;
  readonly lastError: { readonly at: number; readonly problem: string } | null;
  /** Why it has stopped for good, until it is resumed; null: it has not. */
  readonly stopped: string | null;
}

/** Longer than any attempt. */
export const LEASE_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 5 * 60_000;

export const startAt = (position: number): Progress => ({
  ...{ position, pending: null, rest: [], claimedBy: null, claimedUntil: 0 },
  ...{ entries: 0, batches: 0, lastSentAt: null, skipped: 0, tooLarge: 0 },
  ...{ failures: 0, nextAt: 0, lastError: null, stopped: null },
});

/** Whether no other process may be sending now. One that claimed it later than a lease lasts had another clock. */
const isFree = ({ claimedBy, claimedUntil }: Progress, holder: string, now: number): boolean =>
  claimedBy === null ||
  claimedBy === holder ||
  isDeadHolder(claimedBy) ||
  claimedUntil <= now ||
  claimedUntil - now > LEASE_MS;

export const isDue = (progress: Progress, holder: string, now: number): boolean =>
  progress.stopped === null && progress.nextAt <= now && isFree(progress, holder, now);

/** Returns null when another process has gone further meanwhile, or sends it. */
export const claimed = (
  before: Progress,
  { after, upTo }: PendingBatch,
  { holder, now }: { readonly holder: string; readonly now: number },
): Progress | null => {
  const { position, pending } = before;
  const isSame = pending === null ? position === after : pending.after === after && pending.upTo === upTo;
  if (!isSame || !isDue(before, holder, now)) return null;
  return { ...before, pending: { after, upTo }, claimedBy: holder, claimedUntil: now + LEASE_MS };
};

/** Whether the process still has this batch. */
const isOwn = ({ pending, claimedBy }: Progress, { upTo }: PendingBatch, holder: string): boolean =>
  claimedBy === holder && pending?.upTo === upTo;

interface Outcome {
  readonly batch: PendingBatch;
  readonly holder: string;
  readonly now: number;
}

/** After the receiver has taken the batch. Returns null when another process has it now. */
export const passed = (
  before: Progress,
  { batch, holder, now, entries }: Outcome & { readonly entries: number },
): Progress | null =>
  isOwn(before, batch, holder)
    ? {
        ...beyond(before, batch),
        lastSentAt: now,
        ...{ entries: before.entries + entries, batches: before.batches + (entries > 0 ? 1 : 0) },
      }
    : null;

/** The next one is what was one batch with it, if there is more of that. */
const beyond = (before: Progress, { upTo }: PendingBatch): Progress => {
  const [next, ...rest] = before.rest;
  const pending = next === undefined ? null : { after: upTo, upTo: next };
  return { ...before, ...{ position: upTo, pending, rest, claimedBy: null, failures: 0, nextAt: 0 } };
};

/**
 * After the receiver found the batch too large: it becomes two, the first up to `middle`. Returns null when another process has the
 * batch now.
 */
export const split = (
  before: Progress,
  { batch, holder, middle }: Pick<Outcome, 'batch' | 'holder'> & { readonly middle: number },
): Progress | null => {
  if (!isOwn(before, batch, holder)) return null;
  const pending = { after: batch.after, upTo: middle };
  return {
    ...before,
    ...{ pending, rest: [batch.upTo, ...before.rest], claimedBy: null, failures: 0, nextAt: 0 },
  };
};

/** After the receiver found an entry too large, alone: it is passed over. Returns null when another process has it now. */
export const passedOver = (
  before: Progress,
  { batch, holder, now, problem }: Outcome & { readonly problem: string },
): Progress | null =>
  isOwn(before, batch, holder)
    ? { ...beyond(before, batch), tooLarge: before.tooLarge + 1, lastError: { at: now, problem } }
    : null;

/** After a failed attempt. Returns null when another process has the batch now. */
export const failed = (
  before: Progress,
  { batch, holder, now, problem }: Outcome & { readonly problem: string },
): Progress | null => (isOwn(before, batch, holder) ? delayed(before, problem, now) : null);

/** After a failure: the next attempt is made after a pause that doubles. */
export const delayed = (before: Progress, problem: string, now: number): Progress => {
  const failures = before.failures + 1;
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20), MAX_PAUSE_MS);
  return { ...before, claimedBy: null, failures, nextAt: now + pauseMs, lastError: { at: now, problem } };
};

/** It has stopped, and stays where it is. */
export const stopped = (before: Progress, reason: string, now: number): Progress => ({
  ...before,
  ...{ claimedBy: null, stopped: reason, lastError: { at: now, problem: reason } },
});

export const resumed = (before: Progress): Progress => ({
  ...before,
  ...{ stopped: null, failures: 0, nextAt: 0 },
});

/** It sends other entries from now on, or elsewhere: what was claimed is a batch no more. */
export const begunAgain = (before: Progress): Progress => ({
  ...resumed(before),
  ...{ pending: null, rest: [], claimedBy: null },
});

/** No entry up to the position matches. Returns null when something was sent meanwhile, or is on its way. */
export const movedTo = (before: Progress, from: number, position: number): Progress | null =>
  before.pending === null && before.position === from ? { ...before, position } : null;

/** `entries` were not sent, and will not be, up to this position. */
export const skippedTo = (
  before: Progress,
  { from, position, entries, problem, now }: Skip,
): Progress | null => {
  if (before.position !== from || before.claimedBy !== null) return null;
  const skipped = { ...before, position, pending: null, rest: [], skipped: before.skipped + entries };
  return entries === 0 ? skipped : { ...skipped, lastError: { at: now, problem } };
};

interface Skip {
  readonly from: number;
  readonly position: number;
  readonly entries: number;
  readonly problem: string;
  readonly now: number;
}
