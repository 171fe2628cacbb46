/**
 * A toy aggregate for tests of the runtime. Every event carries the sum that its decision saw, so that a log tells by
 * itself whether each decision was made on exactly what stands before it.
 */

import { spaceStream } from '../../src/competition/aggregates/space/space.events.js';
import { accept, reject } from '../../src/domain/decider.js';
import type { Aggregate } from '../../src/foundation/aggregates/aggregate.js';
import type { RecordedEvent } from '../../src/foundation/event-store/event-store.js';

export interface Sum {
  readonly sum: number;
  readonly count: number;
}

export interface Added {
  readonly type: 'Added';
  readonly data: { readonly amount: number; readonly seen: number };
}

/** `raiseTo` adds what is missing, nothing when it is there; `spend` is refused when there is not enough. */
export type SumCommand =
  | { readonly type: 'add'; readonly amounts: readonly number[] }
  | { readonly type: 'raiseTo'; readonly sum: number }
  | { readonly type: 'spend'; readonly amount: number }
  | { readonly type: 'crash' };

export const add = (...amounts: readonly number[]): SumCommand => ({ type: 'add', amounts });

export const addedEvents = (amounts: readonly number[], seen: number): Added[] => {
  let sum = seen;
  return amounts.map((amount) => {
    const event: Added = { type: 'Added', data: { amount, seen: sum } };
    sum += amount;
    return event;
  });
};

export const sums: Aggregate<string, Sum, SumCommand, Added> = {
  stream: spaceStream,
  schema: 1,
  sizeOf: () => 0,
  decider: {
    initialState: { sum: 0, count: 0 },
    evolve: ({ sum, count }, { data }) => ({ sum: sum + data.amount, count: count + 1 }),
    decide: (command, { sum }) => {
      switch (command.type) {
        case 'add':
          return accept(...addedEvents(command.amounts, sum));
        case 'raiseTo':
          return accept(...addedEvents(sum < command.sum ? [command.sum - sum] : [], sum));
        case 'spend':
          return command.amount > sum
            ? reject({ code: 'round-state', detail: 'there is not enough' })
            : accept(...addedEvents([-command.amount], sum));
        case 'crash':
          throw new Error('the decider crashed');
        default:
          return command satisfies never;
      }
    },
  },
};

/** Whether every decision of the log was made on what stands before it. */
export const isSerial = (events: readonly RecordedEvent[]): boolean => {
  let sum = 0;
  return events.every(({ data }) => {
    if (!('seen' in data) || !('amount' in data)) return false;
    const right = data.seen === sum;
    sum += Number(data.amount);
    return right;
  });
};
