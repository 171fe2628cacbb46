/**
 * Looks whether runs or messages are due. Runs are due at whole minutes. What fails because a store is away is tried again a second
 * later.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { SecondTimer } from '../second-timer.js';
import { AlertBook } from './alert-book.js';
import { AlertDeliveries } from './alert-deliveries.js';
import { AlertRuns } from './alert-runs.js';

const MINUTE_MS = 60_000;
const TRIM_EVERY_MS = 60 * MINUTE_MS;

@Injectable()
export class AlertTimer extends SecondTimer {
  #underWay: Promise<void> = Promise.resolve();
  #isBusy = false;
  /** The minute of the last runs, since 1970. */
  #minute = 0;
  #trimmedAt = 0;

  constructor(
    private readonly book: AlertBook,
    private readonly runs: AlertRuns,
    private readonly deliveries: AlertDeliveries,
    @Inject(CONFIG) config: Pick<PodiumConfig, 'logStoreUrl'>,
  ) {
    super(config, 'Alerts', 'the alerts are not run');
  }

  protected async settled(): Promise<void> {
    await this.#underWay;
    await this.deliveries.settled();
  }

  protected tick(now: number): void {
    const { signal } = this.stopped;
    void this.deliveries.start(now, signal, this.failed).catch(this.failed);
    if (this.#isBusy || Math.floor(now / MINUTE_MS) === this.#minute) return;
    this.#isBusy = true;
    this.#underWay = this.#runDue(now, signal)
      .catch(this.failed)
      .finally(() => {
        this.#isBusy = false;
      });
  }

  async #runDue(now: number, signal: AbortSignal): Promise<void> {
    await this.runs.runDue(now, signal);
    this.#minute = Math.floor(now / MINUTE_MS);
    this.succeeded();
    if (now - this.#trimmedAt < TRIM_EVERY_MS) return;
    for (const { alertId } of await this.book.alerts()) await this.book.trim(alertId);
    this.#trimmedAt = now;
  }
}
