/** Old events are lifted one change at a time, and the others are left alone. */
import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../../../src/foundation/event-store/event-store.js';
import { UPCASTERS, Upcasters } from '../../../../src/foundation/event-store/upcasters.js';
import { METADATA, newEvent } from '../../../support/events.js';

const recorded = (type: string, schema: number, data: object): RecordedEvent => ({
  ...newEvent(type, data),
  metadata: { ...METADATA, schema },
  stream: 's',
  revision: 0,
  position: 1,
  recordedAt: 0,
});

describe('upcasters', () => {
  const upcasters = new Upcasters([
    { type: 'Timed', upTo: 1, lift: (data) => ({ ...data, unit: 'seconds' }) },
    { type: 'Timed', upTo: 2, lift: (data) => ({ ...data, exact: false }) },
  ]);

  it('lift from any version to the newest', () => {
    const lifted = upcasters.lift(recorded('Timed', 1, { value: 3 }));
    expect(lifted.data).toEqual({ value: 3, unit: 'seconds', exact: false });
    expect(lifted.metadata.schema).toBe(3);
    expect(upcasters.lift(recorded('Timed', 2, { value: 3 })).data).toEqual({ value: 3, exact: false });
  });

  it('pass over the versions in which only other events of the aggregate changed', () => {
    const later = new Upcasters([
      { type: 'Timed', upTo: 5, lift: (data) => ({ ...data, exact: false }) },
      { type: 'Timed', upTo: 2, lift: (data) => ({ ...data, unit: 'seconds' }) },
    ]);
    const newest = { value: 3, unit: 'seconds', exact: false };
    expect(later.lift(recorded('Timed', 1, { value: 3 })).data).toEqual(newest);
    for (const schema of [3, 4, 5])
      expect(later.lift(recorded('Timed', schema, { value: 3, unit: 'seconds' })).data).toEqual(newest);
    const written = recorded('Timed', 6, newest);
    expect(later.lift(written)).toBe(written);
  });

  it('give back the very event that needs none', () => {
    for (const event of [recorded('Timed', 3, {}), recorded('Other', 1, {})]) {
      expect(upcasters.lift(event)).toBe(event);
      expect(UPCASTERS.lift(event)).toBe(event);
    }
  });
});
