/**
 * Reads a long reply by fetch, and makes the request again when the connection is lost, from where the reader was. For programs
 * and pages.
 */
import { messageOf } from './error-message.js';

export interface LongRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called with the reason when the connection is lost, before it is made again; with null when it is there. */
  readonly onConnection: (lost: string | null) => void;
}

/** The same request would be refused again, or no server answers the first one. */
export class RequestRefusedError extends Error {}

/** The connections of one long reply. */
export class Connections {
  /** Since the last progress. */
  #retries = 0;
  #hasBegun = false;
  #isOver = false;

  constructor(private readonly request: LongRequest) {}

  /** The reply has come further than the last one. */
  progressed(): void {
    this.#retries = 0;
  }

  /** The reply is whole, so the request is not made again. */
  end(): void {
    this.#isOver = true;
  }

  /** Ends with `end`, or when the signal aborts. `read` reads one connection. Throws RequestRefusedError. */
  async *all<T>(read: () => AsyncGenerator<T>): AsyncGenerator<T> {
    const { url, signal, onConnection } = this.request;
    while (!this.#isOver && !signal.aborted) {
      let reason = 'the server ended it';
      try {
        yield* read();
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof RequestRefusedError) throw error;
        reason = reasonOf(error);
        if (!this.#hasBegun) throw new RequestRefusedError(`no server answers at ${url.origin}: ${reason}`);
      }
      if (this.#isOver || signal.aborted) return;
      if (this.#retries === 0) onConnection(reason);
      await pause(RETRY_PAUSES_MS[Math.min(this.#retries, RETRY_PAUSES_MS.length - 1)] ?? 0, signal);
      this.#retries += 1;
    }
  }

  /** Returns the parts of a reply's text between separators. What follows the last one is left out. Throws RequestRefusedError. */
  async *parts(separator: string, resume: Partial<LongRequest> = {}): AsyncGenerator<string> {
    const { url, headers, signal, onConnection } = { ...this.request, ...resume };
    const silence = new AbortController();
    const silenceTimer = () =>
      setTimeout(() => silence.abort(new Error('it was silent for too long')), MAX_SILENCE_MS);
    let timer = silenceTimer();
    try {
      const reply = await fetch(url, { headers, signal: AbortSignal.any([signal, silence.signal]) });
      this.#hasBegun = true;
      if (reply.status !== 200 || reply.body === null) throw await refusalOf(reply);
      onConnection(null);
      const pieces = reply.body.getReader();
      const decoder = new TextDecoder();
      let text = '';
      for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
        clearTimeout(timer);
        timer = silenceTimer();
        text += decoder.decode(piece.value, { stream: true });
        const parts = text.split(separator);
        text = parts.pop() ?? '';
        yield* parts;
      }
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Milliseconds before each retry; the last one repeats. */
const RETRY_PAUSES_MS = [250, 1_000, 2_000, 4_000, 8_000, 15_000];
/** A server sends something every 20 s. */
const MAX_SILENCE_MS = 60_000;

const refusalOf = async (reply: Response): Promise<Error> => {
  const problem: unknown = await reply.json().catch(() => null);
  const hasDetail = typeof problem === 'object' && problem !== null && 'detail' in problem;
  const detail = hasDetail ? String(problem.detail) : `the server answers ${reply.status}`;
  return reply.status >= 500 || reply.status === 429 ? new Error(detail) : new RequestRefusedError(detail);
};

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error && error.cause.message !== ''
    ? error.cause.message
    : messageOf(error);

/** Resolves after the time, or when the signal aborts. It leaves no listener behind: there may be many pauses. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
