/**
 * Generated log entries: the same seed gives the same entries, spread over the days before `until`. They are
 * ordered by time, more by day than by night, most of them of the busy projects.
 */

import type { LogStore } from '../../../foundation/log-store/log-store.js';
import type { LogEntry, LogSource } from '../../../foundation/log-store/sources.js';
import { Random } from '../world/random.js';
import { SAMPLE_SOURCES } from './sample-entries.js';
import { SAMPLE_PROJECTS } from './sample-projects.js';

export interface SampleLogs {
  readonly entries: number;
  readonly seed: number;
  /** Microseconds since 1970, UTC; no entry is later. */
  readonly until: number;
  /** Days before `until` in which the entries lie. */
  readonly days: number;
}

const HOUR_MICROS = 3_600_000_000;
/** Entries per write. */
const BATCH_SIZE = 8_000;

/** Yields batches of entries by source, ordered by time. */
export function* sampleLogs({
  entries,
  seed,
  until,
  days,
}: SampleLogs): Generator<Map<LogSource, LogEntry[]>> {
  const random = new Random(seed);
  // A separate source for times, so that ids and content do not depend on `until`.
  const chance = new Random(seed, 1);
  let batch = new Map<LogSource, LogEntry[]>();
  let entriesInBatch = 0;
  for (const timestamp of timestamps(chance, { entries, until, hours: days * 24 })) {
    const { source, make: tell } = random.weighted(SAMPLE_SOURCES);
    const body = tell(random, random.weighted(SAMPLE_PROJECTS));
    const list = batch.get(source) ?? [];
    list.push({ id: random.uuid(), timestamp, ...body });
    batch.set(source, list);
    entriesInBatch++;
    if (entriesInBatch === BATCH_SIZE) {
      yield batch;
      batch = new Map();
      entriesInBatch = 0;
    }
  }
  if (entriesInBatch > 0) yield batch;
}

/** Writes all entries. Returns how many were new and how many existed. */
export const appendSampleLogs = async (
  store: LogStore,
  options: SampleLogs,
  onProgress: (written: number) => void = () => undefined,
): Promise<{ readonly accepted: number; readonly duplicates: number }> => {
  let accepted = 0;
  let duplicates = 0;
  for (const batch of sampleLogs(options)) {
    // Concurrent, so that one commit covers all sources.
    const appended = await Promise.all([...batch].map(([source, entries]) => store.append(source, entries)));
    for (const each of appended) {
      accepted += each.accepted;
      duplicates += each.duplicates;
    }
    onProgress(accepted + duplicates);
  }
  return { accepted, duplicates };
};

/** Each hour gets entries by the time of day, at random times within it. */
function* timestamps(
  random: Random,
  { entries, until, hours }: { readonly entries: number; readonly until: number; readonly hours: number },
): Generator<number> {
  const begin = until - hours * HOUR_MICROS;
  const shares = Array.from({ length: Math.ceil(hours) }, (_, hour) => busyness(begin + hour * HOUR_MICROS));
  const total = shares.reduce((sum, share) => sum + share, 0);
  let before = 0;
  let given = 0;
  for (const [hour, share] of shares.entries()) {
    before += share;
    const upTo = hour === shares.length - 1 ? entries : Math.round((entries * before) / total);
    const from = begin + hour * HOUR_MICROS;
    const span = Math.min(HOUR_MICROS, until - from);
    const within = Array.from({ length: upTo - given }, () => random.unit()).sort(
      (one, other) => one - other,
    );
    for (const unit of within) yield from + Math.floor(unit * span);
    given = upTo;
  }
}

/** Four times as busy in the afternoon as before dawn. */
const busyness = (micros: number): number => {
  const hour = (micros / HOUR_MICROS) % 24;
  return 1 + 0.6 * Math.sin(((hour - 9) / 24) * 2 * Math.PI);
};
