/**
 * Association ids and emails that are unique by claims, as on a mongos, whatever happens to the processes that write them: one may
 * die before any of its writes, or stand still there while another goes on or scrubs, and wake up later. Each command takes effect for
 * readers at once or not at all, and only while its own process runs; and no two ever hold one value.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { Collection, MongoClient } from 'mongodb';
import { MongoOperationalStore } from '../../../../src/engines/mongodb/operational/mongo-operational-store.js';
import { SqliteOperationalStore } from '../../../../src/engines/sqlite/operational/sqlite-operational-store.js';
import { EmailTakenError } from '../../../../src/foundation/operational/account-store.js';
import { AssocIdTakenError } from '../../../../src/foundation/operational/operational-store.js';
import { storedAccount } from '../../../support/accounts.js';
import { collect } from '../../../support/events.js';
import { type Gate, gate } from '../../../support/gate.js';
import { mongoServer, someDatabase } from '../../../support/mongodb/mongo-server.js';
import { beginWithClaims, requireShardKeys, watched } from '../../../support/mongodb/shard-keys.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { at } from '../../../support/ran-history.js';

const LONG = 1_800_000;
const ASSOC_IDS = ['A', 'B'];
const EMAILS = ['x@example.org', 'y@example.org'];

/** What is unique, and the rest of it. */
interface Held {
  readonly value: string | null;
  readonly label: string;
}

/** All that can be read, by id. */
type State = ReadonlyMap<string, Held>;

type Fate = { readonly fate: 'fine' } | { readonly fate: 'dies' | 'pauses'; readonly landed: number };

type Command =
  | { readonly is: 'create'; readonly values: readonly (string | null)[] }
  | { readonly is: 'change'; readonly which: number; readonly value: string | null }
  | { readonly is: 'hand over'; readonly which: number; readonly into: number }
  | { readonly is: 'erase'; readonly which: number }
  | { readonly is: 'create account'; readonly value: string }
  | { readonly is: 'change account'; readonly which: number; readonly value: string }
  | { readonly is: 'erase account'; readonly which: number };

type Step =
  | { readonly step: 'run'; readonly writer: number; readonly command: Command; readonly fate: Fate }
  | { readonly step: 'wake' }
  | { readonly step: 'scrub' };

const which = fc.nat(2);
const value = fc.constantFrom(...ASSOC_IDS, null);
const email = fc.constantFrom(...EMAILS);
const values = fc.uniqueArray(value, { minLength: 1, maxLength: 3 });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ is: fc.constant('create' as const), values }) },
  { weight: 6, arbitrary: fc.record({ is: fc.constant('change' as const), which, value }) },
  { weight: 4, arbitrary: fc.record({ is: fc.constant('hand over' as const), which, into: which }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('erase' as const), which }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('create account' as const), value: email }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('change account' as const), which, value: email }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('erase account' as const), which }) },
);
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Fate>({ fate: 'fine' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      fate: fc.constantFrom('dies' as const, 'pauses' as const, 'pauses' as const),
      landed: fc.nat(6),
    }),
  },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ step: fc.constant('run' as const), writer: fc.nat(1), command, fate }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ step: 'wake' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ step: 'scrub' }) },
);

const fine = (command: Command): Step => ({ step: 'run', writer: 1, command, fate: { fate: 'fine' } });
/** It stands still before its third write, which is the one that readers see. */
const standing = (command: Command): Step => ({
  ...{ step: 'run', writer: 0, command },
  fate: { fate: 'pauses', landed: 2 },
});
const wake: Step = { step: 'wake' };

/** Another person gets what one is about to hold. */
const overtaken: Step[] = [
  fine({ is: 'create', values: [null, null] }),
  standing({ is: 'change', which: 0, value: 'A' }),
  fine({ is: 'change', which: 1, value: 'A' }),
  wake,
];

/** Another process ends a handover that is about to pass the claim on. */
const unmoved: Step[] = [
  fine({ is: 'create', values: ['A', null] }),
  standing({ is: 'hand over', which: 0, into: 1 }),
  fine({ is: 'change', which: 0, value: 'A' }),
  wake,
];

/** A handover has died before it passed the claim on, and its giver has freed the value: another person is about to hold it. */
const unpassed: Step[] = [
  fine({ is: 'create', values: ['A', null, null] }),
  {
    ...{ step: 'run', writer: 0, command: { is: 'hand over', which: 0, into: 1 } },
    fate: { fate: 'dies', landed: 2 },
  },
  fine({ is: 'change', which: 0, value: 'B' }),
  standing({ is: 'change', which: 2, value: 'A' }),
  fine({ is: 'change', which: 1, value: null }),
  fine({ is: 'create', values: ['A'] }),
  wake,
];

