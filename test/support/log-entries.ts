/** Log entries for tests: each its own id, the rest as told. */
import { randomUUID } from 'node:crypto';
import type { JsonRecord, LogEntry } from '../../src/foundation/log-store/sources.js';

export interface EntrySketch {
  readonly id?: string;
  readonly timestamp?: number;
  readonly eventMessage?: string;
  readonly metadata?: JsonRecord;
  readonly project?: string | null;
}

/** 2026-03-01T12:00:00Z in microseconds. */
export const NOON = Date.UTC(2026, 2, 1, 12) * 1_000;

export const logEntry = (sketch: EntrySketch = {}): LogEntry => ({
  id: randomUUID(),
  timestamp: NOON,
  eventMessage: 'something happened',
  metadata: {},
  project: 'one',
  ...sketch,
});

export const logEntries = (count: number, sketch: (index: number) => EntrySketch = () => ({})): LogEntry[] =>
  Array.from({ length: count }, (_, index) => logEntry(sketch(index)));
