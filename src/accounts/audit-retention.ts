/** Removes entries of the audit trail that are older than PODIUM_AUDIT_DAYS: 30 s after the start, then every hour. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type PodiumConfig } from '../foundation/config.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../foundation/operational/operational-store.js';

const DAY_MS = 86_400_000;
const FIRST_AFTER_MS = 30_000;
const EVERY_MS = 3_600_000;

@Injectable()
export class AuditRetention implements OnApplicationBootstrap, OnApplicationShutdown {
  #timers: NodeJS.Timeout[] = [];

  constructor(
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'auditDays'>,
    @Inject(OPERATIONAL_STORE) private readonly operational: Pick<OperationalStore, 'audit'>,
  ) {}

  onApplicationBootstrap(): void {
    // When the store is unreachable, the next run removes them.
    const remove = (): unknown => this.remove(Date.now()).catch(() => undefined);
    this.#timers = [setTimeout(remove, FIRST_AFTER_MS), setInterval(remove, EVERY_MS)];
    for (const timer of this.#timers) timer.unref();
  }

  onApplicationShutdown(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** `now` in milliseconds since 1970. */
  remove(now: number): Promise<void> {
    return this.operational.audit.removeBefore(now - this.config.auditDays * DAY_MS);
  }
}