/** A scrub takes what is under way for left over. */
const scrubbed: Step[] = [
  fine({ is: 'create', values: [null, null] }),
  standing({ is: 'change', which: 0, value: 'A' }),
  standing({ is: 'create account', value: 'x@example.org' }),
  standing({ is: 'create account', value: 'y@example.org' }),
  { step: 'scrub' },
  fine({ is: 'change', which: 1, value: 'A' }),
  fine({ is: 'create account', value: 'x@example.org' }),
  wake,
];

class Died extends Error {}

/** A process from its first write on. */
interface Life {
  readonly fate: Fate;
  writes: number;
  isDead: boolean;
  readonly stands: Gate;
  readonly wakes: Gate;
}

const lives = new AsyncLocalStorage<Life>();

const beforeWrite = async (): Promise<void> => {
  const life = lives.getStore();
  if (!life || life.fate.fate === 'fine') return;
  if (!life.isDead && life.writes === life.fate.landed) {
    if (life.fate.fate === 'dies') life.isDead = true;
    else {
      life.stands.open();
      await life.wakes.opened;
    }
  }
  life.writes += 1;
  if (life.isDead) throw new Died();
};

const WRITES = ['insertOne', 'insertMany', 'replaceOne', 'updateMany', 'deleteMany'] as const;

/** Each write of the driver asks first whether its process is still alive. */
const watchWrites = (): void => {
  for (const name of WRITES) {
    const write: (...values: never[]) => unknown = Collection.prototype[name];
    const guarded = async function (this: Collection, ...given: unknown[]): Promise<unknown> {
      await beforeWrite();
      return Reflect.apply(write, this, given);
    };
    jest.spyOn(Collection.prototype, name).mockImplementation(guarded as never);
  }
};

/** A command on what is there. */
interface Work {
  /** Returns whether it was done; false: it was refused. */
  run(store: MongoOperationalStore): Promise<boolean>;
  isDone(before: State, after: State): boolean;
  mayBeRefused(before: State): boolean;
}

const isTaken = (state: State, value: string | null, but?: string): boolean =>
  value !== null && [...state].some(([id, held]) => held.value === value && id !== but);

const textOf = (state: State): string => JSON.stringify([...state].sort());

const changed = (before: State, after: State, changes: Readonly<Record<string, Held | null>>): boolean => {
  const expected = new Map(before);
  for (const [id, held] of Object.entries(changes)) {
    if (held === null) expected.delete(id);
    else expected.set(id, held);
  }
  return textOf(expected) === textOf(after);
};

const unlessTaken = async (work: () => Promise<unknown>): Promise<boolean> => {
  try {
    return (await work()) !== null;
  } catch (error) {
    if (error instanceof AssocIdTakenError || error instanceof EmailTakenError) return false;
    throw error;
  }
};

