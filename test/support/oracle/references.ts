/** What the oracle says of the reference records of a list: which count in it, and which of them were the record. */
import { CATEGORY_OF, candidates, type OracleList } from './candidates.js';
import { countsIn } from './regions.js';
import type { OracleReference, OracleWorld } from './world.js';

export interface OracleRecordList extends Pick<OracleList, 'eventId' | 'category' | 'region'> {
  readonly type: 'single' | 'average';
}

export const referencesIn = (
  world: OracleWorld,
  { eventId, category, type, region }: OracleRecordList,
): readonly OracleReference[] =>
  world.references
    .filter((one) => one.eventId === eventId && one.kind === type)
    .filter((one) => category === 'all' || one.category === category)
    .filter((one) => countsIn(one.region, region));

/** The best of these days; of equal ones that of the first category, of the region itself, of the first region. */
export const shownOf = (
  references: readonly OracleReference[],
  region: string | null,
): OracleReference | undefined => {
  const rank = (one: OracleReference): string =>
    [
      Object.values(CATEGORY_OF).indexOf(one.category),
      one.region === region ? 0 : 1,
      one.region ?? '',
    ].join();
  return [...references].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0];
};

/** Those that were the record and that no result of their day equalled, oldest first. */
export const oracleReferences = (world: OracleWorld, list: OracleRecordList): readonly object[] => {
  const references = referencesIn(world, list);
  const results = candidates(world, { ...list, show: 'results' }).map(({ value, result }) => ({
    value,
    date: result.date,
  }));
  const all = [...results, ...references.map(({ value, since }) => ({ value, date: since }))];
  const days = [...new Set(references.map(({ since }) => since))].sort();
  return days.flatMap((date) => {
    const best = Math.min(...all.filter((one) => one.date <= date).map(({ value }) => value));
    const shown = shownOf(
      references.filter(({ since, value }) => since === date && value === best),
      list.region,
    );
    if (shown === undefined || results.some((one) => one.date === date && one.value === best)) return [];
    const better = all.filter(({ value }) => value < best).map((one) => one.date);
    return [
      {
        result: best,
        who: shown.who,
        since: date,
        tie: all.some((one) => one.value === best && one.date < date),
        until: better.sort()[0] ?? null,
      },
    ];
  });
};
