/** Places of persons: each person once, by the best result that counts in the region. */
import { beforeEach, expect, it } from '@jest/globals';
import { placeOf, rankedValues } from '../../../../src/competition/rankings/ranked-values.js';
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
  ...((await rankedValues(world.session, asked)).get(region) ?? []),
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

it('equal values share a place and the next is skipped', () => {
  const values = Float64Array.of(700, 800, 800, 900);
  expect([700, 800, 900, 650, 1_000].map((value) => placeOf(value, values))).toEqual([1, 2, 4, 1, 5]);
});
