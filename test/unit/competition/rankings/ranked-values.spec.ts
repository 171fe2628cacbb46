/** Places of persons: each person once, by the best result that counts in the region. */
import { beforeEach, expect, it } from '@jest/globals';
import { bestsOf, rankedValues } from '../../../../src/competition/rankings/ranked-values.js';
import { SmallWorld } from '../../../support/small-world.js';

let world: SmallWorld;
const asked = { spaceId: 'default', eventId: '333', type: 'single' } as const;

beforeEach(async () => {
  world = new SmallWorld();
  await world.space([{ eventId: '333' }]);
  await world.persons('IE', 'DE');
  await world.contest('A', { '333-r1': {}, '333-r2': {} }, { endDate: '2024-01-01' });
  await world.contest('M', { '333-r1': {} }, { endDate: '2025-01-01', type: 'meetup' });
});

const valuesIn = async (region: string | null) => [
  ...((await rankedValues(world.session, asked)).get(region)?.sorted ?? []),
];

it('a person of several categories and countries counts once in each region', async () => {
  await world.enter('A', '333-r1', [1], [900, 0, 0, 0, 0]);
  await world.enter('A', '333-r1', [2], [950, 0, 0, 0, 0]);
  await world.enter('M', '333-r1', [1], [800, 0, 0, 0, 0]);
  expect(await valuesIn(null)).toEqual([800, 950]);
  await world.personEvent(1, 'PersonMoved', { from: '2024-06-01', regionCode: 'US' });
  expect([await valuesIn(null), await valuesIn('XE'), await valuesIn('IE'), await valuesIn('US')]).toEqual([
    [800, 950],
    [900, 950],
    [900],
    [800],
  ]);
  expect(await valuesIn('FR')).toEqual([]);
});

it('the bests of a few persons are those among the bests of all', async () => {
  await world.enter('A', '333-r1', [2], [950, 0, 0, 0, 0]);
  await world.enter('A', '333-r1', [1], [900, 0, 0, 0, 0]);
  await world.enter('M', '333-r1', [1], [800, 0, 0, 0, 0]);
  await world.personEvent(1, 'PersonMoved', { from: '2024-06-01', regionCode: 'US' });
  const all = await rankedValues(world.session, asked);
  const few = await bestsOf(world.session, asked, [1, 2, 3]);
  expect([...few.keys()].sort()).toEqual([...all.keys()].sort());
  for (const [region, { personIds, bests }] of all) {
    expect([...personIds].map((personId, at) => [personId, bests[at]])).toEqual(
      [...(few.get(region) ?? [])].sort(([one], [other]) => one - other),
    );
  }
  expect(all.get(null)?.personIds).toEqual(Float64Array.of(1, 2));
});
