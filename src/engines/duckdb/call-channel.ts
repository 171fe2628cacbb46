/** Calls to another process over a byte stream. Calls are numbered; each gets one answer, in any order. */
import type { Duplex } from 'node:stream';
import { type Frame, type FrameKind, FrameReader, writeFrame } from './frames.js';
import { type Answer, type FailureAnswer, type LogStoreMessage, READY_CALL } from './messages.js';

/** The other process answered with a failure. */
export class CallFailedError extends Error {
  constructor(readonly failure: FailureAnswer) {
    super(failure.message);
    this.name = 'CallFailedError';
  }
}

/** The other process ended before it answered: the call may have been carried out or not. */
export class ChannelClosedError extends Error {
  constructor() {
    super('the process of the log store has ended');
    this.name = 'ChannelClosedError';
  }
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export class CallChannel {
  /** The message that the other process sends when it is ready. */
  readonly ready: Promise<unknown>;
  readonly #stream: Duplex;
  readonly #pending = new Map<number, Pending>();
  readonly #frames = new FrameReader();
  #last = READY_CALL;
  #closed = false;

  constructor(stream: Duplex) {
    this.#stream = stream;
    this.ready = this.#expect(READY_CALL);
    stream.on('data', (piece: Buffer) => this.#take(piece));
    stream.on('error', () => this.#close());
    stream.on('close', () => this.#close());
    stream.on('end', () => this.#close());
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Rejects with CallFailedError or ChannelClosedError. `onSent` gets the call's number, for `cancel`. */
  call(message: LogStoreMessage, onSent?: (call: number) => void): Promise<unknown> {
    return this.#send('text', Buffer.from(JSON.stringify(message)), onSent);
  }

  append(packed: Uint8Array): Promise<unknown> {
    return this.#send('entries', Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength));
  }

  /** Cancels a call; has no answer of its own. */
  cancel(call: number): void {
    const message: LogStoreMessage = { kind: 'cancel', call };
    this.#write({ call: 0, kind: 'text', payload: Buffer.from(JSON.stringify(message)) });
  }

  #send(kind: FrameKind, payload: Buffer, onSent?: (call: number) => void): Promise<unknown> {
    this.#last = (this.#last % 0xffff_ffff) + 1;
    const call = this.#last;
    const answer = this.#expect(call);
    this.#write({ call, kind, payload });
    onSent?.(call);
    return answer;
  }

  #write(frame: Frame): void {
    if (!this.#closed) writeFrame(this.#stream, frame);
  }

  #expect(call: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) reject(new ChannelClosedError());
      else this.#pending.set(call, { resolve, reject });
    });
  }

  #take(piece: Buffer): void {
    for (const { call, payload } of this.#frames.read(piece)) {
      const pending = this.#pending.get(call);
      this.#pending.delete(call);
      const answer = answerIn(payload);
      if ('failed' in answer) pending?.reject(new CallFailedError(answer.failed));
      else pending?.resolve(answer.done);
    }
  }

  #close(): void {
    this.#closed = true;
    for (const { reject } of this.#pending.values()) reject(new ChannelClosedError());
    this.#pending.clear();
  }
}

/** Rows are JSON text of the engine. Text that cannot be parsed fails only its own call. */
const answerIn = (payload: Buffer): Answer => {
  try {
    return JSON.parse(payload.toString());
  } catch {
    return { failed: { trouble: 'value', message: 'the result holds a value that JSON has no text for' } };
  }
};
