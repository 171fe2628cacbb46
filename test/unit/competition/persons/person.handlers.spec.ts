import { describe, expect, it } from '@jest/globals';
import { personStream } from '../../../../src/competition/aggregates/person/person.events.js';
import { roundStream } from '../../../../src/competition/aggregates/round/round.js';
import {
  CorrectRegion,
  EditPerson,
  ErasePerson,
  MergePersons,
  MovePerson,
  RegisterPerson,
} from '../../../../src/competition/persons/person.commands.js';
import { SearchPersons } from '../../../../src/competition/persons/person.queries.js';
import { EnterAttempt } from '../../../../src/competition/rounds/round.commands.js';
import { EventStoreUnavailableError } from '../../../../src/foundation/event-store/event-store.js';
import { OperationalUnavailableError } from '../../../../src/foundation/operational/operational-store.js';
import { breakOffAt } from '../../../support/broken-off.js';
import { at, attempt, CONTEXT, openContestCore } from '../../../support/contest-world.js';
import { openMemoryCore } from '../../../support/memory-core.js';
import { openForEach } from '../../../support/open-for-each.js';
import { SPACE } from '../../../support/small-world.js';

const core = openForEach(openContestCore);

const register = (assocId: string | null, spaceId: string = SPACE, name = 'Eva') =>
  new RegisterPerson({ spaceId, name, localizedName: null, assocId, timeline: [] }, CONTEXT);
const assocAttempt = (assocId: string) =>
  new EnterAttempt(at('cube'), { by: 'assocId', assocIds: [assocId] }, 1, 1888, CONTEXT);
const personTypes = (personId: number) => core().types((of) => of.of(personStream, personId));
const profile = async (personId: number) => (await core().operational.profiles([personId])).get(personId);

describe('registering a person', () => {
  it('gives the next id and keeps personal data out of the events', async () => {
    const { personId } = await core().execute(register('2016EVA01'));
    expect(personId).toBe(5);
    expect(await profile(5)).toMatchObject({ name: 'Eva', assocId: '2016EVA01' });
    expect(JSON.stringify(core().store.log)).not.toMatch(/Eva|2016EVA01/);
  });

  it('is refused for an association id that is taken, and for what is wrong', async () => {
    expect(await core().refusal(register('2016ann01'))).toMatchObject({ code: 'assoc-id-taken' });
    expect(await core().refusal(register('a b'))).toMatchObject({ code: 'invalid-request' });
    expect(await core().refusal(register(null, SPACE, ' '))).toMatchObject({ errors: [{ field: 'name' }] });
    expect(await core().refusal(register(null, 'none'))).toMatchObject({ code: 'space-not-found' });
  });

  it('that was broken off before its event takes the profile over', async () => {
    await breakOffAt(core().store, { append: 0, written: false }, () =>
      expect(core().execute(register('2016EVA01'))).rejects.toThrow('broken off'),
    );
    const nothing = { items: [], next: null };
    expect(await core().query(new SearchPersons(SPACE, 'Eva', { limit: 5 }))).toEqual(nothing);
    expect(await core().query(new SearchPersons(SPACE, '5', { limit: 5 }))).toEqual(nothing);
    const { personId } = await core().execute(register('2016EVA01', SPACE, 'Eva Maria'));
    expect(personId).toBe(5);
    expect(await profile(5)).toMatchObject({ name: 'Eva Maria' });
    expect(await personTypes(5)).toEqual(['PersonRegistered']);
  });
});

describe('editing a person', () => {
  it('changes the profile and notes that it did', async () => {
    await core().execute(new EditPerson(1, { name: 'Anna', assocId: null }, CONTEXT));
    expect(await profile(1)).toMatchObject({ name: 'Anna', assocId: null });
    expect((await personTypes(1)).at(-1)).toBe('PersonProfileChanged');
  });

  it.each([false, true])(
    'that was broken off at its event (written: %s) is noted when it is given again',
    async (written) => {
      const edit = new EditPerson(1, { name: 'Anna', assocId: null }, CONTEXT);
      await breakOffAt(core().store, { append: 0, written }, () =>
        expect(core().execute(edit)).rejects.toThrow('broken off'),
      );
      const { position } = await core().execute(edit);
      expect(core().store.log.at(-1)).toMatchObject({ type: 'PersonProfileChanged', position });
    },
  );

  it('that was broken off before its answer from the profiles lets no one be taken for another', async () => {
    await core().execute(assocAttempt('2016ANN01'));
    const { operational } = core();
    const updateProfile = operational.updateProfile.bind(operational);
    operational.updateProfile = async (...change) => {
      operational.updateProfile = updateProfile;
      await updateProfile(...change);
      throw new OperationalUnavailableError('broken off');
    };
    const edit = new EditPerson(1, { assocId: null }, CONTEXT);
    await expect(core().execute(edit)).rejects.toThrow('broken off');
    await core().execute(edit);
    expect(await core().refusal(assocAttempt('2016ANN01'))).toMatchObject({ code: 'person-not-found' });
  });

  it('in nothing changes nothing', async () => {
    const head = await core().store.head();
    await core().execute(new EditPerson(1, {}, CONTEXT));
    expect(await core().store.head()).toBe(head);
  });

  it('is refused as registering is', async () => {
    expect(await core().refusal(new EditPerson(3, { assocId: '2016ANN01' }, CONTEXT))).toMatchObject({
      code: 'assoc-id-taken',
    });
    expect(await core().refusal(new EditPerson(3, { name: '' }, CONTEXT))).toMatchObject({
      code: 'invalid-request',
    });
    expect(await core().refusal(new EditPerson(99, { name: 'X' }, CONTEXT))).toMatchObject({
      code: 'person-not-found',
    });
  });
});

