/** Warms and sweeps the result cache while a server runs. CLI commands use the cache without it. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { settlesWithin } from '../../foundation/basics/settles-within.js';
import { LOG_RESULT_CACHE } from './result-cache.js';
import type { SharedResultCache } from './shared-result-cache.js';

const TICK_MS = 1_000;
/** At the end of the server, also when the read-model store hangs. */
const CLOSE_WITHIN_MS = 500;

@Injectable()
export class ResultCacheTimer implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;

  constructor(@Inject(LOG_RESULT_CACHE) private readonly cache: SharedResultCache) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.cache.tick(), TICK_MS).unref();
  }

  /** Runs before the stores are closed, since closing the cache still writes to its store. */
  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await settlesWithin(this.cache.close(), CLOSE_WITHIN_MS);
  }
}
