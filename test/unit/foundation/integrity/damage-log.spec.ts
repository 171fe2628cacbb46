import { describe, expect, it } from '@jest/globals';
import type { Damage } from '../../../../src/foundation/integrity/damage.js';
import { DamageLog } from '../../../../src/foundation/integrity/damage-log.js';

const damage = (place: string, store: Damage['store'] = 'events'): Damage => ({
  store,
  place,
  reason: 'changed',
});

describe('DamageLog', () => {
  it('keeps the first, and tells each place once', () => {
    const log = new DamageLog();
    const told: Damage[] = [];
    const end = log.onDamage((each) => told.push(each));
    expect(log.first).toBeNull();
    for (const each of [damage('a'), damage('b'), damage('a'), damage('a', 'read-models')]) log.record(each);
    expect(log.first).toEqual(damage('a'));
    expect(told).toEqual([damage('a'), damage('b'), damage('a', 'read-models')]);
    end();
    log.record(damage('c'));
    expect(told).toHaveLength(3);
    expect(log.all).toHaveLength(4);
  });

  it('forgets a store that was made anew, and no other', () => {
    const log = new DamageLog();
    for (const each of [damage('a', 'read-models'), damage('b')]) log.record(each);
    log.forget('read-models');
    expect(log.all).toEqual([damage('b')]);
    log.record(damage('a', 'read-models'));
    expect(log.all).toHaveLength(2);
  });

  it('is bounded', () => {
    const log = new DamageLog();
    for (let each = 0; each < 5_000; each += 1) log.record(damage(String(each)));
    expect(log.all).toHaveLength(1_000);
    expect(log.first?.place).toBe('0');
  });
});
