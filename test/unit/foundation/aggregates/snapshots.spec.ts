/** Long streams: what is read of them, and what becomes of their snapshots. The property that they change no decision is round-snapshots.spec.ts. */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { roundAggregate } from '../../../../src/competition/aggregates/round/round.decider.js';
import type { RoundEvent } from '../../../../src/competition/aggregates/round/round.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import { Aggregates } from '../../../../src/foundation/aggregates/aggregates.js';
import { ReadModelUnavailableError } from '../../../../src/foundation/read-models/read-model-store.js';
import { newEvent } from '../../../support/events.js';
import { MemoryEventStore } from '../../../support/memory-event-store.js';
import { MemorySnapshots } from '../../../support/memory-snapshots.js';
import { until } from '../../../support/until.js';

const NAMES = new StreamNames();
const ROUND = { spaceId: 's', competitionId: 'C', eventId: 'e', roundNumber: 1 };
const STREAM = NAMES.of(roundAggregate.stream, ROUND);
const CONTEXT = { actor: 'device', correlationId: 'c' };
const RULES = { format: '1', date: null, timeLimit: null, cutoff: null, advancement: null } as const;

const opened: RoundEvent = {
  type: 'RoundOpened',
  data: { rules: RULES, valueFormat: 'number', participants: 1 },
};

const entered = (value: number): RoundEvent => ({
  type: 'ResultReplaced',
  data: { resultId: 'r', personIds: [1], attempts: [value], request: { key: `k${value}`, fingerprint: 'f' } },
});

/** A round with one result that was entered so often. */
const write = (store: MemoryEventStore, values: number, first = 1): void => {
  const events = [opened, ...Array.from({ length: values }, (_, at) => entered(first + at))];
  store.write(
    STREAM,
    events.map(({ type, data }) => newEvent(type, data)),
  );
};

let store: MemoryEventStore;
let snapshots: MemorySnapshots;
beforeEach(() => {
  store = new MemoryEventStore();
  snapshots = new MemorySnapshots();
});

const node = (): Aggregates => new Aggregates({ store, names: NAMES, snapshots });

const enter = (aggregates: Aggregates, value: number, key?: string) =>
  aggregates.execute(
    roundAggregate,
    ROUND,
    {
      type: 'EnterAttempt',
      eventId: '333',
      competitor: { named: [1], personIds: [1], resultId: 'r', field: 'personId', elsewhere: 0 },
      attemptNumber: 1,
      value,
      ...(key && { request: { key, fingerprint: 'f' } }),
    },
    CONTEXT,
  );

const stored = () =>
  until(
    async () => [...snapshots.stored.values()],
    ({ length }) => length > 0,
  );

