/**
 * Whatever fails before or after its effect, an append, a read, a snapshot or a lookup of requests, a device that repeats its request with
 * the same key until it is answered has its entry in the stream once, and each node knows the state that the stream has.
 */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type RoundCommand,
  roundAggregate,
  roundDecider,
} from '../../../../src/competition/aggregates/round/round.decider.js';
import type { RoundEvent } from '../../../../src/competition/aggregates/round/round.js';
import { roundSnapshots } from '../../../../src/competition/aggregates/round/round-snapshots.js';
import { domainEvent } from '../../../../src/domain/decider.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import { Aggregates } from '../../../../src/foundation/aggregates/aggregates.js';
import { StoreUnavailableError } from '../../../../src/foundation/basics/store-unavailable.js';
import { EventStoreUnavailableError } from '../../../../src/foundation/event-store/event-store.js';
import { ReadModelUnavailableError } from '../../../../src/foundation/read-models/read-model-store.js';
import type { StateSnapshots } from '../../../../src/foundation/read-models/state-snapshots.js';
import { roundHistory } from '../../../support/commands.js';
import { MemoryEventStore } from '../../../support/memory-event-store.js';
import { MemorySnapshots } from '../../../support/memory-snapshots.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { turn } from '../../../support/turn.js';

const NAMES = new StreamNames();
const ROUND = { spaceId: 's', competitionId: 'C', eventId: 'e', roundNumber: 1 };
const CONTEXT = { actor: 'device', correlationId: 'c' };

/** What becomes of a call of a store. */
type Fate = 'fine' | 'before' | 'after';

const fates = fc.array(fc.constantFrom<Fate>('fine', 'fine', 'fine', 'fine', 'fine', 'before', 'after'), {
  minLength: 150,
  maxLength: 150,
});

/** For each command: the node that is asked first, and whether the next one waits for its answer. */
const plans = fc.array(fc.record({ node: fc.nat(1), isAwaited: fc.boolean(), restarts: fc.nat(15) }), {
  minLength: 60,
  maxLength: 60,
});

/** Stores in memory whose calls have these fates, in turn, until they are mended. */
class FailingStores {
  readonly events = new MemoryEventStore();
  readonly snapshots: StateSnapshots;
  readonly #fates: readonly Fate[];
  #calls = 0;
  #isMended = false;

  constructor(given: readonly Fate[]) {
    this.#fates = given;
    let fateOfAppend: Fate = 'fine';
    const failIf = (isSo: boolean): void => {
      if (isSo) throw new EventStoreUnavailableError('planted');
    };
    this.events.beforeRead = () => failIf(this.#next() === 'before');
    this.events.beforeAppend = async () => {
      await turn();
      fateOfAppend = this.#next();
      failIf(fateOfAppend === 'before');
    };
    this.events.afterAppend = () => failIf(fateOfAppend === 'after');
    const stored = new MemorySnapshots();
    this.snapshots = {
      load: (...given) => this.#snapshots(() => stored.load(...given)),
      save: (...given) => this.#snapshots(() => stored.save(...given)),
      find: (...given) => this.#snapshots(() => stored.find(...given)),
    };
  }

  mend(): void {
    this.#isMended = true;
  }

  node(): Aggregates {
    const options = { store: this.events, names: NAMES, snapshots: this.snapshots, snapshotEvents: 3 };
    const node = new Aggregates(options);
    node.startFollowing();
    return node;
  }

  #next(): Fate {
    this.#calls += 1;
    return this.#isMended ? 'fine' : (this.#fates[this.#calls % this.#fates.length] ?? 'fine');
  }

  async #snapshots<T>(work: () => Promise<T>): Promise<T> {
    const fate = this.#next();
    if (fate === 'before') throw new ReadModelUnavailableError('planted');
    const done = await work();
    if (fate === 'after') throw new ReadModelUnavailableError('planted');
    return done;
  }
}

const keyed = (command: RoundCommand, key: string): RoundCommand =>
  command.type === 'EnterAttempt' || command.type === 'EnterResults'
    ? { ...command, request: { key, fingerprint: key } }
    : command;

/** Gives the command to one node after the other until it is answered, or for long enough. */
const sent = async (command: RoundCommand, nodes: readonly Aggregates[], first: number) => {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    try {
      return await nodes[(first + attempt) % nodes.length]?.execute(roundAggregate, ROUND, command, CONTEXT);
    } catch (error) {
      expect(error).toBeInstanceOf(StoreUnavailableError);
      await turn();
    }
  }
  return undefined;
};

const keyOf = (command: RoundCommand): string | undefined => roundSnapshots.requestOf(command)?.key;

it('has each entry once, however many answers are lost', async () => {
  await fc.assert(
    fc.asyncProperty(roundHistory, fates, plans, async (history, fatesOfCalls, plan) => {
      const stores = new FailingStores(fatesOfCalls);
      const { log } = stores.events;
      const nodes = [stores.node(), stores.node()];
      const answered: Promise<{ command: RoundCommand; isAccepted: boolean }>[] = [];
      for (const [index, given] of [...history, ...history].entries()) {
        const { node = 0, isAwaited = true, restarts = 1 } = plan[index % plan.length] ?? {};
        if (restarts === 0) nodes[node] = stores.node();
        const command = keyed(given, `k${index}`);
        const answer = sent(command, nodes, node).then((outcome) => ({
          command,
          isAccepted: outcome?.ok === true,
        }));
        answered.push(answer);
        if (isAwaited) await answer;
      }
      const answers = await Promise.all(answered);
      stores.mend();

      const state = log
        .map((event) => domainEvent<RoundEvent>(event))
        .reduce(roundDecider.evolve, roundDecider.initialState);
      for (const node of nodes) {
        for (const event of log) node.observeRevision(event);
        const known = await node.load(roundAggregate, ROUND);
        expect(roundSnapshots.encode(known.state)).toBe(roundSnapshots.encode(state));
      }
      const keys = log.flatMap(({ data }) => ('request' in data ? [Object(data.request).key] : []));
      expect(keys).toEqual([...new Set(keys)]);
      const events = log.length;
      for (const { command, isAccepted } of answers) {
        const key = keyOf(command);
        if (!isAccepted || key === undefined) continue;
        expect(keys).toContain(key);
        for (const node of [...nodes, stores.node()])
          expect(await node.execute(roundAggregate, ROUND, command, CONTEXT)).toMatchObject({
            ok: true,
            events: [],
          });
      }
      expect(log).toHaveLength(events);
    }),
    propertyRuns(30, 60_000),
  );
});
