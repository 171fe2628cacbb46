/**
 * Two projections small enough to be checked by head: `tally` keeps one document a key and changes it often, `journal`
 * keeps one a event and looks others up by an index.
 */
import type { Projection } from '../../src/foundation/projections/projection.js';
import type { Collection, ReadView } from '../../src/foundation/read-models/read-model-store.js';

export interface Tally {
  readonly id: string;
  readonly group: string;
  /** Null once the tally was cleared: in no index. */
  readonly total: number | null;
}

export interface Entry {
  readonly id: string;
  readonly group: string;
  /** How many entries the group had before. */
  readonly before: number;
}

export const tallies: Collection<Tally> = { name: 'tallies', indexes: { byTotal: ['group', 'total'] } };
export const entries: Collection<Entry> = { name: 'entries', indexes: { byGroup: ['group'] } };

/** What a toy event carries: amount 0 clears the tally, -1 removes it. */
export interface Counted {
  readonly key: string;
  readonly group: string;
  readonly amount: number;
}

/** Codec of the tests. */
const counted = (data: object): Counted => data as Counted;

export const tallyProjection = (version = 1): Projection => ({
  name: 'tally',
  version,
  collections: [tallies],
  eventTypes: ['Counted'],
  prefetch: (events) => events.map(({ data }) => ({ collection: tallies, id: counted(data).key })),
  apply: async ({ data }, session) => {
    const { key, group, amount } = counted(data);
    session.touch(() => `tally:${key}`, amount);
    if (amount < 0) return session.remove(tallies, key);
    const before = await session.get(tallies, key);
    const total = amount === 0 ? null : (before?.total ?? 0) + amount * version;
    session.put(tallies, { id: key, group, total });
  },
});

export const journalProjection = (): Projection => ({
  name: 'journal',
  version: 1,
  collections: [entries],
  eventTypes: ['Counted'],
  apply: async ({ data, position }, session) => {
    const { group } = counted(data);
    const before = (await session.scan(entries, { index: 'byGroup', equals: { group } })).length;
    session.put(entries, { id: String(position).padStart(8, '0'), group, before });
  },
});

/** Everything that the toy projections hold, for comparison. */
export const everything = async (view: ReadView): Promise<readonly (Tally | Entry)[]> => [
  ...(await view.scan(tallies, { index: 'byTotal', equals: {} })),
  ...(await view.scan(entries, { index: 'byGroup', equals: {} })),
];
