/**
 * The result cache of this process, and the timer that warms and sweeps it while a server runs. CLI commands use the
 * cache without the timer, so only servers warm it.
 */
import {
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { settlesWithin } from '../../foundation/basics/settles-within.js';
import { READ_MODEL_STORE, type ReadModelStore } from '../../foundation/read-models/read-model-store.js';
import { LOG_RESULT_CACHE } from './result-cache.js';
import { SharedResultCache } from './shared-result-cache.js';

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

@Module({
  providers: [
    {
      provide: LOG_RESULT_CACHE,
      inject: [READ_MODEL_STORE],
      useFactory: ({ resultCache }: ReadModelStore) => {
        const logger = new Logger('LogResultCache');
        const onError = (error: unknown): void => logger.warn(error instanceof Error ? error.message : error);
        return new SharedResultCache({ results: resultCache, onError });
      },
    },
  ],
  exports: [LOG_RESULT_CACHE],
})
export class LogCacheModule {}
