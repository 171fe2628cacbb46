/**
 * Looks once a second whether runs or messages are due, on the node that owns the log store. Runs are due at whole minutes. What fails
 * because a store is away is tried again a second later.
 */
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { messageOf } from '../../foundation/basics/error-message.js';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { ownerOf } from '../../foundation/log-store/log-owner.js';
import { AlertBook } from './alert-book.js';
import { AlertDeliveries } from './alert-deliveries.js';
import { AlertRuns } from './alert-runs.js';

const EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
const TRIM_EVERY_MS = 60 * MINUTE_MS;

@Injectable()
export class AlertTimer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('Alerts');
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #underWay: Promise<void> = Promise.resolve();
  #isBusy = false;
  #isFailing = false;
  /** The minute of the last runs, since 1970. */
  #minute = 0;
  #trimmedAt = 0;

  constructor(
    private readonly book: AlertBook,
    private readonly runs: AlertRuns,
    private readonly deliveries: AlertDeliveries,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'logStoreUrl'>,
  ) {}

  onApplicationBootstrap(): void {
    if (ownerOf(this.config.logStoreUrl)) return;
    this.#timer = setInterval(() => this.#tick(Date.now()), EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#stopped.abort();
    await this.#underWay;
    await this.deliveries.settled();
  }

  #tick(now: number): void {
    const { signal } = this.#stopped;
    void this.deliveries.start(now, signal, this.#failed).catch(this.#failed);
    if (this.#isBusy || Math.floor(now / MINUTE_MS) === this.#minute) return;
    this.#isBusy = true;
    this.#underWay = this.#runDue(now, signal)
      .catch(this.#failed)
      .finally(() => {
        this.#isBusy = false;
      });
  }

  async #runDue(now: number, signal: AbortSignal): Promise<void> {
    await this.runs.runDue(now, signal);
    this.#minute = Math.floor(now / MINUTE_MS);
    this.#isFailing = false;
    if (now - this.#trimmedAt < TRIM_EVERY_MS) return;
    for (const { alertId } of await this.book.alerts()) await this.book.trim(alertId);
    this.#trimmedAt = now;
  }

  /** Says so once for each time that it is away. */
  readonly #failed = (error: unknown): void => {
    if (!this.#isFailing) this.#logger.warn(`the alerts are not run for now: ${messageOf(error)}`);
    this.#isFailing = true;
  };
}