describe('a long stream', () => {
  it('leaves a snapshot as it is read, and the next node reads what is behind it only', async () => {
    write(store, 3_500);
    const { state, revision } = await node().load(roundAggregate, ROUND);
    expect(revision).toBe(3_500);
    expect(state.results.get('1')).toMatchObject({ attempts: [3_500], changes: 3_500 });
    const [snapshot] = await stored();
    const reads = jest.spyOn(store, 'readStream');
    const next = await node().load(roundAggregate, ROUND);
    expect(next.state.results.get('1')).toMatchObject({ attempts: [3_500], changes: 3_500 });
    const froms = reads.mock.calls.map(([, options]) => options?.from ?? 0);
    expect(Math.min(...froms)).toBe(snapshot?.revision);
    expect(snapshot?.revision).toBeGreaterThan(2_000);
  });

  it('knows the requests of its whole history', async () => {
    write(store, 3_500);
    const first = node();
    for (const aggregates of [first, first, node()]) {
      expect(await enter(aggregates, 9, 'k7')).toMatchObject({ ok: true, events: [] });
      expect(await enter(aggregates, 9, 'k3499')).toMatchObject({ ok: true, events: [] });
    }
    const { state } = await node().load(roundAggregate, ROUND);
    expect(state.requests.size).toBeLessThan(1_600);
  });

  it('jumps to the snapshot of another node instead of reading all that the other has written', async () => {
    const [here, there] = [node(), node()];
    write(store, 10);
    await here.load(roundAggregate, ROUND);
    write(store, 5_000);
    await there.load(roundAggregate, ROUND);
    const reads = jest.spyOn(store, 'readStream');
    expect(await enter(here, 9, 'k3000')).toMatchObject({ ok: true, events: [] });
    expect(reads.mock.calls.length).toBeLessThan(8);
  });

  it('begins at the snapshot of another node once the feed has told of what the other has written', async () => {
    const [here, there] = [node(), node()];
    here.startFollowing();
    write(store, 10);
    await here.load(roundAggregate, ROUND);
    write(store, 5_000);
    await there.load(roundAggregate, ROUND);
    const [snapshot] = await stored();
    for (const event of store.log) here.observeRevision(event);
    const reads = jest.spyOn(store, 'readStream');
    expect(await enter(here, 9, 'k3000')).toMatchObject({ ok: true, events: [] });
    const froms = reads.mock.calls.map(([, options]) => options?.from ?? 0);
    expect(Math.min(...froms)).toBe(snapshot?.revision);
  });

  it('ignores a snapshot of a history that was lost', async () => {
    write(store, 2_500);
    await node().load(roundAggregate, ROUND);
    await stored();
    store = new MemoryEventStore();
    write(store, 4_000, 100_000);
    const aggregates = node();
    const { state } = await aggregates.load(roundAggregate, ROUND);
    expect(state.results.get('1')).toMatchObject({ attempts: [103_999], changes: 4_000 });
    expect(await enter(aggregates, 9, 'k7')).toMatchObject({
      ok: true,
      events: [{ type: 'AttemptCorrected' }],
    });
  });

  it('keeps its requests itself where a damaged store finds nothing of what it has stored', async () => {
    write(store, 3_500);
    jest.spyOn(snapshots, 'load').mockResolvedValue(null);
    jest.spyOn(snapshots, 'find').mockResolvedValue(null);
    const aggregates = node();
    expect(await enter(aggregates, 9, 'k7')).toMatchObject({ ok: true, events: [] });
    expect(await enter(aggregates, 9, 'new')).toMatchObject({ ok: true, revision: 3_501 });
    const { state } = await aggregates.load(roundAggregate, ROUND);
    expect(state.requests.size).toBe(3_501);
  });

  it('takes attempts without a key while the snapshots are away, and refuses those that it cannot look up', async () => {
    write(store, 2_500);
    const aggregates = node();
    await aggregates.load(roundAggregate, ROUND);
    await stored();
    snapshots.isAway = true;
    await expect(enter(aggregates, 9, 'k7')).rejects.toThrow(ReadModelUnavailableError);
    expect(await enter(aggregates, 9)).toMatchObject({ ok: true });
    snapshots.isAway = false;
    expect(await enter(aggregates, 8, 'k7')).toMatchObject({ ok: true, events: [] });
  });
});

it('keeps a state for its size, not for its history, and one that is larger than all the room alone', async () => {
  write(store, 3_500);
  const aggregates = new Aggregates({ store, names: NAMES, keptBytes: 100 });
  aggregates.startFollowing();
  await aggregates.load(roundAggregate, ROUND);
  const reads = jest.spyOn(store, 'readStream');
  await aggregates.load(roundAggregate, ROUND);
  await enter(aggregates, 9);
  expect(reads).not.toHaveBeenCalled();
});

it('the text of a round in a snapshot is that of its version', () => {
  const events: readonly RoundEvent[] = [
    opened,
    { type: 'RosterSet', data: { competitors: [[1], [2]] } },
    { type: 'RosterMarked', data: { competitors: [[2]], mark: 'no-show' } },
    { type: 'RosterExtended', data: { competitors: [[4]] } },
    entered(5),
    { type: 'ResultChecked', data: { resultId: 'r', personIds: [1] } },
    { type: 'AttemptEntered', data: { resultId: 'q', personIds: [2], attemptNumber: 1, value: 7 } },
    { type: 'ResultRemoved', data: { resultId: 'q', personIds: [2] } },
    { type: 'CompetitorMerged', data: { from: 1, into: 3 } },
    { type: 'RoundClosed', data: {} },
    { type: 'AdvancementDecided', data: { competitors: [[3]] } },
  ];
  const { decider, snapshots: codec } = roundAggregate;
  // When this differs, raise the version: snapshots of the older one hold another text.
  expect(codec?.version).toBe(4);
  expect(codec?.encode(events.reduce(decider.evolve, decider.initialState))).toBe(
    '{"phase":"closed","setup":{"rules":{"format":"1","date":null,"timeLimit":null,"cutoff":null,"advancement":null},"valueFormat":"number","participants":1},"roster":[{"personIds":[3],"mark":"expected"},{"personIds":[2],"mark":"no-show"},{"personIds":[4],"mark":"expected","isAdded":true}],"advanced":[[3]],"results":[["r",[3],[5],1,1]],"removed":[["q",2]],"aliases":[[1,3]]}',
  );
});
