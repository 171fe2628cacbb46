/** The size of an append: as EventStoreDB counts what its adapter sends, and room for the rows that docs promise. */
import { describe, expect, it } from '@jest/globals';
import { encodeEvent } from '../../../../src/engines/eventstoredb/codec.js';
import {
  AppendSize,
  MAX_APPEND_BYTES_RANGE,
  ROWS_THAT_FIT,
} from '../../../../src/foundation/event-store/append-checks.js';
import type { NewEvent } from '../../../../src/foundation/event-store/event-store.js';
import { newEvent } from '../../../support/events.js';

const sizeOf = (...events: readonly NewEvent[]): number => {
  const size = new AppendSize(Number.POSITIVE_INFINITY);
  for (const event of events) size.add(event, JSON.stringify(event.data));
  return size.bytes;
};

const METADATA = { actor: 'device', correlationId: 'c', causationId: 'x', schema: 1 };

describe('the size of an append', () => {
  it.each([
    ['a cause', newEvent('Happened', { name: 'Zoë' }), METADATA],
    ['a key and an account', newEvent(), { ...METADATA, keyId: 'k', accountId: 'a' }],
  ])('is that of the bytes that EventStoreDB gets, for an event with %s', (_, event, metadata) => {
    for (const recordedAt of [undefined, 1_767_225_600_000]) {
      const given = { ...event, metadata, ...(recordedAt !== undefined && { recordedAt }) };
      const encoded = encodeEvent(given, { stream: 's', revision: 0 });
      expect(sizeOf(given)).toBe(encoded.data.length + encoded.metadata.length + given.type.length * 2);
    }
  });

  it('leaves room for the rows that always fit, be ids and teams as large as they may', () => {
    const personIds = Array.from({ length: 20 }, () => Number.MAX_SAFE_INTEGER);
    const resultId = `${'c'.repeat(64)}_${'e'.repeat(64)}_r99_${personIds.join('-')}`;
    const request = { key: 'k'.repeat(64), fingerprint: 'f'.repeat(64) };
    const attempts = Array.from({ length: 5 }, () => -999_999_999_999_999);
    const data = { resultId, personIds, attempts };
    const metadata = {
      actor: 'moderator',
      keyId: 'k'.repeat(36),
      accountId: 'a'.repeat(36),
      correlationId: 'r'.repeat(128),
      schema: 1,
    };
    const row = (more: object): NewEvent => ({
      ...newEvent('ResultReplaced', { ...data, ...more }),
      metadata,
    });
    const rest = Array.from({ length: ROWS_THAT_FIT - 1 }, () => row({}));
    expect(sizeOf(row({ request }), ...rest)).toBeLessThan(MAX_APPEND_BYTES_RANGE[0]);
  });
});
