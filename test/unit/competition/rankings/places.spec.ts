/** Places in memory follow the projection by its tags, and read all bests of an event once. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Places } from '../../../../src/competition/rankings/places.js';
import { type PlacesRequest, rankedValues } from '../../../../src/competition/rankings/ranked-values.js';
import { SmallWorld } from '../../../support/small-world.js';

const SINGLES = { spaceId: 'default', eventId: '333', type: 'single' } as const;
const REGIONS = [null, 'XE', 'IE', 'US'];

let world: SmallWorld;
/** How often all bests of an event were read. */
let reads: number;
let places: Places;

beforeEach(async () => {
  world = new SmallWorld();
  await world.space([{ eventId: '333' }]);
  await world.persons('IE', 'DE', 'IE');
  await world.contest('A', { '333-r1': {} }, { endDate: '2024-01-01' });
  await world.enter('A', '333-r1', [1], [900, 0, 0, 0, 0]);
  await world.enter('A', '333-r1', [2], [950, 0, 0, 0, 0]);
  reads = 0;
  places = new Places(builder, world.session.readModels);
  world.session.takeTags();
});

const builder = {
  rankedValues: (request: PlacesRequest) => {
    reads += 1;
    return rankedValues(world.session, request);
  },
};

const placesOf = (value: number) => places.of(SINGLES, value, REGIONS);

const advance = (): void => places.advance(world.session.takeTags());

describe('places', () => {
  it('follow new, better and lost bests without another read of all', async () => {
    expect(await placesOf(940)).toEqual([2, 2, 2, 1]);
    await world.enter('A', '333-r1', [3], [800, 0, 0, 0, 0]);
    advance();
    expect(await placesOf(940)).toEqual([3, 3, 3, 1]);
    await world.enter('A', '333-r1', [3], [990, 0, 0, 0, 0]);
    await world.enter('A', '333-r1', [1], [0, 0, 0, 0, 0]);
    await world.enter('A', '333-r1', [2], [700, 0, 0, 0, 0]);
    advance();
    expect(await placesOf(940)).toEqual([2, 2, 1, 1]);
    expect(reads).toBe(1);
  });

  it('follow a person into another country', async () => {
    expect(await placesOf(940)).toEqual([2, 2, 2, 1]);
    await world.personEvent(1, 'PersonMoved', { from: '2023-06-01', regionCode: 'US' });
    advance();
    expect(await placesOf(940)).toEqual([2, 1, 1, 2]);
    expect(reads).toBe(1);
  });

  it('see what changes while all bests are read', async () => {
    const first = placesOf(940);
    await world.enter('A', '333-r1', [3], [800, 0, 0, 0, 0]);
    advance();
    await first;
    expect(await placesOf(940)).toEqual([3, 3, 3, 1]);
    expect(reads).toBe(1);
  });

  it('are those of all that wait, also for the one that asks while others are read', async () => {
    await placesOf(940);
    await world.enter('A', '333-r1', [3], [800, 0, 0, 0, 0]);
    advance();
    expect(await Promise.all([placesOf(940), placesOf(940)])).toEqual([
      [3, 3, 3, 1],
      [3, 3, 3, 1],
    ]);
  });

  it.each([
    ['nobody knows what changed', null],
    ['an older node does not say whose best it was', new Map([['places:default/333', 0]])],
    ['the event is defined anew', new Map([['event:default/333', 0]])],
  ])('are read anew when %s, be it while they are read', async (_case, changed) => {
    const first = placesOf(940);
    places.advance(changed);
    await first;
    await placesOf(940);
    expect(reads).toBe(2);
    places.advance(changed);
    await placesOf(940);
    expect(reads).toBe(3);
  });

  it('are asked for again after a failure', async () => {
    const failing = new Places(
      { rankedValues: () => (reads === 0 ? refuse() : builder.rankedValues(SINGLES)) },
      world.session.readModels,
    );
    await expect(failing.of(SINGLES, 940, REGIONS)).rejects.toThrow('away');
    expect(await failing.of(SINGLES, 940, REGIONS)).toEqual([2, 2, 2, 1]);
  });
});

const refuse = async (): Promise<never> => {
  reads += 1;
  throw new Error('away');
};
