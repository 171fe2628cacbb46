/**
 * Removes entries that are older than the retention of their source or project, and refused ones from the list of the last day: 30 s after
 * the start, then every hour.
 */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type PodiumConfig } from '../foundation/config.js';
import { owningNode } from '../foundation/log-store/log-owner.js';
import { LOG_STORE, type LogStore, type ProjectChoice } from '../foundation/log-store/log-store.js';
import { generalValueOf, ownValuesOf } from '../foundation/log-store/per-source.js';
import type { LogSource } from '../foundation/log-store/sources.js';
import { RefusedLog } from './ingest/refused-log.js';
import { TrustedClock } from './trusted-clock.js';

const DAY_MICROS = 86_400_000_000;
const FIRST_AFTER_MS = 30_000;
const EVERY_MS = 3_600_000;

@Injectable()
export class LogRetention implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #clock = new TrustedClock();
  #timers: NodeJS.Timeout[] = [];

  constructor(
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'logRetentionDays' | 'logStoreUrl'>,
    @Inject(LOG_STORE) private readonly store: LogStore,
    @Inject(RefusedLog) private readonly refused: Pick<RefusedLog, 'removeOld'>,
  ) {}

  onApplicationBootstrap(): void {
    if (owningNode(this.config.logStoreUrl)) return;
    const remove = (): void => {
      // When the store is unreachable, the next run removes them.
      this.remove(Math.floor(this.#clock.now() * 1_000)).catch(() => undefined);
      this.refused.removeOld().catch(() => undefined);
    };
    this.#timers = [setTimeout(remove, FIRST_AFTER_MS), setInterval(remove, EVERY_MS)];
    for (const timer of this.#timers) timer.unref();
  }

  onApplicationShutdown(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /**
   * `now`: microseconds since 1970. Returns how many entries were removed. A removal that fails keeps no other from its turn; then it
   * throws AggregateError.
   */
  async remove(now: number): Promise<number> {
    const failures: unknown[] = [];
    let removed = 0;
    for (const source of await this.store.sources())
      for (const { days, whose } of this.#removalsFrom(source))
        try {
          removed += await this.store.removeBefore(source, now - days * DAY_MICROS, whose);
        } catch (error) {
          failures.push(error);
        }
    if (failures.length > 0) throw new AggregateError(failures);
    return removed;
  }

  #removalsFrom(source: LogSource): readonly { readonly days: number; readonly whose?: ProjectChoice }[] {
    const { logRetentionDays: setting } = this.config;
    const own = ownValuesOf(setting, source);
    const days = generalValueOf(setting, source);
    if (own.size === 0) return [{ days }];
    return [
      { days, whose: { projects: [...own.keys()], others: true } },
      ...Array.from(own, ([project, days]) => ({ days, whose: { projects: [project], others: false } })),
    ];
  }
}
