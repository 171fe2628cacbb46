/**
 * Read models in MongoDB against those in SQLite, whatever happens to the processes that write them: one may die at any
 * step of a commit, or stand still there while others go on and wake up later, and two may project at once. A reader sees
 * at each position what SQLite shows there, and at the end nothing is lost that was decided, and the tallies fit.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { openReadModelStore } from '../../../../src/app/stores/open-read-model-store.js';
import type { LogEntry } from '../../../../src/engines/mongodb/read-models/documents.js';
import { DecisionLog } from '../../../../src/engines/mongodb/read-models/log.js';
import { MongoReadModelStore } from '../../../../src/engines/mongodb/read-models/mongo-read-model-store.js';
import { RowWriter } from '../../../../src/engines/mongodb/read-models/rows.js';
import { type Damage, isVerifiable } from '../../../../src/foundation/integrity/damage.js';
import type {
  Collection,
  Generation,
  ReadModelStore,
  Write,
} from '../../../../src/foundation/read-models/read-model-store.js';
import { type Gate, gate } from '../../../support/gate.js';
import { promote, startGeneration } from '../../../support/generations.js';
import { mongoServer, someDatabase } from '../../../support/mongodb/mongo-server.js';
import { temporaryFolder } from '../../../support/podium-app.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { at } from '../../../support/ran-history.js';

interface Row {
  readonly id: string;
  readonly list: string;
  readonly value: number | null;
}

const rows: Collection<Row> = { name: 'rows', indexes: { byList: ['list', 'value'], all: [] } };
const schema = { name: 'toy', version: 1, collections: [rows] };
const IDS = [...'abcdef'];
const LONG = 1_800_000;

type Fate =
  | { readonly fate: 'fine' | 'undecided' | 'unmarked' }
  /** After so many of its rows are in place. */
  | { readonly fate: 'dies' | 'pauses'; readonly landed: number };

interface Change {
  readonly id: string;
  readonly list: string;
  readonly value: number | null;
  readonly removed: boolean;
  /** Whether the writer tells what was there before. */
  readonly knows: boolean;
}

type Step =
  | {
      readonly step: 'commit';
      readonly writer: number;
      readonly changes: readonly Change[];
      readonly fate: Fate;
    }
  | { readonly step: 'wake' }
  | { readonly step: 'restart' | 'rebuild'; readonly writer: number };

const writer = fc.nat(1);
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Fate>({ fate: 'fine' }) },
  { weight: 2, arbitrary: fc.record({ fate: fc.constantFrom('undecided' as const, 'unmarked' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ fate: fc.constantFrom('dies' as const, 'pauses' as const), landed: fc.nat(3) }),
  },
);
const change: fc.Arbitrary<Change> = fc.record({
  id: fc.constantFrom(...IDS),
  list: fc.constantFrom('x', 'y'),
  value: fc.constantFrom(1, 2, 10, null),
  removed: fc.constantFrom(false, false, true),
  knows: fc.boolean(),
});
const changes = fc.uniqueArray(change, { selector: ({ id }) => id, maxLength: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ step: fc.constant('commit' as const), writer, changes, fate }) },
  { weight: 2, arbitrary: fc.constant<Step>({ step: 'wake' }) },
  {
    weight: 1,
    arbitrary: fc.record({ step: fc.constantFrom('restart' as const, 'rebuild' as const), writer }),
  },
);

/** Everything that can be read of the live generation, and its position. */
const shown = (store: ReadModelStore): Promise<{ readonly position: number; readonly text: string }> =>
  store.snapshot(async (view) => {
    const text = JSON.stringify([
      await view.scan(rows, { index: 'all', equals: {} }),
      await view.scan(rows, { index: 'byList', equals: { list: 'x' } }),
      await view.scan(rows, { index: 'byList', equals: { list: 'y' }, descending: true, limit: 2 }),
      await view.count(rows, 'byList', { list: 'x', value: 1 }),
      await view.getMany(rows, IDS),
    ]);
    return { position: await view.position('toy'), text };
  });

