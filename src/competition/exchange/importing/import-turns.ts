/**
 * Imports into one space run one after the other, on all nodes: each holds a lease of the read-model store while it runs. Two
 * at once would each find the same new persons and register them twice.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { holderName } from '../../../foundation/read-models/lease-holder.js';
import {
  READ_MODEL_STORE,
  type ReadModelStore,
  ReadModelUnavailableError,
} from '../../../foundation/read-models/read-model-store.js';

/** How long other imports wait for one whose node has died; in SQLite, those of the same host do not. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = LEASE_MS / 3;
const ASK_AGAIN_AFTER_MS = 100;

export interface ImportTurn {
  /**
   * Throws ReadModelUnavailableError when the lease has not been renewed in time: another import may have registered persons of which this
   * one does not know.
   */
  requireHeld(): void;
}

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
  async take<T>(spaceId: string, runImport: (turn: ImportTurn) => Promise<T>): Promise<T> {
    const name = `import/${spaceId}`;
    const holder = holderName();
    const acquire = () => this.leases.acquireLease({ name, holder, ttlMs: LEASE_MS });
    let askedAt = performance.now();
    while ((await acquire()) === null) {
      await pause(ASK_AGAIN_AFTER_MS);
      askedAt = performance.now();
    }
    let heldUntil = askedAt + LEASE_MS;
    const isHeld = (): boolean => performance.now() < heldUntil;
    const renew = async (): Promise<void> => {
      const renewedAt = performance.now();
      // What was lost once stays so: another import may have had it and given it back.
      if (isHeld() && (await acquire()) !== null && isHeld()) heldUntil = renewedAt + LEASE_MS;
    };
    let renewed: Promise<unknown> = Promise.resolve();
    const renewals = setInterval(() => {
      renewed = renew().catch(() => undefined);
    }, RENEW_EVERY_MS);
    const requireHeld = (): void => {
      if (!isHeld())
        throw new ReadModelUnavailableError('the turn of the import has run out; import it again');
    };
    try {
      return await runImport({ requireHeld });
    } finally {
      clearInterval(renewals);
      await renewed;
      // A lease that stays ends by itself.
      await this.leases.releaseLease(name, holder).catch(() => undefined);
    }
  }
}
