/**
 * Two processes command the same stream, each deciding on what it keeps in memory, in batches, before or after it has
 * heard of the other: whatever each is told is what one after the other would have been told at some moment of the call.
 */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contestAggregate } from '../../../../src/competition/aggregates/contest/contest.decider.js';
import { personAggregate } from '../../../../src/competition/aggregates/person/person.decider.js';
import { roundAggregate } from '../../../../src/competition/aggregates/round/round.decider.js';
import type { DomainEvent } from '../../../../src/domain/decider.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import {
  type Aggregate,
  CommandContentionError,
  type Outcome,
} from '../../../../src/foundation/aggregates/aggregate.js';
import { Aggregates } from '../../../../src/foundation/aggregates/aggregates.js';
import { contestHistory, personHistory, roundHistory } from '../../../support/commands.js';
import { MemoryEventStore } from '../../../support/memory-event-store.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { turn } from '../../../support/turn.js';

const CONTEXT = { actor: 'test', correlationId: 'writers' };
const ROUND = { spaceId: 's', competitionId: 'C', eventId: 'e', roundNumber: 1 };

/** What comes before a command: turns of the event loop, and whether its process has heard of all that was appended. */
const pauses = fc.infiniteStream(
  fc.record({ writer: fc.nat(1), turns: fc.constantFrom(0, 0, 0, 1, 3), hears: fc.boolean() }),
);

/** A command, its answer, and how many events the stream had when it was given and when it was answered. */
interface Call<S, C, E> {
  readonly command: C;
  readonly outcome: Outcome<S, E>;
  readonly from: number;
  readonly to: number;
}

const serial = <Id, S, C, E extends DomainEvent>(
  aggregate: Aggregate<Id, S, C, E>,
  id: Id,
  history: fc.Arbitrary<readonly C[]>,
): void => {
  const names = new StreamNames();
  const stream = names.of(aggregate.stream, id);
  const { decider } = aggregate;

  const run = async (
    commands: readonly C[],
    drawn: Iterator<{ readonly writer: number; readonly turns: number; readonly hears: boolean }>,
  ) => {
    const store = new MemoryEventStore();
    const connections = [store, store.connect()];
    for (const connection of connections) connection.beforeAppend = turn;
    const writers = connections.map((connection) => new Aggregates({ store: connection, names }));
    for (const writer of writers) writer.startFollowing();
    const calls: Promise<Call<S, C, E> | null>[] = [];
    for (const command of commands) {
      const { writer, turns, hears } = drawn.next().value ?? { writer: 0, turns: 0, hears: false };
      for (let count = 0; count < turns; count += 1) await turn();
      const chosen = writers[writer];
      const newest = store.log.at(-1);
      if (hears && newest) chosen?.observeRevision(newest);
      const from = store.log.length;
      const answered = chosen?.execute(aggregate, id, command, CONTEXT).then(
        (outcome) => ({ command, outcome, from, to: store.log.length }),
        (error: unknown) => {
          if (error instanceof CommandContentionError) return null;
          throw error;
        },
      );
      if (answered) calls.push(answered);
    }
    return { store, calls: (await Promise.all(calls)).flatMap((call) => call ?? []) };
  };

  /** Deciding the command on the first `count` events, as plain data. */
  const decidedOn = (events: readonly E[], count: number, command: C): unknown => {
    const decision = decider.decide(
      command,
      events.slice(0, count).reduce(decider.evolve, decider.initialState),
    );
    return plain(decision);
  };

  it(`told of a ${aggregate.stream.name}`, async () => {
    await fc.assert(
      fc.asyncProperty(history, pauses, async (commands, drawn) => {
        const { store, calls } = await run(commands.filter(canBeStored), drawn);
        // Codec: the log has what the decider has made.
        const events = store.log.map(({ type, data }) => ({ type, data }) as E);
        const written = new Set<number>();
        for (const { command, outcome, from, to } of calls) {
          const answer = plain(outcome.ok ? { ok: true, events: outcome.events } : outcome);
          if (outcome.ok && outcome.events.length > 0) {
            const end = outcome.revision + 1;
            const start = end - outcome.events.length;
            for (let place = start; place < end; place += 1) written.add(place);
            expect(plain(events.slice(start, end))).toEqual(plain(outcome.events));
            expect(decidedOn(events, start, command)).toEqual(answer);
            expect(start).toBeGreaterThanOrEqual(from);
          } else {
            const moments = Array.from({ length: to - from + 1 }, (_, place) => from + place);
            expect(moments.map((count) => decidedOn(events, count, command))).toContainEqual(answer);
          }
        }
        expect([stream, written.size]).toEqual([store.log[0]?.stream ?? stream, events.length]);
      }),
      propertyRuns(100),
    );
  });
};

/** What is no JSON never comes so far: it would come back from the store as something else. */
const canBeStored = (command: unknown): boolean => {
  const numbers: number[] = [];
  JSON.stringify(command, (_, value: unknown) => {
    if (typeof value === 'number') numbers.push(value);
    return value;
  });
  return numbers.every(Number.isFinite);
};

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('two writers', () => {
  serial(roundAggregate, ROUND, roundHistory);
  serial(contestAggregate, ROUND, contestHistory);
  serial(personAggregate, 1, personHistory);
});
