/** A merge beside another node that has not heard of it yet. */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { roundStream } from '../../../../src/competition/aggregates/round/round.js';
import { MergePersons } from '../../../../src/competition/persons/person.commands.js';
import { AGGREGATES } from '../../../../src/foundation/aggregates/aggregate.js';
import type { Aggregates } from '../../../../src/foundation/aggregates/aggregates.js';
import { EventFeed } from '../../../../src/foundation/aggregates/event-feed.js';
import { at, attempt, CONTEXT, openContestCore } from '../../../support/contest-world.js';
import { type MemoryCore, openMemoryCore } from '../../../support/memory-core.js';

let core: MemoryCore;
let other: MemoryCore;

beforeEach(async () => {
  core = await openContestCore();
  other = await openMemoryCore(core);
});
afterEach(async () => {
  await other.close();
  await core.close();
});

it('takes up what the other node has entered for the person meanwhile', async () => {
  // The other node keeps what it knew of person 1.
  await other.execute(attempt(at('clock'), [1], 1, 1888));
  jest.spyOn(other.get<Aggregates>(AGGREGATES), 'observeRevision').mockReturnValue();
  const feed = core.get(EventFeed);
  const known = jest.spyOn(feed, 'whenKnownElsewhere').mockImplementation(async () => {
    await other.execute(attempt(at('cube'), [1], 1, 900));
  });
  await core.execute(new MergePersons(1, 4, CONTEXT));
  expect(known).toHaveBeenCalledTimes(1);
  expect((await core.types((of) => of.of(roundStream, at('cube')))).at(-1)).toBe('CompetitorMerged');
});
