/** The messages between a request thread and its owner, and the thread's side of the exchange. */
import { parentPort, type Transferable } from 'node:worker_threads';
import { RejectedError, type Rejection } from '../../domain/rejections.js';
import { messageOf } from './error-message.js';
import { isOutage } from './store-unavailable.js';

export interface ThreadRequest<Request> {
  /** Null: no answer is expected. */
  readonly id: number | null;
  readonly request: Request;
}

export type ThreadAnswer<Value> =
  /** The thread has loaded its code: the first message of each. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'value'; readonly id: number; readonly value: Value }
  | { readonly kind: 'rejected'; readonly id: number; readonly rejection: Rejection }
  | { readonly kind: 'unavailable' | 'failed'; readonly id: number; readonly message: string };

export interface AnsweredValue<Value> {
  readonly value: Value;
  /** Buffers of the value that are moved, not copied. */
  readonly transfer?: readonly Transferable[];
}

/**
 * For the thread: answers requests one after the other, or with `inTurn: false` begins each at once. `observe` gets those
 * without an answer at once.
 */
export const answerRequests = <Request, Value>({
  answer,
  observe = () => undefined,
  inTurn = true,
}: {
  readonly answer: (request: Request) => Promise<AnsweredValue<Value>>;
  readonly observe?: (request: Request) => void;
  readonly inTurn?: boolean;
}): void => {
  let turn = Promise.resolve();
  parentPort?.on('message', ({ id, request }: ThreadRequest<Request>) => {
    if (id === null) {
      observe(request);
      return;
    }
    const reply = async (): Promise<void> => {
      const [message, transfer] = await answer(request).then(
        ({ value, transfer = [] }): [ThreadAnswer<Value>, readonly Transferable[]] => [
          { kind: 'value', id, value },
          transfer,
        ],
        (error): [ThreadAnswer<Value>, readonly Transferable[]] => [failure(id, error), []],
      );
      parentPort?.postMessage(message, [...transfer]);
    };
    if (inTurn) turn = turn.then(reply);
    else void reply();
  });
  const ready: ThreadAnswer<Value> = { kind: 'ready' };
  parentPort?.postMessage(ready);
};

const failure = <Value>(id: number, error: unknown): ThreadAnswer<Value> =>
  error instanceof RejectedError
    ? { kind: 'rejected', id, rejection: error.rejection }
    : { kind: isOutage(error) ? 'unavailable' : 'failed', id, message: messageOf(error) };