describe('the region of a person', () => {
  it('moves and is corrected', async () => {
    await core().execute(new MovePerson(1, '2024-01-01', 'FR', CONTEXT));
    await core().execute(new CorrectRegion(1, [{ from: null, regionCode: 'IE' }], CONTEXT));
    expect(await personTypes(1)).toEqual(['PersonRegistered', 'PersonMoved', 'PersonRegionCorrected']);
    expect(await core().refusal(new MovePerson(99, '2024-01-01', 'FR', CONTEXT))).toMatchObject({
      code: 'person-not-found',
    });
  });
});

describe('erasing a person', () => {
  it('removes the profile, and results stay enterable under the id', async () => {
    await core().execute(attempt(at('cube'), [1], 1, 1888));
    await core().execute(new ErasePerson(1, CONTEXT));
    expect(await profile(1)).toBeUndefined();
    await core().execute(attempt(at('cube'), [1], 1, 1777));
    expect(await core().refusal(new EditPerson(1, { name: 'X' }, CONTEXT))).toMatchObject({
      code: 'person-state',
    });
  });

  it('takes with it who was merged into them, and is not asked of an alias', async () => {
    await core().execute(new MergePersons(1, 2, CONTEXT));
    await core().execute(new MergePersons(2, 3, CONTEXT));
    expect(await core().refusal(new ErasePerson(1, CONTEXT))).toMatchObject({ code: 'person-state' });
    expect(await profile(1)).toBeDefined();
    await core().execute(new ErasePerson(3, CONTEXT));
    expect(await core().operational.profiles([1, 2, 3])).toEqual(new Map());
  });
});

describe('erasing a person into whom another is being merged', () => {
  /** Once, before the first append that has such an event. */
  const beforeAppending = (type: string, work: () => Promise<unknown>): void => {
    core().store.beforeAppend = async (_, events) => {
      if (events[0]?.type !== type) return;
      core().store.beforeAppend = () => undefined;
      await work();
    };
  };

  it.each(['PersonMerged', 'PersonAbsorbed'])('takes both with it, before %s', async (type) => {
    const other = await openMemoryCore(core());
    beforeAppending(type, () => other.execute(new ErasePerson(2, CONTEXT)));
    await core().execute(new MergePersons(1, 2, CONTEXT));
    expect(await core().operational.profiles([1, 2])).toEqual(new Map());
    await other.close();
  });

  it('takes both with it when the merge ends before the erasure', async () => {
    const other = await openMemoryCore(core());
    beforeAppending('PersonErased', () => other.execute(new MergePersons(1, 2, CONTEXT)));
    await core().execute(new ErasePerson(2, CONTEXT));
    expect(await core().operational.profiles([1, 2])).toEqual(new Map());
    await other.close();
  });

  it('leaves the merge to be carried on, which takes the other too', async () => {
    await core().execute(attempt(at('cube'), [1], 1, 1888));
    beforeAppending('CompetitorMerged', async () => {
      throw new EventStoreUnavailableError('broken off');
    });
    await expect(core().execute(new MergePersons(1, 2, CONTEXT))).rejects.toThrow('broken off');
    await core().execute(new ErasePerson(2, CONTEXT));
    expect(await profile(1)).toBeDefined();
    await core().execute(new MergePersons(1, 2, CONTEXT));
    expect(await core().operational.profiles([1, 2])).toEqual(new Map());
    expect(await core().refusal(new MergePersons(3, 2, CONTEXT))).toMatchObject({ code: 'person-state' });
    const { results } = await core().execute(attempt(at('cube'), [1], 1, 1777));
    expect(results[0]?.personIds).toEqual([2]);
  });
});