/** Null: there is none of its kind. `number` is unlike that of every other command. */
const workOf = (command: Command, state: State, number: number): Work | null => {
  const label = `n${number}`;
  const ids = [...state.keys()].filter((id) => id.startsWith('a') === command.is.endsWith('account'));
  const pick = (index: number): string | undefined => ids[index % Math.max(1, ids.length)];
  switch (command.is) {
    case 'create': {
      const wanted = command.values.map((value, place) => ({ value, label: `${label}-${place}` }));
      return {
        run: (store) => {
          const profiles = wanted.map(({ value, label }) => profile(label, value));
          return unlessTaken(() =>
            profiles.length === 1 ? store.createProfile(at(profiles, 0)) : store.createProfiles(profiles),
          );
        },
        isDone: (before, after) => {
          const added = [...after].filter(([id]) => !before.has(id));
          const isWhole = JSON.stringify(added.map(([, held]) => held)) === JSON.stringify(wanted);
          return isWhole && changed(before, after, Object.fromEntries(added));
        },
        mayBeRefused: (before) => wanted.some(({ value }) => isTaken(before, value)),
      };
    }
    case 'change': {
      const id = pick(command.which);
      if (id === undefined) return null;
      const { value } = command;
      return {
        run: (store) => unlessTaken(() => store.updateProfile(Number(id), { name: label, assocId: value })),
        isDone: (before, after) => before.has(id) && changed(before, after, { [id]: { value, label } }),
        mayBeRefused: (before) => !before.has(id) || isTaken(before, value, id),
      };
    }
    case 'hand over': {
      const [from, into] = [pick(command.which), pick(command.into)];
      if (from === undefined || into === undefined || from === into) return null;
      const canBe = (before: State) =>
        (before.get(from)?.value ?? null) !== null && before.get(into)?.value === null;
      return {
        run: (store) => store.handOverAssocId(Number(from), Number(into)),
        isDone: (before, after) => {
          const [giver, taker] = [before.get(from), before.get(into)];
          if (!giver || !taker || !canBe(before)) return false;
          const changes = { [from]: { ...giver, value: null }, [into]: { ...taker, value: giver.value } };
          return changed(before, after, changes);
        },
        mayBeRefused: (before) => !canBe(before),
      };
    }
    case 'erase': {
      const id = pick(command.which);
      if (id === undefined) return null;
      return {
        run: (store) => store.eraseProfile(Number(id)).then(() => true),
        isDone: (before, after) => changed(before, after, { [id]: null }),
        mayBeRefused: () => false,
      };
    }
    case 'create account': {
      const { value } = command;
      const id = `a${number}`;
      return {
        run: (store) =>
          unlessTaken(() =>
            store.accounts.create(storedAccount({ accountId: id, email: value, name: label })),
          ),
        isDone: (before, after) => !before.has(id) && changed(before, after, { [id]: { value, label } }),
        mayBeRefused: (before) => isTaken(before, value),
      };
    }
    case 'change account': {
      const id = pick(command.which);
      if (id === undefined) return null;
      const { value } = command;
      return {
        run: (store) => unlessTaken(() => store.accounts.update(id, { email: value, name: label })),
        isDone: (before, after) => before.has(id) && changed(before, after, { [id]: { value, label } }),
        mayBeRefused: (before) => !before.has(id) || isTaken(before, value, id),
      };
    }
    case 'erase account': {
      const id = pick(command.which);
      if (id === undefined) return null;
      return {
        run: (store) => store.accounts.erase(id).then(() => true),
        isDone: (before, after) => changed(before, after, { [id]: null }),
        mayBeRefused: () => false,
      };
    }
    default:
      command satisfies never;
      return null;
  }
};

const profile = (name: string, assocId: string | null) => ({
  ...{ spaceId: 'default', localizedName: null },
  ...{ name, assocId },
});

const PERSONS = Array.from({ length: 200 }, (_, place) => place + 1);

/** All that can be read, in every way. Throws where two ways differ. */
const shown = async (store: MongoOperationalStore): Promise<State> => {
  const profiles = [...(await store.profiles(PERSONS)).values()].sort((a, b) => a.personId - b.personId);
  const accounts = await store.accounts.ofSpace('default');
  const byAssocId = await store.profilesByAssocId('default', ASSOC_IDS);
  for (const assocId of ASSOC_IDS) {
    const holders = profiles.filter((one) => one.assocId === assocId);
    expect([byAssocId.get(assocId.toLowerCase()) ?? []].flat()).toEqual(holders);
    expect(await store.searchProfiles('default', assocId, { limit: 9 })).toEqual(holders);
  }
  expect(await store.searchProfiles('default', '', { limit: 200 })).toHaveLength(profiles.length);
  for (const email of EMAILS) {
    const holders = accounts.filter((one) => one.email === email);
    expect([(await store.accounts.byEmail(email)) ?? []].flat()).toEqual(holders);
  }
  return new Map([
    ...profiles.map(
      ({ personId, name, assocId }) => [String(personId), { value: assocId, label: name }] as const,
    ),
    ...accounts.map(({ accountId, email, name }) => [accountId, { value: email, label: name }] as const),
  ]);
};

interface Paused {
  readonly work: Work;
  readonly life: Life;
  readonly outcome: Promise<boolean | 'died'>;
  /** Readers saw its effect before it stood still. */
  readonly wasDone: boolean;
  /** It may have been refused at some moment since it began. */
  mayBeRefused: boolean;
}

const server = await mongoServer(['OperationalStore'], { what: 'random crashes of the operational store' });

