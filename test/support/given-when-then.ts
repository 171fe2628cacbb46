/** Tests of a decider as sentences: given these events, when this command comes, then these events follow, or this refusal. */
import { expect } from '@jest/globals';
import type { Decider, DomainEvent } from '../../src/domain/decider.js';
import type { RejectionCode } from '../../src/domain/rejections.js';

export interface Then<E> {
  /** Exactly these events. */
  then(events: readonly E[]): void;
  /** Accepted, and there is nothing to do. */
  thenNothing(): void;
  /** Refused with this code; `fields` are those named as wrong, in order. */
  thenRefused(code: RejectionCode, ...fields: readonly string[]): void;
}

export interface When<C, E> {
  when(command: C): Then<E>;
}

/** `given` of one decider: folds the events and decides on the state they lead to. */
export const givenOf =
  <S, C, E extends DomainEvent>({ initialState, evolve, decide }: Decider<S, C, E>) =>
  (events: readonly E[]): When<C, E> => ({
    when: (command) => {
      const decision = decide(command, events.reduce(evolve, initialState));
      return {
        // biome-ignore lint/suspicious/noThenProperty: the word that such tests are read by; no code awaits it.
        then: (expected) => expect(decision).toEqual({ ok: true, events: expected }),
        thenNothing: () => expect(decision).toEqual({ ok: true, events: [] }),
        thenRefused: (code, ...fields) => {
          expect(decision).toMatchObject({ ok: false, rejection: { code } });
          if (!decision.ok && fields.length > 0)
            expect(decision.rejection.errors?.map(({ field }) => field)).toEqual(fields);
        },
      };
    },
  });