const server = await mongoServer(['ReadModelStore'], { what: 'random crashes of the read-model store' });

class Died extends Error {}

interface Pause {
  readonly stands: Gate;
  readonly wakes: Gate;
}

interface Batch {
  readonly from: number;
  readonly to: number;
  readonly writes: readonly Write[];
  readonly put: readonly Row[];
}

/** A commit whose process stands still. */
interface Paused {
  readonly batch: Batch;
  readonly outcome: Promise<'committed' | 'superseded' | 'died'>;
  /** Before it stood still. */
  readonly isDecided: boolean;
  readonly wakes: Gate;
}

const withServer = (urlFor: (database: string) => string): void => {
  let folder: string;
  let databases = 0;

  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** What the next commit of this process comes to; where it stands still, it says so and waits to be woken. */
  const arrange = (fate: Fate): Pause => {
    const pause = { stands: gate(), wakes: gate() };
    const { apply } = RowWriter.prototype;
    switch (fate.fate) {
      case 'fine':
        break;
      case 'undecided':
        jest.spyOn(DecisionLog.prototype, 'append').mockRejectedValueOnce(new Died());
        break;
      case 'unmarked':
        jest.spyOn(DecisionLog.prototype, 'markApplied').mockRejectedValueOnce(new Died());
        break;
      case 'dies':
      case 'pauses': {
        const { landed } = fate;
        const dies = fate.fate === 'dies';
        jest.spyOn(RowWriter.prototype, 'apply').mockImplementationOnce(async function (
          this: RowWriter,
          writes,
        ) {
          await apply.call(this, writes.slice(0, landed));
          if (dies) throw new Died();
          pause.stands.open();
          await pause.wakes.opened;
          await apply.call(this, writes.slice(landed));
        });
        break;
      }
      default:
        fate satisfies never;
    }
    return pause;
  };

  /** One run: two processes on one database, and SQLite, which is told each commit that was decided. */
  const check = async (steps: readonly Step[]): Promise<void> => {
    databases += 1;
    const url = urlFor(someDatabase());
    const model = await openReadModelStore(`sqlite:${join(folder, `model-${databases}.sqlite`)}`);
    await model.prepare([schema]);
    const client = new MongoClient(url);
    const opened: MongoReadModelStore[] = [];
    const open = async (): Promise<MongoReadModelStore> => {
      const store = new MongoReadModelStore(url);
      opened.push(store);
      await store.prepare([schema]);
      return store;
    };
    const processes = [await open(), await open()];
    const reader = await open();
    let paused: Paused[] = [];
    const known = new Map<string, Row>();
    let position = 0;
    let live = await rebuilt(at(processes, 0), [], 0);
    let modelLive = await rebuilt(model, [], 0);
    const truth = new Map([[0, (await shown(model)).text]]);

    /** Up to where anything was decided, whether it is in place or not. */
    const decidedUpTo = async (): Promise<number> => {
      const { books } = await new DecisionLog(client.db().collection<LogEntry>('log')).head();
      return books.generations.find(({ number }) => number === live.number)?.position ?? 0;
    };

    const count = async (commit: Batch): Promise<void> => {
      const { from, to, writes } = commit;
      expect(await model.commit([{ generation: modelLive, from, to, writes }])).toBe('committed');
      for (const write of writes) {
        if (write.kind === 'remove') known.delete(write.id);
      }
      for (const row of commit.put) known.set(row.id, row);
      position = to;
      truth.set(position, (await shown(model)).text);
    };

    const batchOf = (changes: readonly Change[]): Batch => {
      const to = position + 1;
      const put = changes
        .filter(({ removed }) => !removed)
        .map(({ id, list, value }) => ({ id, list, value }));
      const writes = changes.map(({ id, list, value, removed, knows }): Write => {
        if (removed) return { kind: 'remove', collection: rows, id, at: to };
        const previous = knows ? { previous: known.get(id) ?? null } : {};
        const document: Row = { id, list, value };
        return { kind: 'put', collection: rows, document, at: to, ...previous };
      });
      return { from: position, to, writes, put };
    };

    const commit = async ({ writer, changes, fate }: Extract<Step, { step: 'commit' }>): Promise<void> => {
      const batch = batchOf(changes);
      const pause = arrange(fate);
      const { from, to, writes } = batch;
      const outcome = at(processes, writer)
        .commit([{ generation: live, from, to, writes }])
        .catch((error: unknown) => {
          if (error instanceof Died) return 'died' as const;
          throw error;
        });
      const now = await Promise.race([outcome, pause.stands.opened.then(() => 'paused' as const)]);
      jest.restoreAllMocks();
      if (now === 'died') processes[writer] = await open();
      // One that finished what another had left may have stopped before it decided anything itself.
      const isDecided = (await decidedUpTo()) === to;
      if (now === 'committed') expect(isDecided).toBe(true);
      if (now === 'paused') paused.push({ batch, outcome, isDecided, wakes: pause.wakes });
      expect(now).not.toBe('superseded');
      if (isDecided) await count(batch);
    };

    const wake = async (): Promise<void> => {
      const all = paused;
      paused = [];
      for (const { batch, outcome, isDecided, wakes } of all) {
        wakes.open();
        const settled = await outcome;
        if (isDecided) expect(settled).toBe('committed');
        else if (settled === 'committed') await count(batch);
      }
    };

    const take = async (one: Step): Promise<void> => {
      switch (one.step) {
        case 'commit':
          return commit(one);
        case 'wake':
          return wake();
        case 'restart':
          processes[one.writer] = await open();
          await at(processes, one.writer).acquireLease({
            name: `l${opened.length}`,
            holder: 'h',
            ttlMs: 60_000,
          });
          return;
        case 'rebuild':
          live = await rebuilt(at(processes, one.writer), [...known.values()], position);
          modelLive = await rebuilt(model, [...known.values()], position);
          return;
        default:
          one satisfies never;
      }
    };

    const compare = async (): Promise<number> => {
      const seen = await shown(reader);
      expect({ ...seen }).toEqual({ position: seen.position, text: truth.get(seen.position) });
      return seen.position;
    };

    try {
      for (const one of steps) {
        await take(one);
        await compare();
      }
      const last = await open();
      await last.acquireLease({ name: 'projector', holder: 'last', ttlMs: 60_000 });
      expect(await compare()).toBe(position);
      await wake();
      expect(await compare()).toBe(position);
      for (const store of [last, model]) expect(await damagesIn(store)).toEqual([]);
    } finally {
      for (const { wakes } of paused) wakes.open();
      for (const store of opened) await store.close();
      await client.db().dropDatabase();
      await client.close();
      await model.close();
    }
  };

  it(
    'show at each position what SQLite shows there',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), check),
        propertyRuns(5, LONG / 2),
      );
    },
    LONG,
  );
};

/** What a scrub names: nothing, when every tally is of the rows that are there. */
const damagesIn = async (store: ReadModelStore): Promise<readonly Damage[]> => {
  if (!isVerifiable(store)) throw new Error('the store keeps no checksums');
  const damages: Damage[] = [];
  for await (const step of store.scrub()) damages.push(...step.damages);
  return damages;
};

/** A new live generation that holds these documents. */
const rebuilt = async (
  store: ReadModelStore,
  documents: readonly Row[],
  position: number,
): Promise<Generation> => {
  const generation = await startGeneration(store, schema, 'events');
  const writes = documents.map(
    (document): Write => ({ kind: 'put', collection: rows, document, at: position }),
  );
  if (position > 0) await store.commit([{ generation, from: 0, to: position, writes }]);
  expect(await promote(store, { ...generation, position }, { allowBehind: true })).toBe('promoted');
  return generation;
};

describe('read models in MongoDB', () => {
  if (server) withServer((database) => server.url(database));
  else it('did not run: the last lines of npm test say why', () => {});
});
