/**
 * A session's reads against a plain map, whatever was written, committed, is on its way to the store or was forgotten
 * meanwhile, and whichever of it an earlier session wrote; and what has landed in the store against the same map.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openReadModelStore } from '../../../../src/app/stores/open-read-model-store.js';
import { GenerationSession } from '../../../../src/foundation/projections/session/generation-writer.js';
import type {
  Collection,
  Generation,
  ReadModelStore,
} from '../../../../src/foundation/read-models/read-model-store.js';
import { startGeneration } from '../../../support/generations.js';

interface Row {
  readonly id: string;
  readonly list: string;
  readonly value: number | null;
  readonly note: number;
}

const rows: Collection<Row> = { name: 'rows', indexes: { byList: ['list', 'value'], all: [] } };
const schema = { name: 'toy', version: 1, collections: [rows] };

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const list = fc.constantFrom('x', 'y');
const value = fc.constantFrom(1, 2, 'none' as const);

type Step =
  | { readonly kind: 'put'; readonly id: string; readonly list: string; readonly value: number | 'none' }
  | { readonly kind: 'remove' | 'get'; readonly id: string }
  | { readonly kind: 'where'; readonly list: string; readonly value: number | 'any' }
  | {
      readonly kind: 'scan';
      readonly list: string;
      readonly after: readonly [number, string] | null;
      readonly limit: number;
    }
  | { readonly kind: 'all' | 'take' | 'commit' | 'prefetch' | 'restart' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), id, list, value }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('get' as const), id }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('where' as const),
      list,
      value: fc.constantFrom(1, 2, 'any' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('scan' as const),
      list,
      after: fc.option(fc.tuple(fc.constantFrom(1, 2), fc.oneof(id, fc.constant('')))),
      limit: fc.constantFrom(1, 2, 8),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('all', 'take', 'commit', 'prefetch', 'restart') }),
  },
);

type ScanStep = Extract<Step, { readonly kind: 'scan' }>;

const scanOf = ({ list, after, limit }: ScanStep) => ({
  index: 'byList',
  equals: { list },
  limit,
  ...(after && { after: { id: after[1], list, value: after[0], note: 0 } }),
});

const scanned = (all: readonly Row[], { list, after, limit }: ScanStep): readonly Row[] => {
  const place = ({ value, id: name }: Row): string => `${value} ${name}`;
  return all
    .filter((row) => row.list === list && row.value !== null)
    .filter((row) => after === null || place(row) > `${after[0]} ${after[1]}`)
    .sort((a, b) => (place(a) < place(b) ? -1 : 1))
    .slice(0, limit);
};

/** What a condition found is known from then on, though it was not read by id: writing it must renew what is known. */
const WRITTEN_AFTER_A_CONDITION: Step[] = [
  { kind: 'put', id: 'a', list: 'x', value: 1 },
  { kind: 'restart' },
  { kind: 'where', list: 'x', value: 1 },
  { kind: 'put', id: 'a', list: 'x', value: 2 },
  { kind: 'take' },
  { kind: 'commit' },
  { kind: 'get', id: 'a' },
];

/** A range that was read whole is kept: it loses what a later commit moved to another. */
const MOVED_AFTER_A_CONDITION: Step[] = [
  { kind: 'put', id: 'a', list: 'x', value: 1 },
  { kind: 'take' },
  { kind: 'commit' },
  { kind: 'where', list: 'x', value: 'any' },
  { kind: 'put', id: 'a', list: 'y', value: 1 },
  { kind: 'take' },
  { kind: 'commit' },
  { kind: 'where', list: 'x', value: 'any' },
];

describe('a session', () => {
  let folder: string;
  let store: ReadModelStore;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-session-'));
    store = await openReadModelStore(`sqlite:${join(folder, 'read-models.sqlite')}`);
    await store.prepare([schema]);
  });

  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  const sorted = (documents: Iterable<Row>): Row[] => [...documents].sort((a, b) => (a.id < b.id ? -1 : 1));

  /** Runs the steps against session and map at once. */
  const check = async (steps: readonly Step[], mostKnown: number, seen: boolean): Promise<void> => {
    const generation = await startGeneration(store, schema, 'e');
    let session = new GenerationSession({
      maxCached: mostKnown,
      keepsTags: false,
      finalizes: false,
      expectedIds: seen ? 8 : null,
    });
    const model = new Map<string, Row>();
    const commits = new Commits(store, generation);
    let note = 0;
    const run = async (one: Step): Promise<void> => {
      switch (one.kind) {
        case 'put': {
          note += 1;
          const row = { id: one.id, list: one.list, value: one.value === 'none' ? null : one.value, note };
          session.put(rows, row);
          model.set(one.id, row);
          return;
        }
        case 'remove':
          session.remove(rows, one.id);
          model.delete(one.id);
          return;
        case 'get':
          expect(await session.get(rows, one.id)).toEqual(model.get(one.id) ?? null);
          return;
        case 'where': {
          const equals = one.value === 'any' ? { list: one.list } : { list: one.list, value: one.value };
          const expected = [...model.values()].filter(
            (row) =>
              row.list === one.list && row.value !== null && (one.value === 'any' || row.value === one.value),
          );
          expect(sorted(await session.scan(rows, { index: 'byList', equals }))).toEqual(sorted(expected));
          return;
        }
        case 'scan':
          expect(await session.scan(rows, scanOf(one))).toEqual(scanned([...model.values()], one));
          return;
        case 'all':
          expect(sorted(await session.scan(rows, { index: 'all', equals: {} }))).toEqual(
            sorted(model.values()),
          );
          return;
        case 'prefetch':
          return session.prefetch([...'abcdefgh'].map((one) => ({ collection: rows, id: one })));
        case 'take':
          return commits.take(session);
        case 'commit':
          return commits.land();
        case 'restart':
          await commits.take(session);
          await commits.land();
          session = new GenerationSession({
            maxCached: mostKnown,
            keepsTags: false,
            finalizes: false,
            expectedIds: null,
          });
          return;
        default:
          one satisfies never;
      }
    };
    await store.viewOf(generation, async (view) => {
      for (const one of steps) await session.reading(view, () => run(one));
    });
    await commits.take(session);
    await commits.land();
    const stored = await store.viewOf(generation, (view) => view.scan(rows, { index: 'all', equals: {} }));
    expect(stored).toEqual(sorted(model.values()));
  };

  it('reads its own writes, whether they have landed or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60, size: 'max' }),
        fc.constantFrom(2, 4, 100),
        fc.boolean(),
        check,
      ),
      {
        numRuns: 500,
        examples: [
          [WRITTEN_AFTER_A_CONDITION, 100, false],
          [MOVED_AFTER_A_CONDITION, 100, false],
        ],
      },
    );
  });
});

/** Takes a session's writes at one moment and lands them at another, as a rebuild does. */
class Commits {
  readonly #store: ReadModelStore;
  readonly #generation: Generation;
  #position = 0;
  #taken: (() => Promise<void>) | null = null;

  constructor(store: ReadModelStore, generation: Generation) {
    this.#store = store;
    this.#generation = generation;
  }

  async take(session: GenerationSession): Promise<void> {
    await this.land();
    const { writes } = session.take();
    const from = this.#position;
    this.#position += 1;
    const batch = { generation: this.#generation, from, to: this.#position, writes };
    this.#taken = async () => {
      expect(await this.#store.commit([batch])).toBe('committed');
      session.markCommitted();
    };
  }

  async land(): Promise<void> {
    await this.#taken?.();
    this.#taken = null;
  }
}
