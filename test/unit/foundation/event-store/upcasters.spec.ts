/** Old events are lifted one change at a time, and the others are left alone. */
import { describe, expect, it } from '@jest/globals';
import { UPCASTERS, Upcasters } from '../../../../src/foundation/event-store/upcasters.js';
import { recordedEvent } from '../../../support/events.js';

describe('upcasters', () => {
  const upcasters = new Upcasters([
    { type: 'Timed', upTo: 1, lift: (data) => ({ ...data, unit: 'seconds' }) },
    { type: 'Timed', upTo: 2, lift: (data) => ({ ...data, exact: false }) },
  ]);

  it('lift from any version to the newest', () => {
    const lifted = upcasters.lift(recordedEvent('Timed', 1, { value: 3 }));
    expect(lifted.data).toEqual({ value: 3, unit: 'seconds', exact: false });
    expect(lifted.metadata.schema).toBe(3);
    expect(upcasters.lift(recordedEvent('Timed', 2, { value: 3 })).data).toEqual({ value: 3, exact: false });
  });

  it('pass over the versions in which only other events of the aggregate changed', () => {
    const later = new Upcasters([
      { type: 'Timed', upTo: 5, lift: (data) => ({ ...data, exact: false }) },
      { type: 'Timed', upTo: 2, lift: (data) => ({ ...data, unit: 'seconds' }) },
    ]);
    const newest = { value: 3, unit: 'seconds', exact: false };
    expect(later.lift(recordedEvent('Timed', 1, { value: 3 })).data).toEqual(newest);
    for (const schema of [3, 4, 5])
      expect(later.lift(recordedEvent('Timed', schema, { value: 3, unit: 'seconds' })).data).toEqual(newest);
    const written = recordedEvent('Timed', 6, newest);
    expect(later.lift(written)).toBe(written);
  });

  it('give back the very event that needs none', () => {
    for (const event of [recordedEvent('Timed', 3, {}), recordedEvent('Other', 1, {})]) {
      expect(upcasters.lift(event)).toBe(event);
      expect(UPCASTERS.lift(event)).toBe(event);
    }
  });
});
