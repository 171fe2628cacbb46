/** Pages over random positions: each entry once, in order, in few reads, also when the store refuses large pages. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LogQueryFailedError } from '../../../../src/foundation/log-store/log-store.js';
import { entryPages, PAGE_ENTRIES, type ReadEntries } from '../../../../src/logs/exports/entry-pages.js';
import { propertyRuns } from '../../../support/property-runs.js';

/** Reads positions as the log store does, and counts. `most`: a page with more is too large. */
const storeOf = (positions: readonly number[], most = Number.POSITIVE_INFINITY) => {
  const counts = { reads: 0 };
  const read: ReadEntries = async ({ after, upTo }, maxEntries) => {
    counts.reads += 1;
    const found = positions.filter((position) => position > after && position <= upTo);
    const page = found.slice(0, maxEntries);
    if (page.length > most) throw new LogQueryFailedError('memory', 'too large');
    const entries = page.map((position) => ({ position, entry: {} }));
    return { entries, truncated: found.length > page.length };
  };
  return { read, counts };
};

const pagesOf = async (read: ReadEntries, after: number, upTo: number) => {
  const pages = [];
  for await (const page of entryPages(read, { after, upTo })) pages.push(page);
  return pages;
};

const positionsIn = (pages: Awaited<ReturnType<typeof pagesOf>>) =>
  pages.flatMap(({ entries }) => entries.map(({ position }) => position));

const NOW = 1_780_000_000_000_000;

/** Distances from each entry to the next, from a burst to months. */
const positions = fc
  .array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 10_000_000_000_000 })), { maxLength: 300 })
  .map((steps) => {
    let at = NOW - 2_000_000_000_000_000;
    return steps.map((step) => {
      at += step;
      return at;
    });
  });

it('has each entry of the range once and in order, whatever lies between them', () =>
  fc.assert(
    fc.asyncProperty(positions, fc.integer({ min: 1, max: 50 }), fc.nat(300), async (all, most, from) => {
      const after = from === 0 ? 0 : (all[from - 1] ?? 0);
      const upTo = all.at(-1) ?? NOW;
      const pages = await pagesOf(storeOf(all, most).read, after, upTo);
      expect(positionsIn(pages)).toEqual(all.filter((position) => position > after));
      const reached = pages.map((page) => page.upTo);
      expect(reached).toEqual([...new Set(reached)].sort((one, other) => one - other));
      if (after < upTo) expect(reached.at(-1)).toBe(upTo);
    }),
    propertyRuns(100),
  ));

describe('the reads', () => {
  it('are few: about one for each page, and some for the years without entries', async () => {
    const all = Array.from({ length: 20 * PAGE_ENTRIES }, (_, index) => NOW + index * 1_000);
    const { read, counts } = storeOf(all);
    expect(positionsIn(await pagesOf(read, 0, all.at(-1) ?? 0))).toEqual(all);
    expect(counts.reads).toBeLessThan(20 + 25);
  });

  it('end with an error that a smaller page does not avoid', async () => {
    const read: ReadEntries = async () => {
      throw new LogQueryFailedError('memory', 'one entry is too large');
    };
    await expect(pagesOf(read, 0, NOW)).rejects.toThrow('one entry is too large');
    const broken: ReadEntries = async () => {
      throw new LogQueryFailedError('crash', 'the engine is down');
    };
    await expect(pagesOf(broken, 0, NOW)).rejects.toThrow('the engine is down');
  });
});
