/** The made-up logs: the same from the same seed, in order, of every source and project, and good enough for the gate. */
import { describe, expect, it } from '@jest/globals';
import { sampleLogs } from '../../../../src/app/generators/logs/sample-logs.js';
import { SAMPLE_PROJECTS } from '../../../../src/app/generators/logs/sample-projects.js';
import { FieldObserver } from '../../../../src/foundation/log-store/field-observer.js';
import { knownFieldsOf } from '../../../../src/foundation/log-store/known-fields.js';
import {
  BUILT_IN_SOURCES,
  type LogEntry,
  type LogSource,
  projectOf,
} from '../../../../src/foundation/log-store/sources.js';
import { checkEntry } from '../../../../src/logs/ingest/entry-rules.js';

const UNTIL = Date.UTC(2026, 2, 31, 15, 30) * 1_000;
const HOUR = 3_600_000_000;

const all = (
  entries: number,
  seed: number,
  days = 3,
): readonly (LogEntry & { readonly source: LogSource })[] =>
  [...sampleLogs({ entries, seed, until: UNTIL, days })].flatMap((portion) =>
    [...portion].flatMap(([source, list]) => list.map((entry) => ({ ...entry, source }))),
  );

describe('sample logs', () => {
  const entries = all(20_000, 7);

  it('are as many as asked for, in all sources and projects, with an id each', () => {
    expect(entries).toHaveLength(20_000);
    expect(new Set(entries.map(({ source }) => source)).size).toBe(9);
    const refs = new Set(entries.map((entry) => projectOf(entry.source, entry)));
    expect([...refs].sort()).toEqual(SAMPLE_PROJECTS.map(({ ref }) => ref).sort());
    expect(new Set(entries.map(({ id }) => id)).size).toBe(20_000);
  });

  it('lie within their days, in order within each source, some in the last hour', () => {
    for (const source of BUILT_IN_SOURCES) {
      const times = entries.filter((entry) => entry.source === source).map(({ timestamp }) => timestamp);
      expect(times).toEqual([...times].sort((one, other) => one - other));
    }
    const times = entries.map(({ timestamp }) => timestamp);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(UNTIL - 72 * HOUR);
    expect(Math.max(...times)).toBeLessThan(UNTIL);
    expect(times.filter((time) => time > UNTIL - HOUR).length).toBeGreaterThan(100);
  });

  it('are the same from the same seed, and others from another', () => {
    expect(all(500, 7)).toEqual(all(500, 7));
    const ids = (until: number) =>
      [...sampleLogs({ entries: 500, seed: 7, until, days: 3 })].flatMap((portion) =>
        [...portion.values()].flat().map(({ id }) => id),
      );
    expect(ids(UNTIL + 5 * HOUR)).toEqual(ids(UNTIL));
    expect(all(500, 8)[0]?.id).not.toBe(all(500, 7)[0]?.id);
  });

  it('are what ingestion would take, with fields that the catalogue knows', () => {
    const observers = new Map(
      BUILT_IN_SOURCES.map((source) => [source, new FieldObserver(knownFieldsOf(source))]),
    );
    for (const { source, eventMessage, timestamp, ...rest } of entries) {
      const given = { ...rest, timestamp, event_message: eventMessage };
      expect(checkEntry(given, '', { source, onlyProject: null, now: UNTIL }).faults).toBeNull();
      observers.get(source)?.observe(rest.metadata);
    }
    for (const [source, observer] of observers) expect([source, observer.unknown()]).toEqual([source, null]);
  });
});
