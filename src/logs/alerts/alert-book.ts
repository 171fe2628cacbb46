/**
 * Alerts and their runs in the operational store. A run is a row before it is evaluated, and its outcome replaces the row only as long as
 * no other node has changed it. So no time is evaluated twice, and what the receivers are told lands together with the outcome.
 */
import { Inject, Injectable } from '@nestjs/common';
import { RejectedError } from '../../domain/rejections.js';
import { type AlertRow, alertKeys } from '../../foundation/operational/alert-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import type { Alert, AlertRun } from './alert.js';
import { MAX_RUNS } from './schedule.js';

export const MAX_ALERTS = 500;
const MAX_ATTEMPTS = 20;

/** What is stored, and the revision to which a change belongs. */
export interface Revised<T> {
  readonly value: T;
  readonly revision: number;
}

@Injectable()
export class AlertBook {
  constructor(@Inject(OPERATIONAL_STORE) private readonly store: Pick<OperationalStore, 'alerts'>) {}

  async alerts(): Promise<readonly Alert[]> {
    const rows = await this.store.alerts.range(alertKeys.allAlerts, MAX_ALERTS);
    return rows.map((row) => alertIn(row).value);
  }

  /** Throws RejectedError `alert-not-found`. */
  async alert(alertId: string): Promise<Alert> {
    return (await this.#alert(alertId)).value;
  }

  /** As `alert`. Returns null when it was removed. */
  async find(alertId: string): Promise<Alert | null> {
    return (await this.#find(alertId))?.value ?? null;
  }

  async create(alert: Alert): Promise<void> {
    await this.store.alerts.insert([rowOfAlert({ value: alert, revision: 1 })]);
  }

  /** Returns the changed alert. `change` may be called again. Throws RejectedError `alert-not-found`, and what `change` throws. */
  async change(alertId: string, change: (alert: Alert) => Alert): Promise<Alert> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const { value, revision } = await this.#alert(alertId);
      const changed = change(value);
      if (await this.store.alerts.replace(rowOfAlert({ value: changed, revision: revision + 1 })))
        return changed;
    }
    throw new RejectedError({ code: 'alert-changed', detail: 'others keep changing the alert; do it again' });
  }

  /** With its runs. */
  async remove(alertId: string): Promise<void> {
    await this.store.alerts.remove(alertKeys.only(alertKeys.alert(alertId)));
    await this.store.alerts.remove(alertKeys.runs(alertId));
  }

  /** The last one first. `before`: only those that were due earlier, in milliseconds since 1970. */
  async runs(alertId: string, limit: number, before?: number): Promise<readonly Revised<AlertRun>[]> {
    const rows = await this.store.alerts.range(alertKeys.runs(alertId, before), limit);
    return rows.map(runIn);
  }

  /** Adds runs in the order of their times, up to the first that another node has added. Returns whether it added all. */
  claim(runs: readonly AlertRun[]): Promise<boolean> {
    return this.store.alerts.insert(runs.map((value) => rowOfRun({ value, revision: 1 })));
  }

  /** Returns whether the run had this revision, and has the next one now; else nothing has changed. */
  replace({ value, revision }: Revised<AlertRun>): Promise<boolean> {
    return this.store.alerts.replace(rowOfRun({ value, revision: revision + 1 }));
  }

  /** Runs with messages that are to be sent by now, in milliseconds since 1970. */
  async waking(now: number, limit: number): Promise<readonly Revised<AlertRun>[]> {
    return (await this.store.alerts.waking(now, limit)).map(runIn);
  }

  /** Removes runs beyond the newest MAX_RUNS. */
  async trim(alertId: string): Promise<void> {
    const oldest = (await this.runs(alertId, MAX_RUNS)).at(MAX_RUNS - 1);
    if (oldest) await this.store.alerts.remove(alertKeys.runs(alertId, oldest.value.dueAt));
  }

  async #alert(alertId: string): Promise<Revised<Alert>> {
    const found = await this.#find(alertId);
    if (found) return found;
    throw new RejectedError({ code: 'alert-not-found', detail: `there is no alert ${alertId}` });
  }

  async #find(alertId: string): Promise<Revised<Alert> | null> {
    const row = await this.store.alerts.read(alertKeys.alert(alertId));
    return row && alertIn(row);
  }
}

const rowOfAlert = ({ value, revision }: Revised<Alert>): AlertRow => ({
  key: alertKeys.alert(value.alertId),
  revision,
  wakesAt: null,
  data: JSON.stringify(value),
});

const rowOfRun = ({ value, revision }: Revised<AlertRun>): AlertRow => {
  const waiting = value.deliveries.filter(({ state }) => state === 'waiting').map(({ nextAt }) => nextAt);
  return {
    key: alertKeys.run(value.alertId, value.dueAt),
    revision,
    wakesAt: waiting.length === 0 ? null : Math.min(...waiting),
    data: JSON.stringify(value),
  };
};

/** Codec: only this file writes these rows. */
const alertIn = ({ data, revision }: AlertRow): Revised<Alert> => ({ value: JSON.parse(data), revision });
const runIn = ({ data, revision }: AlertRow): Revised<AlertRun> => ({ value: JSON.parse(data), revision });