const withServer = (urlFor: (database: string) => string): void => {
  beforeEach(() => watchWrites());
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const check = async (steps: readonly Step[]): Promise<void> => {
    const url = urlFor(someDatabase());
    await beginWithClaims(url);
    const client = new MongoClient(url);
    const opened: MongoOperationalStore[] = [];
    const open = async (): Promise<MongoOperationalStore> => {
      const store = new MongoOperationalStore(watched(url), {
        openCopy: (path) => new SqliteOperationalStore(path),
        keepsChecksums: true,
      });
      opened.push(store);
      await store.records()[Symbol.asyncIterator]().next();
      await store.accounts.byId('none');
      return store;
    };
    const processes = [await open(), await open()];
    const reader = await open();
    let state = await shown(reader);
    let paused: Paused[] = [];
    let number = 0;

    const see = (after: State, standing: readonly Paused[] = paused): void => {
      state = after;
      for (const one of standing) one.mayBeRefused ||= one.work.mayBeRefused(state);
    };

    const run = async ({ writer, command, fate }: Extract<Step, { step: 'run' }>): Promise<void> => {
      number += 1;
      const work = workOf(command, state, number);
      if (!work) return;
      const life: Life = { fate, writes: 0, isDead: false, stands: gate(), wakes: gate() };
      const outcome = lives.run(life, () =>
        work.run(at(processes, writer)).catch((error: unknown) => {
          if (life.isDead) return 'died' as const;
          throw error;
        }),
      );
      const now = await Promise.race([outcome, life.stands.opened.then(() => 'paused' as const)]);
      const after = await shown(reader);
      const isSame = textOf(state) === textOf(after);
      if (now === true) expect(work.isDone(state, after)).toBe(true);
      else if (now === false) expect([isSame, work.mayBeRefused(state)]).toEqual([true, true]);
      else expect(isSame || work.isDone(state, after)).toBe(true);
      if (now === 'paused')
        paused.push({ work, life, outcome, wasDone: !isSame, mayBeRefused: work.mayBeRefused(state) });
      if (now === 'died') processes[writer] = await open();
      see(after);
      expect(textOf(await shown(reader))).toBe(textOf(state));
    };

    const wake = async (): Promise<void> => {
      const all = paused;
      paused = [];
      for (const one of all) {
        const { work, life, outcome, wasDone } = one;
        life.wakes.open();
        const now = await outcome;
        const after = await shown(reader);
        const isSame = textOf(state) === textOf(after);
        if (wasDone) expect(isSame).toBe(true);
        else if (now === true) expect(work.isDone(state, after)).toBe(true);
        else expect([isSame, one.mayBeRefused]).toEqual([true, true]);
        see(after, all);
      }
    };

    const scrub = async (): Promise<void> => {
      expect((await collect(reader.scrub())).flatMap(({ damages }) => damages)).toEqual([]);
      expect(textOf(await shown(reader))).toBe(textOf(state));
    };

    try {
      for (const one of steps) {
        if (one.step === 'run') await run(one);
        else await (one.step === 'wake' ? wake() : scrub());
      }
      await wake();
      const last = await open();
      expect(textOf(await shown(last))).toBe(textOf(state));
      expect((await collect(last.scrub())).flatMap(({ damages }) => damages)).toEqual([]);
      await expectNothingLeft(last, state, client);
      requireShardKeys();
    } finally {
      for (const { life } of paused) life.wakes.open();
      for (const store of opened) await store.close();
      await client.db().dropDatabase();
      await client.close();
    }
  };

  it(
    'take effect at once or not at all, and hold each value once',
    () =>
      fc.assert(fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), check), {
        ...propertyRuns(12, LONG / 2),
        examples: [[overtaken], [unmoved], [unpassed], [scrubbed]],
      }),
    LONG,
  );
};

/** What dead processes left is gone, each value that is free can be had, and once all are erased no claim is left. */
const expectNothingLeft = async (
  store: MongoOperationalStore,
  state: State,
  client: MongoClient,
): Promise<void> => {
  const claims = client.db().collection<{ readonly _id: string }>('claims');
  const held = [...state].flatMap(([id, { value }]) => (value === null ? [] : claimOf(id, value)));
  expect(await claims.distinct('_id')).toEqual(held.sort());
  const counts = ['profiles', 'accounts'].map((name) => client.db().collection(name).countDocuments());
  const [profiles = 0, accounts = 0] = await Promise.all(counts);
  expect(profiles + accounts).toBe(state.size);
  for (const assocId of ASSOC_IDS)
    if (!isTaken(state, assocId)) await store.createProfile(profile('z', assocId));
  for (const email of EMAILS)
    if (!isTaken(state, email))
      await store.accounts.create(storedAccount({ accountId: `a-${email}`, email }));
  const all = await shown(store);
  expect(await claims.countDocuments()).toBe(ASSOC_IDS.length + EMAILS.length);
  for (const id of all.keys()) {
    if (id.startsWith('a')) await store.accounts.erase(id);
    else await store.eraseProfile(Number(id));
  }
  expect(await claims.countDocuments()).toBe(0);
  expect((await collect(store.scrub())).flatMap(({ damages }) => damages)).toEqual([]);
};

const claimOf = (id: string, value: string): string =>
  id.startsWith('a') ? `email\n${value}` : `person\ndefault\n${value.toLowerCase()}`;

describe('association ids and emails with claims in MongoDB', () => {
  if (server) withServer((database) => server.url(database));
  else it('did not run: the last lines of npm test say why', () => {});
});
