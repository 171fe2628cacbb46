/** An AlertStore in memory, and an alert to put into it. */
import type { AlertRow, AlertStore } from '../../src/foundation/operational/alert-store.js';
import type { Alert } from '../../src/logs/alerts/alert.js';

/** `turn`: what each call waits for. Default: nothing. */
export const memoryAlerts = (turn: () => Promise<unknown> = async () => undefined): AlertStore => {
  const rows = new Map<string, AlertRow>();
  const ordered = () => [...rows.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
  return {
    insert: async (added) => {
      for (const row of added) {
        await turn();
        if (rows.has(row.key)) return false;
        rows.set(row.key, row);
      }
      return true;
    },
    replace: async (row) => {
      await turn();
      if (rows.get(row.key)?.revision !== row.revision - 1) return false;
      rows.set(row.key, row);
      return true;
    },
    read: async (key) => {
      await turn();
      return rows.get(key) ?? null;
    },
    range: async ([from, to], limit) => {
      await turn();
      return ordered()
        .filter(({ key }) => key >= from && key < to)
        .reverse()
        .slice(0, limit);
    },
    waking: async (now, limit) => {
      await turn();
      return ordered()
        .filter(({ wakesAt }) => wakesAt !== null && wakesAt <= now)
        .slice(0, limit);
    },
    remove: async ([from, to]) => {
      await turn();
      for (const key of rows.keys()) if (key >= from && key < to) rows.delete(key);
    },
  };
};

export const anAlert = (change: Partial<Alert> = {}): Alert => ({
  ...{ alertId: 'a', name: 'Errors', endpointId: 'e', parameters: {}, everyMinutes: 5, windowMinutes: 5 },
  ...{ condition: null, repeatMinutes: null, redactPii: false, enabled: true, receivers: [] },
  ...{ owner: { kind: 'operator' }, project: null, startsAt: 0, silencedUntil: null },
  ...change,
});
