/**
 * Projections for threads and processes of their own, which run built code: a tally of `Counted` events. An `Exited`
 * event ends the thread that applies it, once.
 */
import { existsSync, writeFileSync } from 'node:fs';

const tallies = { name: 'tallies', indexes: { byTotal: ['group', 'total'] } };

export const projections = [
  {
    name: 'tally',
    version: 1,
    collections: [tallies],
    eventTypes: ['Counted', 'Exited'],
    apply: async ({ type, data }, session) => {
      if (type === 'Exited') {
        if (existsSync(data.marker)) return;
        writeFileSync(data.marker, '');
        process.exit(1);
      }
      const before = await session.get(tallies, data.key);
      session.put(tallies, {
        id: data.key,
        group: data.group,
        total: (before?.total ?? 0) + data.amount,
        events: (before?.events ?? 0) + 1,
      });
      session.touch(() => `tally:${data.key}`, data.amount);
    },
  },
];
