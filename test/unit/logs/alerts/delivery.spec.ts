/** The attempts to deliver a message. */
import { expect, it } from '@jest/globals';
import { begun, ended, isDue, newDelivery, PAUSES_MS } from '../../../../src/logs/alerts/delivery.js';

const REFUSED = { problem: 'it answered 500', final: false };

it('are made at once, and after ever longer pauses for more than a day, then no more', () => {
  let delivery = newDelivery('r');
  let now = 0;
  for (const pauseMs of PAUSES_MS) {
    expect(isDue(delivery, now)).toBe(true);
    delivery = ended(begun(delivery, now), REFUSED, now);
    expect(isDue(delivery, now + pauseMs - 1)).toBe(false);
    now += pauseMs;
  }
  expect(now).toBeGreaterThan(24 * 3_600_000);
  delivery = ended(begun(delivery, now), REFUSED, now);
  expect(delivery).toMatchObject({ state: 'failed', attempts: 8, problem: 'it answered 500' });
  expect(isDue(delivery, now * 2)).toBe(false);
});

it('end when the receiver has taken it, or never will', () => {
  const first = begun(newDelivery('r'), 0);
  expect(ended(first, null, 0)).toMatchObject({ state: 'delivered', attempts: 1, problem: null });
  expect(ended(first, { problem: 'it answered 410', final: true }, 0).state).toBe('failed');
});

it('are made again when the outcome of one is lost', () => {
  const first = begun(newDelivery('r'), 1_000);
  expect(isDue(first, 11_000)).toBe(false);
  expect(isDue(first, 16_000)).toBe(true);
});
