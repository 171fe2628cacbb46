/** The messages between the near side of the writer thread (append-writer.ts) and its far side (group-commit.ts). */

export interface WriterThreadData {
  readonly path: string;
  readonly storeId: string;
}

/**
 * Appends one after the other: stream, expected revision, number of events, then id, type, data, metadata and recording
 * time (0: now) of each. Flat arrays of strings and numbers cross between threads several times faster than objects do.
 */
export type AppendsMessage = (string | number)[];

/** Asks the thread to finish what has arrived and to end. */
export const CLOSE = 'close';

/** No ids: appends are answered in the order in which they were sent. */
export interface AnswersMessage {
  /** Three numbers an append: a status, a revision, a position. */
  readonly answers: readonly number[];
  /** Why every append with the status `FAILED` failed. */
  readonly failure: string | null;
  /** Whether the file is damaged there. */
  readonly isDamaged: boolean;
}

export const STATUS = { APPENDED: 0, DUPLICATE: 1, CONFLICT: 2, FAILED: 3 } as const;
export const ANSWER_LENGTH = 3;

/** Name of the BroadcastChannel on which a writer thread tells the other threads of its process that it has committed. */
export const commitChannel = (storeId: string): string => `podium-event-store-${storeId}`;
