/**
 * What the two sides of the writer thread say to each other. Everything is flat arrays of strings and numbers, which
 * cross between threads several times faster than objects do; an answer carries no ids, since appends are answered in
 * the order they were sent.
 */
import { AppendSize } from '../../../foundation/event-store/append-size.js';
import type {
  AppendResult,
  ExpectedRevision,
  NewEvent,
} from '../../../foundation/event-store/event-store.js';
import { encodeMetadata } from './codec.js';

/** Appends one after the other: stream, expected revision, number of events, then id, type, data, metadata and recording time (0: now) of each. */
export type AppendsMessage = (string | number)[];

/** Asks the thread to finish what has arrived and to end. */
export const CLOSE = 'close';

export interface AnswersMessage {
  /** Three numbers an append: a status, a revision, a position. */
  readonly answers: readonly number[];
  /** Why every append with the status `FAILED` failed. */
  readonly failure: string | null;
}

export const STATUS = { APPENDED: 0, DUPLICATE: 1, CONFLICT: 2, FAILED: 3 } as const;
export const ANSWER_LENGTH = 3;

/** As a number: a stream that is not there stands before revision 0. */
export const NO_STREAM = -1;
export const STREAM_EXISTS = -2;
export const ANY = -3;

const encodeExpected = (expected: ExpectedRevision): number => {
  switch (expected) {
    case 'no_stream':
      return NO_STREAM;
    case 'stream_exists':
      return STREAM_EXISTS;
    case 'any':
      return ANY;
    default:
      return expected;
  }
};

/** Adds an append to the message; one that has no JSON or is larger than `limit` throws and leaves the message as it was. */
export const encodeAppend = (
  message: AppendsMessage,
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
  limit: number,
): void => {
  const before = message.length;
  const size = new AppendSize(limit);
  try {
    message.push(stream, encodeExpected(expected), events.length);
    for (const event of events) {
      const { id, type, metadata, recordedAt = 0 } = event;
      const data = JSON.stringify(event.data);
      size.add(event, data);
      message.push(id, type, data, encodeMetadata(metadata), recordedAt);
    }
    size.check();
  } catch (error) {
    message.length = before;
    throw error;
  }
};

/** Adds what is written like an append and is none: an append of no events. */
export const encodeTrial = (message: AppendsMessage): void => {
  message.push('', ANY, 0);
};

/** Null: the append failed. */
export const decodeAnswer = (answers: readonly number[], index: number): AppendResult | null => {
  const [status, revision = NO_STREAM, position = 0] = answers.slice(index, index + ANSWER_LENGTH);
  switch (status) {
    case STATUS.APPENDED:
      return { ok: true, revision, position, duplicate: false };
    case STATUS.DUPLICATE:
      return { ok: true, revision, position, duplicate: true };
    case STATUS.CONFLICT:
      return { ok: false, actual: revision === NO_STREAM ? 'no_stream' : revision };
    default:
      return null;
  }
};

/** Name of the BroadcastChannel on which a writer thread tells the other threads of its process that it has committed. */
export const commitChannel = (storeId: string): string => `podium-event-store-${storeId}`;
