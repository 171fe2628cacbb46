/** Merges that a crash broke off, wherever it did: the process manager carries them to their end. */

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { QueryBus } from '@nestjs/cqrs';
import { personStream } from '../../src/competition/aggregates/person/person.events.js';
import { roundStream } from '../../src/competition/aggregates/round/round.js';
import { PersonMergeProcess } from '../../src/competition/merges/person-merge.process.js';
import { PersonMerges } from '../../src/competition/merges/person-merges.js';
import { MergePersons } from '../../src/competition/persons/person.commands.js';
import { ListMergingPersons } from '../../src/competition/persons/person.queries.js';
import { EventFeed } from '../../src/foundation/aggregates/event-feed.js';
import { EventStoreUnavailableError } from '../../src/foundation/event-store/event-store.js';
import { StreamNames } from '../../src/foundation/event-store/streams.js';
import { READ_MODELS, type ReadModels } from '../../src/foundation/projections/read-models.js';
import { at, attempt, CONTEXT, makeContest } from '../support/contest-world.js';
import { type MemoryCore, openMemoryCore } from '../support/memory-core.js';
import { firstGrace, heard } from '../support/process-manager.js';

let core: MemoryCore & { readonly folder: string };

beforeEach(async () => {
  core = await openMemoryCore();
  await makeContest(core);
  await core.execute(attempt(at('cube'), [1], 1, 1888));
  await core.execute(attempt(at('clock'), [1], 1, 1888));
});
afterEach(() => core.close());

const merge = new MergePersons(1, 4, CONTEXT);
const personTypes = (personId: number) => core.types((of) => of.of(personStream, personId));

/** Breaks the merge off at an append, before or after it was written. */
const breakOff = async (append: number, written: boolean): Promise<void> => {
  let left = append;
  const fail = (): void => {
    if (left-- === 0) throw new EventStoreUnavailableError('broken off');
  };
  if (written) core.store.afterAppend = fail;
  else core.store.beforeAppend = fail;
  await expect(core.execute(merge)).rejects.toThrow('broken off');
  core.store.beforeAppend = () => undefined;
  core.store.afterAppend = () => undefined;
};

const processOf = (process: MemoryCore): PersonMergeProcess =>
  new PersonMergeProcess(
    process.store,
    process.get(EventFeed),
    process.get<ReadModels>(READ_MODELS),
    process.get(PersonMerges),
    process.get(StreamNames),
    process.get(QueryBus),
  );

const isComplete = async (): Promise<void> => {
  expect((await personTypes(1)).slice(-2)).toEqual(['PersonMerging', 'PersonMerged']);
  expect((await personTypes(4)).filter((type) => type === 'PersonAbsorbed')).toHaveLength(1);
  for (const eventId of ['cube', 'clock'])
    expect((await core.types((of) => of.of(roundStream, at(eventId)))).at(-1)).toBe('CompetitorMerged');
  const profiles = await core.operational.profiles([1, 4]);
  expect([profiles.get(1)?.assocId, profiles.get(4)?.assocId]).toEqual([null, '2016ANN01']);
};

describe('a merge that was broken off', () => {
  // PersonMerging, a CompetitorMerged for each of two rounds, PersonMerged, PersonAbsorbed.
  const APPENDS = 5;
  const cases = Array.from({ length: APPENDS }, (_, append) => [
    [append, false] as const,
    [append, true] as const,
  ])
    .flat()
    .slice(1);

  it.each(cases)('at append %d (written: %s) is completed at the next start', async (append, written) => {
    await breakOff(append, written);
    const next = await openMemoryCore(core);
    await processOf(next).completeLeftBehind();
    await isComplete();
    const began = core.store.log.findLastIndex(({ type }) => type === 'PersonMerging');
    const [cause, ...followed] = core.store.log.slice(began);
    for (const { metadata } of followed)
      expect(metadata).toMatchObject({ correlationId: CONTEXT.correlationId, causationId: cause?.id });
    await core.shown(await core.store.head());
    expect(await core.query(new ListMergingPersons())).toEqual([]);
    await next.close();
  });

  it('before it began is nobody else’s to begin', async () => {
    await breakOff(0, false);
    const head = await core.store.head();
    await processOf(core).completeLeftBehind();
    expect(await core.store.head()).toBe(head);
  });

  it('is completed by another process when it has not ended in time', async () => {
    const next = await openMemoryCore(core);
    const process = processOf(next);
    const grace = firstGrace(process);
    process.onApplicationBootstrap();
    // Begun after the one at the start: when it is done, so is that, and what follows is left to the feed.
    await process.completeLeftBehind();
    const absorbed = heard(next.get(EventFeed), 'PersonAbsorbed');
    await breakOff(1, true);
    const endGrace = await grace;
    endGrace();
    await absorbed;
    await isComplete();
    process.onApplicationShutdown();
    await next.close();
  });

  it('and that the rules stop since is left to whoever settles the rounds', async () => {
    await breakOff(2, false);
    const left = (await core.types((of) => of.of(roundStream, at('cube')))).includes('CompetitorMerged')
      ? 'clock'
      : 'cube';
    await core.execute(attempt(at(left), [4], 1, 1777));
    const process = processOf(core);
    await process.completeLeftBehind();
    expect((await personTypes(1)).at(-1)).toBe('PersonMerging');
    await core.execute(attempt(at(left), [1], 1, 0));
    await process.completeLeftBehind();
    expect((await personTypes(1)).at(-1)).toBe('PersonMerged');
    expect((await personTypes(4)).at(-1)).toBe('PersonAbsorbed');
  });
});
