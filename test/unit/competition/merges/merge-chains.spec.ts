/** A merge into a person whom another node merges at the same moment: whatever comes first, both end with the last of the chain. */
import { describe, expect, it, jest } from '@jest/globals';
import { personAggregate } from '../../../../src/competition/aggregates/person/person.decider.js';
import { personStream } from '../../../../src/competition/aggregates/person/person.events.js';
import { roundAggregate } from '../../../../src/competition/aggregates/round/round.decider.js';
import { PersonMergeProcess } from '../../../../src/competition/merges/person-merge.process.js';
import { PersonMerges } from '../../../../src/competition/merges/person-merges.js';
import {
  EditPerson,
  ErasePerson,
  MergePersons,
} from '../../../../src/competition/persons/person.commands.js';
import { GetPerson, ListMergingPersons } from '../../../../src/competition/persons/person.queries.js';
import { AGGREGATES } from '../../../../src/foundation/aggregates/aggregate.js';
import type { Aggregates } from '../../../../src/foundation/aggregates/aggregates.js';
import { EventFeed } from '../../../../src/foundation/aggregates/event-feed.js';
import { ProcessServices } from '../../../../src/foundation/projections/process-services.js';
import { breakOffAt } from '../../../support/broken-off.js';
import { at, attempt, CONTEXT } from '../../../support/contest-world.js';
import { gate } from '../../../support/gate.js';
import { type MemoryCore, openMemoryCore, outcomeOf } from '../../../support/memory-core.js';
import { openForEach } from '../../../support/open-for-each.js';
import { mark, missingFrom, openRosteredCore, register, withdraw } from '../../../support/rostered-core.js';

// Ann becomes Bob, who becomes Cem.
const [ANN, BOB, CEM, DEE] = [1, 2, 3, 4] as const;

/** Two nodes on one event store. */
const cores = openForEach(async () => {
  const core = await openRosteredCore();
  for (const id of [ANN, BOB, CEM, DEE]) await core.execute(register(id, 'cube', 'clock', 'pairs'));
  const other = await openMemoryCore(core);
  const close = async (): Promise<void> => {
    await other.close();
    await core.close();
  };
  return { core, other, close };
});

const annIntoBob = new MergePersons(ANN, BOB, CONTEXT);
const bobIntoCem = new MergePersons(BOB, CEM, CONTEXT);

const STEPS = ['PersonMerging', 'CompetitorMerged', 'PersonMerged', 'PersonAbsorbed'] as const;

/** Before the first append of this type that the node makes. */
const beforeAppending = ({ store }: MemoryCore, type: string, work: () => Promise<unknown>): void => {
  store.beforeAppend = async (_, [first]) => {
    if (first?.type !== type) return;
    store.beforeAppend = () => undefined;
    await work();
  };
};

/** Runs the merge until it is about to append this; returns how it ends once it may go on. */
const heldBefore = async (node: MemoryCore, type: string, merge: MergePersons) => {
  const { opened, open } = gate();
  let ended: Promise<string> = Promise.resolve('');
  await new Promise<void>((reached) => {
    beforeAppending(node, type, () => {
      reached();
      return opened;
    });
    ended = outcomeOf(node.execute(merge));
    void ended.finally(reached);
  });
  return (): Promise<string> => {
    open();
    return ended;
  };
};

const aggregates = (): Aggregates => cores().core.get<Aggregates>(AGGREGATES);
const persons = async (eventId: string): Promise<readonly (readonly number[])[]> => {
  const { state } = await aggregates().load(roundAggregate, at(eventId), { fresh: true });
  return Array.from(state.results.values(), ({ personIds }) => personIds);
};
const typesOf = (personId: number) => cores().core.types((of) => of.of(personStream, personId));
const phaseOf = async (personId: number): Promise<string> =>
  (await aggregates().load(personAggregate, personId, { fresh: true })).state.phase;
