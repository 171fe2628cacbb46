/**
 * Delivers the messages of runs to their receivers, each at least once and always with the same id. An attempt is stored before it is
 * made, so several nodes seldom make the same. A slow receiver holds up no other.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { AlertRun, Delivery, Receiver } from './alert.js';
import { AlertBook, type Revised } from './alert-book.js';
import { begun, ended, type FailedAttempt, isDue } from './delivery.js';
import { Receivers } from './receivers.js';

/** Runs whose messages are on their way. */
const MAX_UNDER_WAY = 16;

@Injectable()
export class AlertDeliveries {
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(
    private readonly book: AlertBook,
    @Inject(Receivers) private readonly receivers: Pick<Receivers, 'send'>,
  ) {}

  /** Starts the attempts that are due now. Throws what OperationalStore throws. */
  async start(now: number, signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    for (const run of await this.book.waking(now, 2 * MAX_UNDER_WAY)) {
      const key = `${run.value.alertId} ${run.value.dueAt}`;
      if (this.#underWay.size >= MAX_UNDER_WAY || this.#underWay.has(key)) continue;
      const done = this.#deliver(run, now, signal)
        .catch(onError)
        .finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, done);
    }
  }

  /** Resolves when no attempt is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  async #deliver({ value, revision }: Revised<AlertRun>, now: number, signal: AbortSignal): Promise<void> {
    const attempt = withEach(value, (delivery) => (isDue(delivery, now) ? begun(delivery, now) : delivery));
    if (!(await this.book.replace({ value: attempt, revision }))) return;
    const receivers = (await this.book.find(value.alertId))?.receivers ?? [];
    const outcomes = new Map(
      await Promise.all(
        value.deliveries
          .filter((delivery) => isDue(delivery, now))
          .map(async ({ receiverId }) => {
            const receiver = receivers.find(({ id }) => id === receiverId);
            return [receiverId, await this.#attempt(receiver, value, signal)] as const;
          }),
      ),
    );
    // The server stops: the next one makes the attempts again.
    if (signal.aborted) return;
    const at = Date.now();
    const done = withEach(attempt, (delivery) => {
      const outcome = outcomes.get(delivery.receiverId);
      return outcome === undefined ? delivery : ended(delivery, outcome, at);
    });
    await this.book.replace({ value: done, revision: revision + 1 });
  }

  async #attempt(
    receiver: Receiver | undefined,
    { message }: AlertRun,
    signal: AbortSignal,
  ): Promise<FailedAttempt | null> {
    if (!receiver || !message) return { problem: 'the alert has this receiver no more', final: true };
    return this.receivers.send(receiver, message, signal);
  }
}

const withEach = (run: AlertRun, change: (delivery: Delivery) => Delivery): AlertRun => ({
  ...run,
  deliveries: run.deliveries.map(change),
});