describe('merging persons', () => {
  it('moves the results of every round and hands the association id over', async () => {
    await core().execute(attempt(at('cube'), [1], 1, 1888));
    await core().execute(attempt(at('pairs'), [2, 1], 1, 500));
    const { personId, position } = await core().execute(new MergePersons(1, 4, CONTEXT));
    expect([personId, position]).toEqual([4, await core().store.head()]);
    for (const eventId of ['cube', 'pairs'])
      expect((await core().types((of) => of.of(roundStream, at(eventId)))).at(-1)).toBe('CompetitorMerged');
    expect(await personTypes(1)).toEqual(['PersonRegistered', 'PersonMerging', 'PersonMerged']);
    expect((await personTypes(4)).at(-1)).toBe('PersonAbsorbed');
    expect([(await profile(1))?.assocId, (await profile(4))?.assocId]).toEqual([null, '2016ANN01']);
  });

  it('leaves both association ids where both have one', async () => {
    await core().execute(new MergePersons(1, 2, CONTEXT));
    expect([(await profile(1))?.assocId, (await profile(2))?.assocId]).toEqual(['2016ANN01', '2016BOB01']);
  });

  it('again changes nothing', async () => {
    await core().execute(new MergePersons(1, 4, CONTEXT));
    const head = await core().store.head();
    expect(await core().execute(new MergePersons(1, 4, CONTEXT))).toEqual({ personId: 4, position: head });
    expect(await core().store.head()).toBe(head);
  });

  it('is refused where both have a result in a round, and not begun', async () => {
    await core().execute(attempt(at('clock'), [1], 1, 1888));
    await core().execute(attempt(at('cube'), [1], 1, 1888));
    await core().execute(attempt(at('cube'), [2], 1, 1999));
    const refusal = await core().refusal(new MergePersons(1, 2, CONTEXT));
    expect(refusal).toMatchObject({ code: 'merge-conflict', errors: [{ field: 'C cube-r1' }] });
    expect((await personTypes(1)).at(-1)).toBe('PersonRegistered');
    expect(await core().types((of) => of.of(roundStream, at('clock')))).not.toContain('CompetitorMerged');
  });

  it('is refused where they share a team', async () => {
    await core().execute(attempt(at('pairs'), [1, 2], 1, 500));
    expect(await core().refusal(new MergePersons(1, 2, CONTEXT))).toMatchObject({ code: 'merge-conflict' });
  });

  it('is refused into the same person, one who does not exist, or one who is merged', async () => {
    await core().execute(new MergePersons(3, 4, CONTEXT));
    await core().execute(attempt(at('cube'), [1], 1, 1888));
    expect(await core().refusal(new MergePersons(1, 1, CONTEXT))).toMatchObject({ code: 'person-state' });
    expect(await core().refusal(new MergePersons(1, 99, CONTEXT))).toMatchObject({
      code: 'person-not-found',
    });
    expect(await core().refusal(new MergePersons(99, 1, CONTEXT))).toMatchObject({
      code: 'person-not-found',
    });
    for (const from of [1, 3])
      expect(await core().refusal(new MergePersons(from, 3, CONTEXT))).toMatchObject({
        code: 'person-state',
      });
    expect((await personTypes(1)).at(-1)).toBe('PersonRegistered');
  });

  it.each([0, 1, 2, 3, 4])(
    'that was broken off at append %d is completed by giving it again',
    async (index) => {
      await core().execute(attempt(at('cube'), [1], 1, 1888));
      await core().execute(attempt(at('clock'), [1], 1, 1888));
      await breakOffAt(core().store, { append: index, written: false }, () =>
        expect(core().execute(new MergePersons(1, 4, CONTEXT))).rejects.toThrow('broken off'),
      );
      await core().execute(new MergePersons(1, 4, CONTEXT));
      expect((await personTypes(1)).slice(-2)).toEqual(['PersonMerging', 'PersonMerged']);
      expect((await personTypes(4)).filter((type) => type === 'PersonAbsorbed')).toHaveLength(1);
      for (const eventId of ['cube', 'clock']) {
        const { results } = await core().execute(attempt(at(eventId), [1], 1, 1777));
        expect(results[0]?.personIds).toEqual([4]);
      }
    },
  );

  it('that meets a result entered meanwhile stays under way until one of the two is gone', async () => {
    const other = await openMemoryCore(core());
    await core().execute(attempt(at('cube'), [1], 1, 1888));
    await core().execute(attempt(at('clock'), [1], 1, 1888));
    let merges = 0;
    core().store.beforeAppend = async (_, events) => {
      if (events[0]?.type !== 'CompetitorMerged') return;
      merges += 1;
      const rest = (await core().types((of) => of.of(roundStream, at('cube')))).includes('CompetitorMerged')
        ? 'clock'
        : 'cube';
      if (merges === 2) await other.execute(attempt(at(rest), [4], 1, 1777));
    };
    expect(await core().refusal(new MergePersons(1, 4, CONTEXT))).toMatchObject({ code: 'merge-conflict' });
    core().store.beforeAppend = () => undefined;
    expect((await personTypes(1)).at(-1)).toBe('PersonMerging');
    for (const eventId of ['cube', 'clock']) {
      const types = await core().types((of) => of.of(roundStream, at(eventId)));
      if (!types.includes('CompetitorMerged')) await core().execute(attempt(at(eventId), [1], 1, 0));
    }
    await core().execute(new MergePersons(1, 4, CONTEXT));
    expect((await personTypes(1)).at(-1)).toBe('PersonMerged');
    await other.close();
  });
});