const complete = async ({ get }: MemoryCore): Promise<void> =>
  new PersonMergeProcess(get(ProcessServices), get(PersonMerges)).completeLeftBehind();

/** The results of all three, with those of Ann in a round and a team, and the one of Bob in another round. */
const enterResults = async (): Promise<void> => {
  const { core } = cores();
  await core.execute(attempt(at('cube'), [ANN], 1, 900));
  await core.execute(attempt(at('pairs'), [ANN, DEE], 1, 900));
  await core.execute(attempt(at('clock'), [BOB], 1, 900));
};

const allAreCem = async (): Promise<void> => {
  const { core } = cores();
  expect([await persons('cube'), await persons('pairs'), await persons('clock')]).toEqual([
    [[CEM]],
    [[CEM, DEE]],
    [[CEM]],
  ]);
  expect([await phaseOf(ANN), await phaseOf(BOB), await phaseOf(CEM)]).toEqual([
    'merged',
    'merged',
    'registered',
  ]);
  await core.shown(await core.store.head());
  expect(await core.query(new ListMergingPersons())).toEqual([]);
  for (const personId of [ANN, BOB, CEM])
    expect(await core.query(new GetPerson(personId))).toMatchObject({ id: CEM, aliases: [ANN, BOB] });
  expect(await missingFrom(core)).toEqual(['Dee expected']);
  const { results } = await core.execute(attempt(at('cube'), [ANN], 1, 950));
  expect(results.map(({ personIds }) => personIds)).toEqual([[CEM]]);
};

describe('two merges of a chain at once', () => {
  const interleavings = STEPS.flatMap((ann) =>
    STEPS.flatMap((bob) => ['Ann', 'Bob'].map((first) => ({ ann, bob, first }))),
  );

  it.each(interleavings)(
    'held before $ann and $bob, of which that of $first goes on first',
    async ({ ann, bob, first }) => {
      const { core, other } = cores();
      await enterResults();
      const annGoesOn = await heldBefore(core, ann, annIntoBob);
      const bobGoesOn = await heldBefore(other, bob, bobIntoCem);
      const ends =
        first === 'Ann' ? [await annGoesOn(), await bobGoesOn()] : [await bobGoesOn(), await annGoesOn()];
      expect(ends).toEqual(['done', 'done']);
      await complete(core);
      await allAreCem();
    },
  );

  it('give the association id to the last of the chain, who has none', async () => {
    const { core, other } = cores();
    await core.execute(new EditPerson(BOB, { assocId: null }, CONTEXT));
    const { operational } = core;
    const handOver = operational.handOverAssocId.bind(operational);
    jest.spyOn(operational, 'handOverAssocId').mockImplementationOnce(async (from, into) => {
      await other.execute(bobIntoCem);
      return handOver(from, into);
    });
    await core.execute(annIntoBob);
    const profiles = await core.operational.profiles([ANN, BOB, CEM]);
    expect([ANN, BOB, CEM].map((id) => profiles.get(id)?.assocId)).toEqual([null, null, '2016ANN01']);
  });

  it('are one competitor on the list and on the roster', async () => {
    const { core, other } = cores();
    await core.execute(mark(1, ANN, 'quit'));
    beforeAppending(core, 'PersonMerged', () => other.execute(bobIntoCem));
    await core.execute(annIntoBob);
    expect(await missingFrom(core)).toEqual(['Cem expected', 'Dee expected']);
    await core.execute(withdraw(ANN));
    expect(await missingFrom(core)).toEqual(['Cem withdrawn', 'Dee expected']);
  });

  it('leave nothing of those whom the last of the chain has taken with them when erased', async () => {
    const { core, other } = cores();
    beforeAppending(core, 'PersonAbsorbed', async () => {
      await other.execute(bobIntoCem);
      await other.execute(new ErasePerson(CEM, CONTEXT));
    });
    await core.execute(annIntoBob);
    expect(await core.operational.profiles([ANN, BOB, CEM])).toEqual(new Map());
  });

  it.each(['cube', 'clock'])('refuse the one that would bring two results of %s together', async (shared) => {
    const { core, other } = cores();
    for (const eventId of ['cube', 'clock']) await core.execute(attempt(at(eventId), [ANN], 1, 900));
    await core.execute(attempt(at(shared), [CEM], 1, 950));
    beforeAppending(core, 'PersonMerging', () => other.execute(bobIntoCem));
    expect(await core.refusal(annIntoBob)).toMatchObject({
      code: 'merge-conflict',
      detail: `persons ${ANN} and ${CEM} both have a result in C ${shared}-r1`,
    });
    expect([await phaseOf(ANN), await phaseOf(BOB)]).toEqual(['registered', 'merged']);
    expect(await persons(shared)).toEqual([[ANN], [CEM]]);
  });
});

