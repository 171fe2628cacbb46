/** A merge beside another node that has not heard of it yet. */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { personStream } from '../../../../src/competition/aggregates/person/person.events.js';
import { roundAggregate } from '../../../../src/competition/aggregates/round/round.decider.js';
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

const whileOthersHear = (work: () => Promise<unknown>) =>
  jest.spyOn(core.get(EventFeed), 'whenKnownElsewhere').mockImplementation(async () => {
    await work();
  });

it('takes up what the other node has entered for the person meanwhile', async () => {
  // The other node keeps what it knew of person 1.
  await other.execute(attempt(at('clock'), [1], 1, 1888));
  jest.spyOn(other.get<Aggregates>(AGGREGATES), 'observeRevision').mockReturnValue();
  const known = whileOthersHear(() => other.execute(attempt(at('cube'), [1], 1, 900)));
  await core.execute(new MergePersons(1, 4, CONTEXT));
  expect(known).toHaveBeenCalledTimes(1);
  expect((await core.types((of) => of.of(roundStream, at('cube')))).at(-1)).toBe('CompetitorMerged');
});

it('is cancelled when a conflict comes up meanwhile', async () => {
  await core.execute(attempt(at('clock'), [1], 1, 1888));
  whileOthersHear(() => core.execute(attempt(at('clock'), [4], 1, 1777)));
  expect(await core.refusal(new MergePersons(1, 4, CONTEXT))).toMatchObject({ code: 'merge-conflict' });
  expect((await core.types((of) => of.of(personStream, 1))).slice(-2)).toEqual([
    'PersonMerging',
    'PersonMergeCancelled',
  ]);
});

it('that is refused gives no result of the one to the other meanwhile', async () => {
  for (const personId of [1, 4]) await core.execute(attempt(at('clock'), [personId], 1, 1888));
  const enter = () => core.execute(attempt(at('cube'), [1], 1, 900));
  whileOthersHear(enter);
  expect(await core.refusal(new MergePersons(1, 4, CONTEXT))).toMatchObject({ code: 'merge-conflict' });
  await enter();
  const { state } = await core.get<Aggregates>(AGGREGATES).load(roundAggregate, at('cube'));
  expect(Array.from(state.results.values(), ({ personIds }) => personIds)).toEqual([[1]]);
});
