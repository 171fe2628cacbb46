/**
 * Imports into one space run one after the other, on all nodes: each holds a lease of the read-model store while it runs. Two
 * at once would each find the same new persons and register them twice.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { holderName } from '../../../foundation/read-models/lease-holder.js';
import { READ_MODEL_STORE, type ReadModelStore } from '../../../foundation/read-models/read-model-store.js';

/** How long other imports wait for one whose node has died; in SQLite, those of the same host do not. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = LEASE_MS / 3;
const ASK_AGAIN_AFTER_MS = 100;

@Injectable()
export class ImportTurns {
  constructor(
    @Inject(READ_MODEL_STORE)
    private readonly leases: Pick<ReadModelStore, 'acquireLease' | 'releaseLease'>,
  ) {}

  /**
   * Runs the import when no other one runs. Returns what it returns, or throws its error. Throws ReadModelUnavailableError, before
   * it begins, when the store does not give the lease.
   */
  async take<T>(spaceId: string, runImport: () => Promise<T>): Promise<T> {
    const name = `import/${spaceId}`;
    const holder = holderName();
    const acquire = () => this.leases.acquireLease({ name, holder, ttlMs: LEASE_MS });
    while ((await acquire()) === null) await pause(ASK_AGAIN_AFTER_MS);
    let renewed: Promise<unknown> = Promise.resolve();
    const renewals = setInterval(() => {
      renewed = acquire().catch(() => undefined);
    }, RENEW_EVERY_MS);
    try {
      return await runImport();
    } finally {
      clearInterval(renewals);
      await renewed;
      // A lease that stays ends by itself.
      await this.leases.releaseLease(name, holder).catch(() => undefined);
    }
  }
}
