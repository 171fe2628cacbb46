/** The attempts to deliver a message: at once, then ever more rarely for a day, as Standard Webhooks advises. Pure. */
import type { Delivery } from './alert.js';

/** `final`: no further attempt can succeed. */
export interface FailedAttempt {
  readonly problem: string;
  readonly final: boolean;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Pauses between attempts. */
export const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
];
/** Longer than any attempt. */
const ATTEMPT_MS = 15 * SECOND_MS;

/** Due at once. */
export const newDelivery = (receiverId: string): Delivery => ({
  receiverId,
  state: 'waiting',
  attempts: 0,
  nextAt: 0,
  problem: null,
});

export const isDue = ({ state, nextAt }: Delivery, now: number): boolean =>
  state === 'waiting' && nextAt <= now;

/** Before an attempt. When its outcome is lost in a crash, the message is sent again. */
export const begun = (delivery: Delivery, now: number): Delivery => ({
  ...delivery,
  attempts: delivery.attempts + 1,
  nextAt: now + ATTEMPT_MS,
});

/** After the attempt; `failed` null: the receiver has taken the message. */
export const ended = (delivery: Delivery, failed: FailedAttempt | null, now: number): Delivery => {
  if (failed === null) return { ...delivery, state: 'delivered', problem: null };
  const pauseMs = failed.final ? undefined : PAUSES_MS[delivery.attempts - 1];
  const { problem } = failed;
  if (pauseMs === undefined) return { ...delivery, state: 'failed', problem };
  return { ...delivery, nextAt: now + pauseMs, problem };
};
