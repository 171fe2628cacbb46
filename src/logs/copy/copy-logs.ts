/**
 * Copies the entries of a log store into another, on whatever engines. A few hours at a time, it reads the entries of both, and appends those
 * that the target does not have: so a copy that was killed goes on, at any time later, and doubles nothing. Then it reads these hours
 * of the target again, and compares number and checksums of each project's entries in each hour. Entries that only the target has are its own.
 */
import { knownFieldsOf } from '../../foundation/log-store/known-fields.js';
import type { LogStore } from '../../foundation/log-store/log-store.js';
import { EntryPacker } from '../../foundation/log-store/packed-entries.js';
import { isBuiltIn, type LogSource } from '../../foundation/log-store/sources.js';
import { entriesOf, HOUR_MICROS, hoursOf, type ReadEntry, readKey, type Span } from './entry-reading.js';

export interface CopiedSource {
  readonly source: LogSource;
  /** In the source, when it was read. */
  readonly entries: number;
  /** Appended now. */
  readonly appended: number;
  /** Projects in hours that were compared. */
  readonly compared: number;
}

/** The entries of a project in an hour that are not the same in both stores. */
export interface Difference {
  readonly source: LogSource;
  /** Null: entries without a project. */
  readonly project: string | null;
  /** ISO 8601. */
  readonly hour: string;
  readonly entries: number;
  /** Of them, those that the target has with another content, or not at all. */
  readonly differing: number;
}

export interface CopiedLogs {
  readonly sources: readonly CopiedSource[];
  readonly differences: readonly Difference[];
}

interface Stores {
  readonly from: LogStore;
  readonly to: LogStore;
}

type OnProgress = (done: number, total: number, source: LogSource) => void;

const APPEND_ENTRIES = 5_000;
const SPAN_ENTRIES = 5_000;

/** Throws what the stores throw. */
export const copyLogs = async (stores: Stores, onProgress: OnProgress): Promise<CopiedLogs> => {
  const sources: CopiedSource[] = [];
  const differences: Difference[] = [];
  const counts = await stores.from.counts();
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  let done = 0;
  for (const source of await stores.from.sources()) {
    if (!isBuiltIn(source)) await stores.to.addSource(source);
    const inTarget = [...(await hoursOf(stores.to, source)).keys()];
    const copied = { entries: 0, appended: 0, compared: 0 };
    for (const span of spansOf(await hoursOf(stores.from, source))) {
      const isEmpty = !inTarget.some((hour) => hour >= span.from && hour < span.to);
      const found = await copySpan(stores, { source, span, isEmpty });
      copied.entries += found.entries;
      copied.appended += found.appended;
      copied.compared += found.compared;
      differences.push(...found.differences);
      done += found.entries;
      onProgress(done, Math.max(total, done), source);
    }
    sources.push({ source, ...copied });
  }
  return { sources, differences };
};

/** Hours that follow each other, about as many as a page needs. */
const spansOf = (hours: ReadonlyMap<number, number>): readonly Span[] => {
  const spans: { from: number; to: number; entries: number }[] = [];
  for (const [hour, entries] of hours) {
    const last = spans.at(-1);
    if (last && last.entries + entries <= SPAN_ENTRIES) {
      last.to = hour + HOUR_MICROS;
      last.entries += entries;
    } else spans.push({ from: hour, to: hour + HOUR_MICROS, entries });
  }
  return spans;
};

interface CopiedSpan {
  readonly source: LogSource;
  readonly span: Span;
  /** The target has no entry in it. */
  readonly isEmpty: boolean;
}

const copySpan = async ({ from, to }: Stores, { source, span, isEmpty }: CopiedSpan) => {
  const there = isEmpty ? NOTHING : await sumsOf(to, source, span);
  const wanted = new Map<string, number>();
  let appended = 0;
  let missing: ReadEntry[] = [];
  const append = async (): Promise<void> => {
    if (missing.length > 0) appended += (await to.append(source, packed(source, missing))).accepted;
    missing = [];
  };
  for await (const page of entriesOf(from, source, span)) {
    for (const read of page) {
      wanted.set(read.key, (wanted.get(read.key) ?? 0) + read.sum);
      if (!there.has(read.key)) missing.push(read);
    }
    if (missing.length >= APPEND_ENTRIES) await append();
  }
  await append();
  const now = appended > 0 ? await sumsOf(to, source, span) : there;
  return { entries: wanted.size, appended, ...comparedBy(source, wanted, now) };
};

const NOTHING: ReadonlyMap<string, number> = new Map();

/** The sums of the entries of a span, by their keys. */
const sumsOf = async (
  store: LogStore,
  source: LogSource,
  span: Span,
): Promise<ReadonlyMap<string, number>> => {
  const sums = new Map<string, number>();
  for await (const page of entriesOf(store, source, span))
    for (const { key, sum } of page) sums.set(key, (sums.get(key) ?? 0) + sum);
  return sums;
};

const packed = (source: LogSource, entries: readonly ReadEntry[]) => {
  const packer = new EntryPacker({ source, known: () => knownFieldsOf(source), isTied: false });
  for (const { entry, text } of entries) packer.add(entry, text);
  return packer.pack();
};

/** Compares by project and hour: how many there are, and their checksums. */
const comparedBy = (
  source: LogSource,
  wanted: ReadonlyMap<string, number>,
  found: ReadonlyMap<string, number>,
): { readonly compared: number; readonly differences: readonly Difference[] } => {
  const groups = new Map<
    string,
    { project: string | null; hour: string; entries: number; differing: number }
  >();
  for (const [key, sum] of wanted) {
    const { project, timestamp } = readKey(key);
    const hour = new Date((Math.floor(timestamp / HOUR_MICROS) * HOUR_MICROS) / 1_000).toISOString();
    const name = JSON.stringify([project, hour]);
    const group = groups.get(name) ?? { project, hour, entries: 0, differing: 0 };
    groups.set(name, group);
    group.entries++;
    if (found.get(key) !== sum) group.differing++;
  }
  const differing = [...groups.values()].filter((group) => group.differing > 0);
  return { compared: groups.size, differences: differing.map((group) => ({ source, ...group })) };
};
