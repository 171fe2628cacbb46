/**
 * Answers every request within ANSWER_WITHIN_MS: one that still waits then gets a 503 that says for which store, if that is
 * known. One timer looks at all requests under way, because a timer for each would cost the quick replies too much. What the
 * request has begun goes on; a command that was answered so may still succeed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ANSWER_SWEEP_MS, ANSWER_WITHIN_MS } from './message/limits.js';
import { routedPathOf } from './message/paths.js';
import type { Failure } from './problems/failure.js';

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The number of the sweep before its last byte. */
  since: number;
}

export interface AnswerDeadlineOptions {
  /** Names the stores that do not answer, as in `the event store`. Null: none is known. */
  readonly waitedFor: () => Promise<string | null>;
  readonly refuse: (failure: Failure, request: IncomingMessage, response: ServerResponse) => void;
}

/** Log queries have a limit of their own. Imports and live rounds take as long as they take. */
const UNLIMITED = /^\/api\/(?:endpoints\/query\/|logs\/export$)|\/imports(?:\/preview)?$|\/live$/;

const MAX_SWEEPS = ANSWER_WITHIN_MS / ANSWER_SWEEP_MS;

/** Requests under way that are not worth a look before the next sweep. */
const MIN_PRUNED = 128;

export class AnswerDeadline {
  readonly #options: AnswerDeadlineOptions;
  #waiting: Waiting[] = [];
  /** At this length the answered ones are let go before the next sweep: to hold them longer costs garbage collection. */
  #pruneAt = MIN_PRUNED;
  #sweeps = 0;
  #refusing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: AnswerDeadlineOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => void this.sweep(), ANSWER_SWEEP_MS).unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Call it when the request was handed on: one that is answered by then costs nothing. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    if (!isUnanswered(response)) return;
    this.#waiting.push({ request, response, since: this.#sweeps });
    if (this.#waiting.length >= this.#pruneAt) this.#prune();
  }

  /** Resolves when the requests that have waited too long are answered. */
  async sweep(): Promise<void> {
    this.#sweeps += 1;
    this.#prune();
    for (const waiting of this.#waiting) if (isUploading(waiting.request)) waiting.since = this.#sweeps;
    if (this.#overdue().length === 0) return;
    this.#refusing ??= this.#refuse().finally(() => {
      this.#refusing = null;
    });
    await this.#refusing;
  }

  #overdue(): readonly Waiting[] {
    return this.#waiting.filter(
      ({ request, response, since }) =>
        this.#sweeps - since >= MAX_SWEEPS && isLimited(request) && isUnanswered(response),
    );
  }

  #prune(): void {
    this.#waiting = this.#waiting.filter(({ response }) => isUnanswered(response));
    this.#pruneAt = Math.max(MIN_PRUNED, this.#waiting.length * 2);
  }

  /** Also those whose time comes while the stores are asked. */
  async #refuse(): Promise<void> {
    const store = await this.#options.waitedFor();
    for (const { request, response } of this.#overdue())
      this.#options.refuse(failureOf(request, store), request, response);
  }
}

const isUnanswered = ({ headersSent, destroyed }: ServerResponse): boolean => !headersSent && !destroyed;

/** Whether the server waits for the client. Bytes that the server has not taken yet are its own fault. */
const isUploading = ({ complete, readableLength }: IncomingMessage): boolean =>
  !complete && readableLength === 0;

const isLimited = ({ url = '' }: IncomingMessage): boolean => !UNLIMITED.test(routedPathOf(url));

const READS: readonly (string | undefined)[] = ['GET', 'HEAD', 'OPTIONS'];

const failureOf = ({ method }: IncomingMessage, store: string | null): Failure => {
  const reason = `The server did not finish in time${store === null ? '' : `: it waited for ${store}`}.`;
  const detail = READS.includes(method)
    ? `${reason} Send the same request again later.`
    : `${reason} It may still be done. Send the same request again later.`;
  return { code: 'unavailable', status: 503, detail, headers: { 'Retry-After': '1' } };
};
