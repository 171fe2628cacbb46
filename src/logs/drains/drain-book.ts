/** Drains in the operational store, one row each. Each change names the revision that it belongs to, so no node undoes what another did. */
import { Inject, Injectable } from '@nestjs/common';
import { RejectedError } from '../../domain/rejections.js';
import { type AlertRow, alertKeys } from '../../foundation/operational/alert-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import type { Drain } from './drain.js';
import type { Progress } from './progress.js';

export const MAX_DRAINS = 200;
const MAX_ATTEMPTS = 20;

@Injectable()
export class DrainBook {
  constructor(@Inject(OPERATIONAL_STORE) private readonly store: Pick<OperationalStore, 'alerts'>) {}

  async drains(): Promise<readonly Drain[]> {
    return (await this.store.alerts.range(alertKeys.allDrains, MAX_DRAINS)).map(drainIn);
  }

  /** Throws RejectedError `drain-not-found`. */
  async drain(drainId: string): Promise<Drain> {
    return drainIn(await this.#row(drainId));
  }

  async create(drain: Drain): Promise<void> {
    await this.store.alerts.insert([rowOf(drain, 1)]);
  }

  /**
   * Returns the changed drain. `change` may be called again; null: it is to stay as it is, and null is returned. Throws RejectedError
   * `drain-not-found`, `drain-changed`.
   */
  async change<T extends Drain | null>(drainId: string, change: (drain: Drain) => T): Promise<T> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const row = await this.#row(drainId);
      const changed = change(drainIn(row));
      if (changed === null || (await this.store.alerts.replace(rowOf(changed, row.revision + 1))))
        return changed;
    }
    throw new RejectedError({ code: 'drain-changed', detail: 'others keep changing the drain; do it again' });
  }

  async remove(drainId: string): Promise<void> {
    await this.store.alerts.remove(alertKeys.only(alertKeys.drain(drainId)));
  }

  async #row(drainId: string): Promise<AlertRow> {
    const row = await this.store.alerts.read(alertKeys.drain(drainId));
    if (row) return row;
    throw new RejectedError({ code: 'drain-not-found', detail: `there is no drain ${drainId}` });
  }
}

const rowOf = (drain: Drain, revision: number): AlertRow => ({
  key: alertKeys.drain(drain.drainId),
  revision,
  wakesAt: null,
  data: JSON.stringify(drain),
});

/** Codec: only this file writes these rows. Older code wrote no `rest` and no `tooLarge`. */
const drainIn = ({ data }: AlertRow): Drain => {
  const drain: Drain = JSON.parse(data);
  return { ...drain, progress: { ...OLDER, ...drain.progress } };
};

const OLDER: Pick<Progress, 'rest' | 'tooLarge'> = { rest: [], tooLarge: 0 };
