/** Merges that a crash broke off, wherever it did: the process manager carries them to their end. */

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { personStream } from '../../../../src/competition/aggregates/person/person.events.js';
import { roundStream } from '../../../../src/competition/aggregates/round/round.js';
import { PersonMergeProcess } from '../../../../src/competition/merges/person-merge.process.js';
import { PersonMerges } from '../../../../src/competition/merges/person-merges.js';
import { ErasePerson, MergePersons } from '../../../../src/competition/persons/person.commands.js';
import { ListMergingPersons } from '../../../../src/competition/persons/person.queries.js';
import { EventFeed } from '../../../../src/foundation/aggregates/event-feed.js';
import { ProcessServices } from '../../../../src/foundation/projections/process-services.js';
import { breakOffAt } from '../../../support/broken-off.js';
import { at, attempt, CONTEXT, openContestCore } from '../../../support/contest-world.js';
import { type MemoryCore, openMemoryCore } from '../../../support/memory-core.js';
import { heard, startProcess } from '../../../support/process-manager.js';

let core: MemoryCore;

beforeEach(async () => {
  core = await openContestCore();
  await core.execute(attempt(at('cube'), [1], 1, 1888));
  await core.execute(attempt(at('clock'), [1], 1, 1888));
});
afterEach(() => core.close());

const merge = new MergePersons(1, 4, CONTEXT);
const personTypes = (personId: number) => core.types((of) => of.of(personStream, personId));

/** Breaks the merge off at an append, before or after it was written. */
const breakOff = (append: number, written: boolean): Promise<void> =>
  breakOffAt(core.store, { append, written }, () =>
    expect(core.execute(merge)).rejects.toThrow('broken off'),
  );

const processOf = (process: MemoryCore): PersonMergeProcess =>
  new PersonMergeProcess(process.get(ProcessServices), process.get(PersonMerges));

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

  it('leaves no profile to a person who was erased meanwhile, also when its erasure fails first', async () => {
    await breakOff(3, false);
    await core.execute(new ErasePerson(4, CONTEXT));
    jest.spyOn(core.operational, 'eraseProfile').mockRejectedValueOnce(new Error('planted'));
    await expect(core.get(PersonMerges).complete(1, CONTEXT)).rejects.toThrow('planted');
    await processOf(core).completeLeftBehind();
    expect(await core.operational.profiles([1, 4])).toEqual(new Map());
    expect((await personTypes(4)).at(-1)).toBe('PersonAbsorbed');
  });

  it('before it began is not begun by the process manager', async () => {
    await breakOff(0, false);
    const head = await core.store.head();
    await processOf(core).completeLeftBehind();
    expect(await core.store.head()).toBe(head);
  });

  it('is completed by another process when it has not ended in time', async () => {
    const next = await openMemoryCore(core);
    const process = processOf(next);
    const { grace } = await startProcess(process);
    const absorbed = heard(next.get(EventFeed), 'PersonAbsorbed');
    await breakOff(1, true);
    const endGrace = await grace;
    endGrace();
    await absorbed;
    await isComplete();
    process.onApplicationShutdown();
    await next.close();
  });

  it('and that the rules stop since is left until the rounds are settled', async () => {
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
