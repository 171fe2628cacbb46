/**
 * Records that a rebuild settles at its end are those that come of keeping them with each result, and of looking at
 * all results at once; also where results change after it has settled.
 */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  goneSteps,
  type ResultDocument,
  records,
  results,
} from '../../../../src/competition/results/ranking-documents.js';
import { finalizeRecords, updateRecords } from '../../../../src/competition/results/record-keeper.js';
import { boardName } from '../../../../src/domain/results.js';
import { MemorySession } from '../../../support/memory-session.js';
import { propertyRuns } from '../../../support/property-runs.js';

interface Standing {
  readonly value: number;
  readonly day: number;
  readonly regionCode: 'IE' | 'DE' | 'US';
}

const BOARD = boardName('default', '333', 's', 'competitions');

const documentOf = (number: number, { value, day, regionCode }: Standing): ResultDocument => ({
  id: `r${number} 333`,
  resultId: `r${number}`,
  spaceId: 'default',
  competitionId: 'Open',
  eventId: '333',
  roundNumber: 1,
  personIds: [number],
  enteredFor: [number],
  attempts: [value, 0, 0, 0, 0],
  best: value,
  average: 0,
  singleAt: 0,
  averageAt: 0,
  date: `2024-01-0${day}`,
  regionCode,
  continent: regionCode === 'US' ? 'XN' : 'XE',
  category: 'competitions',
  singleBoard: BOARD,
  averageBoard: null,
});

const standing = fc.record<Standing>({
  value: fc.integer({ min: 1, max: 5 }),
  day: fc.integer({ min: 1, max: 4 }),
  regionCode: fc.constantFrom('IE', 'DE', 'US'),
});
/** What becomes of one of the results; null: it is taken back. */
const change = fc.tuple(fc.nat(6), fc.option(standing, { freq: 2 }));
const history = fc.array(change, { minLength: 1, maxLength: 30 });

const play = async (session: MemorySession, changes: readonly [number, Standing | null][]): Promise<void> => {
  for (const [number, to] of changes) {
    const before = await session.get(results, `r${number} 333`);
    const after = to && documentOf(number, to);
    if (after) session.put(results, after);
    else session.remove(results, `r${number} 333`);
    await updateRecords(session, before, after);
  }
};

/** Every result that no other of its region beats on its day or before. */
const unbeaten = (all: readonly ResultDocument[]): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const { date, best, regionCode, continent } of all) {
    for (const region of [regionCode, continent, '']) {
      const isRival = (other: ResultDocument): boolean =>
        (region === '' || other.regionCode === region || other.continent === region) && other.date <= date;
      const isBeaten = all.some((other) => isRival(other) && other.best < best);
      if (!isBeaten) found.add(`${BOARD} ${region}: ${date} ${best}`);
    }
  }
  return found;
};

const kept = (session: MemorySession): ReadonlySet<string> =>
  new Set(
    session
      .all(records)
      .flatMap(({ id, steps }) => steps.map(({ date, value }) => `${id}: ${date} ${value}`)),
  );

describe('records', () => {
  it('that were settled are those kept with each result, and those of all results at once', async () => {
    await fc.assert(
      fc.asyncProperty(history, history, async (first, second) => {
        const rebuilt = new MemorySession();
        rebuilt.finalizes = true;
        await play(rebuilt, first);
        await finalizeRecords(rebuilt);
        rebuilt.finalizes = false;
        const live = new MemorySession();
        await play(live, first);
        expect(rebuilt.all(records)).toEqual(live.all(records));
        expect(rebuilt.all(goneSteps)).toEqual([]);
        expect(kept(rebuilt)).toEqual(unbeaten(rebuilt.all(results)));
        await play(rebuilt, second);
        await play(live, second);
        expect(rebuilt.all(records)).toEqual(live.all(records));
        expect(kept(live)).toEqual(unbeaten(live.all(results)));
      }),
      propertyRuns(500),
    );
  });
});
