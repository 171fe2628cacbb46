/** What looks once a second whether something is due, on each node that has the log store open. */
import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { messageOf } from '../foundation/basics/error-message.js';
import type { PodiumConfig } from '../foundation/config.js';
import { owningNode } from '../foundation/log-store/log-owner.js';

const EVERY_MS = 1_000;

export abstract class SecondTimer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Aborted when the server stops. */
  protected readonly stopped = new AbortController();
  readonly #config: Pick<PodiumConfig, 'logStoreUrl'>;
  readonly #logger: Logger;
  readonly #failure: string;
  #timer: NodeJS.Timeout | null = null;
  #isFailing = false;

  /** `failure`: what does not happen while a store is away. */
  constructor(config: Pick<PodiumConfig, 'logStoreUrl'>, name: string, failure: string) {
    this.#config = config;
    this.#logger = new Logger(name);
    this.#failure = failure;
  }

  onApplicationBootstrap(): void {
    if (owningNode(this.#config.logStoreUrl)) return;
    this.#timer = setInterval(() => this.tick(Date.now()), EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.stopped.abort();
    await this.settled();
  }

  /** Called once a second. */
  protected abstract tick(now: number): void;

  /** Resolves when what is under way has ended. */
  protected abstract settled(): Promise<void>;

  protected succeeded(): void {
    this.#isFailing = false;
  }

  /** Says so once for each time that a store is away. */
  protected readonly failed = (error: unknown): void => {
    if (!this.#isFailing) this.#logger.warn(`${this.#failure} for now: ${messageOf(error)}`);
    this.#isFailing = true;
  };
}
