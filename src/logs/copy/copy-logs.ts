/**
 * Copies the entries of a log store into another, on whatever engines. Hour by hour, it reads the entries of both, and appends those that
 * the target does not have: so a copy that was killed goes on, at any time later, and doubles nothing. Then it reads the hour
 * of the target again, and compares number and checksum of each project's entries. Entries that only the target has are its own.
 */
import { knownFieldsOf } from '../../foundation/log-store/known-fields.js';
import type { LogStore } from '../../foundation/log-store/log-store.js';
import { EntryPacker } from '../../foundation/log-store/packed-entries.js';
import { isBuiltIn, type LogSource } from '../../foundation/log-store/sources.js';
import { entriesOf, hoursOf, type ReadEntry } from './entry-reading.js';

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

/** Throws what the stores throw. */
export const copyLogs = async (stores: Stores, onProgress: OnProgress): Promise<CopiedLogs> => {
  const sources: CopiedSource[] = [];
  const differences: Difference[] = [];
  const counts = await stores.from.counts();
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  let done = 0;
  for (const source of await stores.from.sources()) {
    if (!isBuiltIn(source)) await stores.to.addSource(source);
    const inTarget = await hoursOf(stores.to, source);
    const copied = { entries: 0, appended: 0, compared: 0 };
    for (const hour of (await hoursOf(stores.from, source)).keys()) {
      const found = await copyHour(stores, { source, hour, isEmpty: !inTarget.has(hour) });
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

interface Hour {
  readonly source: LogSource;
  readonly hour: number;
  /** The target has no entry in it. */
  readonly isEmpty: boolean;
}

const copyHour = async ({ from, to }: Stores, { source, hour, isEmpty }: Hour) => {
  const there = isEmpty ? NOTHING : await sumsOf(to, source, hour);
  const wanted = new Map<string, number>();
  let appended = 0;
  let missing: ReadEntry[] = [];
  const append = async (): Promise<void> => {
    if (missing.length > 0) appended += (await to.append(source, packed(source, missing))).accepted;
    missing = [];
  };
  for await (const page of entriesOf(from, source, hour)) {
    for (const read of page) {
      wanted.set(read.key, (wanted.get(read.key) ?? 0) + read.sum);
      if (!there.has(read.key)) missing.push(read);
    }
    if (missing.length >= APPEND_ENTRIES) await append();
  }
  await append();
  const now = appended > 0 ? await sumsOf(to, source, hour) : there;
  return { entries: wanted.size, appended, ...comparedBy(wanted, now, { source, hour }) };
};

const NOTHING: ReadonlyMap<string, number> = new Map();

/** The sums of the entries of an hour, by their keys. */
const sumsOf = async (
  store: LogStore,
  source: LogSource,
  hour: number,
): Promise<ReadonlyMap<string, number>> => {
  const sums = new Map<string, number>();
  for await (const page of entriesOf(store, source, hour))
    for (const { key, sum } of page) sums.set(key, (sums.get(key) ?? 0) + sum);
  return sums;
};

const packed = (source: LogSource, entries: readonly ReadEntry[]) => {
  const packer = new EntryPacker({ source, known: () => knownFieldsOf(source), isTied: false });
  for (const { entry, text } of entries) packer.add(entry, text);
  return packer.pack();
};

/** Compares by project: how many there are, and the sum of their checksums. */
const comparedBy = (
  wanted: ReadonlyMap<string, number>,
  found: ReadonlyMap<string, number>,
  { source, hour }: Pick<Hour, 'source' | 'hour'>,
): { readonly compared: number; readonly differences: readonly Difference[] } => {
  const projects = new Map<string | null, { entries: number; differing: number }>();
  for (const [key, sum] of wanted) {
    const [project]: [string | null] = JSON.parse(key);
    const of = projects.get(project) ?? { entries: 0, differing: 0 };
    projects.set(project, of);
    of.entries++;
    if (found.get(key) !== sum) of.differing++;
  }
  const differences = [...projects].flatMap(([project, counts]) =>
    counts.differing === 0
      ? []
      : [{ source, project, hour: new Date(hour / 1_000).toISOString(), ...counts }],
  );
  return { compared: projects.size, differences };
};
