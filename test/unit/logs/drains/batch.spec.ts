/** Which entries make a batch, and how it is named. */
import { describe, expect, it } from '@jest/globals';
import { BatchEntries, BOUNDS, batchId, bodyOf, objectKey } from '../../../../src/logs/drains/batch.js';

const HOUR = 3_600_000_000;
const at = (position: number, event_message = '') => ({
  position,
  entry: { id: `e${position}`, event_message },
});

describe('a batch', () => {
  it('has no more entries and no more bytes than its receiver takes', () => {
    const few = new BatchEntries({ maxEntries: 2, maxBytes: 1_000, ofOneHour: false });
    expect([1, 2, 3].map((position) => few.add(at(position)))).toEqual([true, true, false]);
    expect([few.first, few.last, few.entries.length]).toEqual([1, 2, 2]);
    const small = new BatchEntries({ maxEntries: 9, maxBytes: 100, ofOneHour: false });
    expect([small.add(at(1, 'x'.repeat(40))), small.add(at(2, 'x'.repeat(40)))]).toEqual([true, false]);
  });

  it('is a too large entry alone, because it must not be left out', () => {
    const small = new BatchEntries({ maxEntries: 9, maxBytes: 100, ofOneHour: false });
    expect([small.add(at(1, 'x'.repeat(200))), small.add(at(2))]).toEqual([true, false]);
  });

  it('of files has the entries of one hour', () => {
    const hour = new BatchEntries(BOUNDS.s3);
    expect([HOUR - 1, HOUR].map((position) => hour.add(at(position)))).toEqual([true, false]);
    const any = new BatchEntries(BOUNDS.http);
    expect([HOUR - 1, HOUR].map((position) => any.add(at(position)))).toEqual([true, true]);
  });

  it('has an id and a key of its own, by its positions', () => {
    const range = { after: 1_773_741_599_999_999, upTo: 1_773_741_600_000_001 };
    const drain = { drainId: 'd', source: 'edge_logs' };
    expect(batchId(drain, range)).toBe('drain_d_1773741599999999_1773741600000001');
    expect(objectKey(drain, range, Date.parse('2026-03-17T10:00:00Z') * 1_000)).toBe(
      'drain=d/source=edge_logs/date=2026-03-17/hour=10/1773741599999999-1773741600000001.parquet',
    );
  });

  it('is a JSON array or a line for each entry', () => {
    const entries = [{ id: 'a' }, { id: 'b' }];
    expect(bodyOf(entries, 'json')).toBe('[{"id":"a"},{"id":"b"}]');
    expect(bodyOf(entries, 'ndjson')).toBe('{"id":"a"}\n{"id":"b"}\n');
    expect([bodyOf([], 'json'), bodyOf([], 'ndjson')]).toEqual(['[]', '']);
  });
});
