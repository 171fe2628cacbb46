/**
 * The law of the runtime, whatever rivals write and the store fails at: every decision in the log was made on exactly
 * what stands before it, everything answered is there once, and nothing that was refused is there.
 */

import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spaceStream } from '../../../../src/competition/aggregates/space/space.events.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import { CommandContentionError } from '../../../../src/foundation/aggregates/aggregate.js';
import { Aggregates } from '../../../../src/foundation/aggregates/aggregates.js';
import { EventStoreUnavailableError, NO_STREAM } from '../../../../src/foundation/event-store/event-store.js';
import { newEvent } from '../../../support/events.js';
import { MemoryEventStore } from '../../../support/memory-event-store.js';
import { add, addedEvents, isSerial, type SumCommand, sums } from '../../../support/sums.js';
import { turn } from '../../../support/turn.js';

const STREAM = new StreamNames().of(spaceStream, 's');

/** What happens to an append: nothing, a rival's event before it, a failure before or after it was written. */
const fates = fc.constantFrom('fine', 'fine', 'fine', 'rival', 'lost', 'hidden');

const steps = fc.array(
  fc.record({
    commands: fc.array(
      fc.oneof(
        fc
          .array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 })
          .map((amounts) => add(...amounts)),
        fc.integer({ min: 0, max: 60 }).map((sum): SumCommand => ({ type: 'raiseTo', sum })),
        fc.integer({ min: 1, max: 20 }).map((amount): SumCommand => ({ type: 'spend', amount })),
      ),
      { maxLength: 4 },
    ),
    asked: fc.boolean(),
    /** Turns of the event loop before the next step. */
    turns: fc.nat({ max: 3 }),
    rival: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

const sumOf = (store: MemoryEventStore): number =>
  store.log.reduce((sum, { data }) => sum + ('amount' in data ? Number(data.amount) : 0), 0);

const rivalAdds = (store: MemoryEventStore): void => {
  for (const { type, data } of addedEvents([1000], sumOf(store))) store.write(STREAM, [newEvent(type, data)]);
};

const faulty = (fateOfAppends: readonly string[]): MemoryEventStore => {
  const store = new MemoryEventStore();
  const fate = (): string | undefined => fateOfAppends[store.appends - 1];
  store.beforeAppend = async () => {
    await turn();
    if (fate() === 'rival') rivalAdds(store);
    if (fate() === 'lost') throw new EventStoreUnavailableError('lost');
  };
  store.afterAppend = () => {
    if (fate() === 'hidden') throw new EventStoreUnavailableError('hidden');
  };
  return store;
};

it('every decision is made on exactly what stands before it', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.array(fates, { maxLength: 40 }), async (script, fateOfAppends) => {
      const store = faulty(fateOfAppends);
      const aggregates = new Aggregates({ store, names: new StreamNames() });
      const context = { actor: 'test', correlationId: 'c' };
      const answers = [];
      for (const { commands, asked, turns, rival } of script) {
        for (const command of commands) {
          const given = asked ? () => turn().then(() => command) : command;
          answers.push(aggregates.execute(sums, 's', given, context));
        }
        for (let count = 0; count < turns; count += 1) await turn();
        if (rival) rivalAdds(store);
      }
      const settled = await Promise.allSettled(answers);

      expect(isSerial(store.log)).toBe(true);
      for (const answer of settled) {
        if (answer.status === 'rejected') {
          expect([EventStoreUnavailableError, CommandContentionError]).toContain(answer.reason.constructor);
        } else if (answer.value.ok) {
          const { events, revision, state, position } = answer.value;
          const last = revision === NO_STREAM ? -1 : revision;
          const written = store.log.slice(last + 1 - events.length, last + 1);
          expect(written.map(({ data }) => data)).toEqual(events.map(({ data }) => data));
          expect(state.count).toBe(last + 1);
          expect(position).toBeGreaterThanOrEqual(written.at(-1)?.position ?? 0);
        }
      }
      expect((await aggregates.load(sums, 's')).state.sum).toBe(sumOf(store));
    }),
    { numRuns: 300 },
  );
});
