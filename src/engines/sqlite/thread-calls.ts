/**
 * Calls methods of an object that lives in a thread. A write waits for the disk, and perhaps for the lock of another
 * process; so that thread waits, and the one that serves does not.
 */
import type { Worker } from 'node:worker_threads';
import { messageOf } from '../../foundation/basics/error-message.js';
import { RequestThread } from '../../foundation/basics/request-thread.js';
import { type AnsweredValue, answerRequests } from '../../foundation/basics/request-thread.messages.js';
import { isOutage } from '../../foundation/basics/store-unavailable.js';
import type { Damage } from '../../foundation/integrity/damage.js';
import type { DamageListener } from '../../foundation/integrity/damage-log.js';
import { whenUnlocked } from './locks.js';

interface Call {
  readonly part: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** An error of the thread as it crosses, which loses the class. */
export interface ThreadFailure {
  readonly name: string;
  readonly message: string;
  readonly isOutage: boolean;
  /** What the error has besides, such as the id that is taken. */
  readonly fields: Readonly<Record<string, unknown>>;
}

type Outcome = { readonly value: unknown } | { readonly failure: ThreadFailure };

interface Answer {
  readonly outcome: Outcome;
  /** Found since the last answer. */
  readonly damages: readonly Damage[];
}

export interface ThreadCallsOptions {
  readonly start: () => Worker;
  /** Starts the thread now. Default: with the first call. */
  readonly startsNow: boolean;
  /** The error to throw for one of the thread. */
  readonly errorOf: (failure: ThreadFailure) => Error;
  /** Called with the damage that the thread has found, and that no error has told. */
  readonly onDamage?: DamageListener;
}

export interface AnswerCallsOptions {
  /** While another process holds the lock a call is tried again for so many milliseconds. */
  readonly patienceMs: number;
  /** Where the parts put the damage that they find. It is emptied with each answer. */
  readonly damages?: Damage[];
}

/** `Parts`: the objects in the thread, by the names that `answerCalls` gives them. */
export class ThreadCalls<Parts extends object> {
  readonly #thread: RequestThread<Call, Answer>;
  readonly #errorOf: ThreadCallsOptions['errorOf'];
  readonly #onDamage: DamageListener;

  constructor({ start, startsNow, errorOf, onDamage = () => undefined }: ThreadCallsOptions) {
    this.#thread = new RequestThread(start);
    this.#errorOf = errorOf;
    this.#onDamage = onDamage;
    if (startsNow) void this.#thread.start();
  }

  /** Functions that call these methods. Codec: the thread has methods of the same names. */
  methods<Part extends keyof Parts & string, Name extends keyof Parts[Part] & string>(
    part: Part,
    names: readonly Name[],
  ): Pick<Parts[Part], Name> {
    const functions: readonly unknown[][] = names.map((method) => [
      method,
      (...args: readonly unknown[]) => this.#call({ part, method, args }),
    ]);
    return Object.fromEntries(functions);
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #call(call: Call): Promise<unknown> {
    const { outcome, damages } = await this.#thread.request(call).catch(
      // The thread has ended: it is not known what became of the call.
      (error: unknown): Answer => ({
        outcome: { failure: { ...failureOf(error), isOutage: true } },
        damages: [],
      }),
    );
    for (const damage of damages) this.#onDamage(damage);
    if ('failure' in outcome) throw this.#errorOf(outcome.failure);
    return outcome.value;
  }
}

/** For the thread: does the calls. */
export const answerCalls = (
  parts: Readonly<Record<string, object>>,
  { patienceMs, damages = [] }: AnswerCallsOptions,
): void =>
  answerRequests({
    inTurn: false,
    answer: async ({ part, method, args }: Call): Promise<AnsweredValue<Answer>> => {
      const target = Object(parts[part]);
      const work = () => Reflect.apply(target[method], target, args);
      const outcome = await outcomeOf(whenUnlocked(work, patienceMs));
      return { value: { outcome, damages: damages.splice(0) } };
    },
  });

const outcomeOf = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ failure: failureOf(error) }),
  );

const failureOf = (error: unknown): ThreadFailure => ({
  name: error instanceof Error ? error.name : '',
  message: messageOf(error),
  isOutage: isOutage(error),
  fields: { ...Object(error) },
});