it('a merge does not begin into a person whom another node erases at the same moment', async () => {
  const { core, other } = cores();
  beforeAppending(core, 'PersonMerging', () => other.execute(new ErasePerson(BOB, CONTEXT)));
  expect(await outcomeOf(core.execute(annIntoBob))).toBe('person-state');
  expect([await phaseOf(ANN), (await core.operational.profiles([ANN])).size]).toEqual(['registered', 1]);
});

describe('a merge that was broken off', () => {
  it.each([
    [1, false],
    [2, false],
    [3, false],
    [4, false],
    [4, true],
  ])('at append %d (written: %s) ends with whom its target has become', async (append, written) => {
    const { core, other } = cores();
    await enterResults();
    await breakOffAt(core.store, { append, written }, () =>
      expect(core.execute(annIntoBob)).rejects.toThrow('broken off'),
    );
    await other.execute(bobIntoCem);
    await complete(other);
    await allAreCem();
    const head = await core.store.head();
    expect(await outcomeOf(core.execute(annIntoBob))).toBe('done');
    expect(await core.store.head()).toBe(head);
  });
});

describe('two merges that lead into one another', () => {
  it('are refused but for one, which ends', async () => {
    const { core, other } = cores();
    await core.execute(attempt(at('clock'), [ANN], 1, 900));
    jest.spyOn(core.get(EventFeed), 'whenKnownElsewhere').mockImplementationOnce(async () => {
      expect(await outcomeOf(other.execute(new MergePersons(BOB, ANN, CONTEXT)))).toBe('person-state');
    });
    await core.execute(annIntoBob);
    expect([await phaseOf(ANN), await phaseOf(BOB), await persons('clock')]).toEqual([
      'merged',
      'registered',
      [[BOB]],
    ]);
  });

  it('at the same moment leave both as they were, or one of them', async () => {
    const { core, other } = cores();
    const bobGoesOn = await heldBefore(other, 'PersonMerging', new MergePersons(BOB, ANN, CONTEXT));
    const annGoesOn = await heldBefore(core, 'PersonMerged', annIntoBob);
    expect([await bobGoesOn(), await annGoesOn()]).toEqual(['person-state', 'done']);
    expect([await typesOf(BOB), await phaseOf(ANN)]).toEqual([
      ['PersonRegistered', 'PersonMerging', 'PersonMergeCancelled', 'PersonAbsorbed'],
      'merged',
    ]);
  });

  it('and were broken off are settled by the process manager', async () => {
    const { core, other } = cores();
    const annGoesOn = await heldBefore(core, 'PersonMerging', annIntoBob);
    await breakOffAt(other.store, { append: 0, written: true }, () =>
      expect(other.execute(new MergePersons(BOB, ANN, CONTEXT))).rejects.toThrow('broken off'),
    );
    expect(await annGoesOn()).toBe('person-state');
    await complete(core);
    expect([await phaseOf(ANN), await phaseOf(BOB)]).toEqual(['registered', 'merged']);
    await core.shown(await core.store.head());
    expect(await core.query(new ListMergingPersons())).toEqual([]);
  });
});
