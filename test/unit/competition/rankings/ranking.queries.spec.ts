/** Ranking lists as ready replies: built once, cut from the longest, retired with what they show. */
import { beforeEach, expect, it } from '@jest/globals';
import { ListBuilder } from '../../../../src/competition/rankings/list-builder.js';
import {
  GetRankings,
  GetRankingsHandler,
  rankingKey,
} from '../../../../src/competition/rankings/ranking.queries.js';
import type { RankingList } from '../../../../src/domain/rankings.js';
import type { ReadModels } from '../../../../src/foundation/projections/read-models.js';
import { ByteCache } from '../../../../src/http/replies/ready-reply.js';
import { SINGLES, SmallWorld } from '../../../support/small-world.js';

let world: SmallWorld;
let replies: ByteCache;
let lists: GetRankingsHandler;
let builds: number;

/** What RetireCopies does when a batch has become visible. */
const advance = () => {
  const tags = world.session.takeTags();
  lists.advance(1, tags);
  replies.advance(1, tags);
};

beforeEach(async () => {
  world = new SmallWorld();
  await world.space([{ eventId: '333' }]);
  await world.contest('A', { '333-r1': {} });
  for (const personId of [1, 2, 3]) {
    await world.person(personId);
    await world.enter('A', '333-r1', [personId], [500 + personId, 0, 0, 0, 0]);
  }
  builds = 0;
  const counted: ReadModels = {
    position: 0,
    waitFor: async () => true,
    snapshot: (read) => {
      builds += 1;
      return world.session.readModels.snapshot(read);
    },
  };
  replies = new ByteCache();
  const builder = new ListBuilder(() => {
    throw new Error('this list is too short for the thread');
  });
  lists = new GetRankingsHandler(counted, world.directory, replies, builder);
  advance();
});

const ranking = (list: RankingList, topN: number) => lists.execute(new GetRankings(list, topN));

const personsIn = (body: Buffer): number[] =>
  JSON.parse(body.toString()).map(({ personId }: { personId: number }) => personId);

it('cuts what is shorter from what was built', async () => {
  expect(personsIn((await ranking(SINGLES, 2)).body)).toEqual([1, 2]);
  expect(personsIn((await ranking(SINGLES, 1)).body)).toEqual([1]);
  expect(builds).toBe(1);
  expect(personsIn((await ranking(SINGLES, 3)).body)).toEqual([1, 2, 3]);
  expect(builds).toBe(2);
  // The list has no more than these: every other length is known.
  expect(personsIn((await ranking(SINGLES, 1_000)).body)).toEqual([1, 2, 3]);
  expect(personsIn((await ranking(SINGLES, 2)).body)).toEqual([1, 2]);
  expect(builds).toBe(2);
});

it('is ready under its key until a result that it shows changes', async () => {
  await ranking(SINGLES, 100);
  const key = rankingKey(SINGLES, 100);
  expect(replies.ready(key, 'identity')).toBeDefined();
  await world.enter('A', '333-r1', [3], [-1, 0, 0, 0, 0]);
  advance();
  expect(replies.ready(key, 'identity')).toBeUndefined();
  expect(personsIn((await ranking(SINGLES, 100)).body)).toEqual([1, 2]);
});

it('stays ready while other lists change', async () => {
  await ranking({ ...SINGLES, region: 'DE' }, 100);
  const worldwide = await ranking(SINGLES, 100);
  await world.enter('A', '333-r1', [3], [600, 0, 0, 0, 0]);
  advance();
  expect(replies.ready(rankingKey({ ...SINGLES, region: 'DE' }, 100), 'identity')).toBeDefined();
  const again = await ranking(SINGLES, 100);
  expect(again.etag).not.toBe(worldwide.etag);
});

it('has the same ETag when a change is taken back', async () => {
  const before = await ranking(SINGLES, 100);
  await world.enter('A', '333-r1', [3], [600, 0, 0, 0, 0]);
  advance();
  await ranking(SINGLES, 100);
  await world.enter('A', '333-r1', [3], [503, 0, 0, 0, 0]);
  advance();
  expect((await ranking(SINGLES, 100)).etag).toBe(before.etag);
});

it('refuses an event that there is not, each time', async () => {
  for (let time = 0; time < 2; time += 1) {
    await expect(ranking({ ...SINGLES, eventId: 'no' }, 100)).rejects.toMatchObject({
      rejection: { code: 'event-not-found' },
    });
  }
});
