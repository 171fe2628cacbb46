/** The requests and answers of a log store's process. Packed entries are sent as bytes, not as messages. */

import type {
  AppendedEntries,
  FieldPlaces,
  ProjectChoice,
  QueryFailure,
  RunOptions,
} from '../../foundation/log-store/log-store.js';
import type { LogSource } from '../../foundation/log-store/sources.js';

export interface RunMessage extends Omit<RunOptions, 'signal'> {
  readonly kind: 'run';
  readonly sql: string;
}

export interface RemoveMessage {
  readonly kind: 'remove-before';
  readonly source: LogSource;
  readonly timestamp: number;
  readonly whose?: ProjectChoice | undefined;
}

export type LogStoreMessage =
  | RunMessage
  /** Cancels the run of another call; has no answer of its own. */
  | { readonly kind: 'cancel'; readonly call: number }
  | RemoveMessage
  | { readonly kind: 'counts' }
  | { readonly kind: 'sources' }
  | { readonly kind: 'add-source'; readonly source: LogSource }
  | { readonly kind: 'position' }
  /** To the engine's process: StoredFields. To a server: a catalogue. */
  | { readonly kind: 'fields'; readonly project: string | null }
  | { readonly kind: 'project-with'; readonly candidates: readonly FieldPlaces[]; readonly atLeast: number }
  /** To the engine's process: a file in its backup folder. To a server: any path. */
  | { readonly kind: 'backup'; readonly to: string }
  | { readonly kind: 'close' };

/** `learned`: the projects whose fields the append changed; null: those of all projects. */
export interface AppendAnswer extends AppendedEntries {
  readonly learned: readonly (string | null)[];
}

/** A failure. `trouble` says which error of LogStore it is. */
export type FailureAnswer = {
  readonly trouble: QueryFailure | 'unavailable' | 'damaged' | 'busy';
  readonly message: string;
  /** The engine's own error message, if there is one. */
  readonly engineWords?: string;
};

/** Every answer is one of these two, as JSON. */
export type Answer = { readonly failed: FailureAnswer } | { readonly done: unknown };

/** Call number of the first message of a process: null, or why it could not open its store. */
export const READY_CALL = 0;

export interface EngineOptions {
  readonly path: string;
  /** Memory of the engine in MB. Beyond it the engine uses the disk, or the query fails. */
  readonly memoryMb: number;
  readonly threads: number;
  /** Queries that run at a time. */
  readonly readers: number;
  /** The same, with queries that do not stop when they should. */
  readonly maxRunning: number;
  /** Recent ids in memory; older ones are looked up in the tables. */
  readonly recentIds: number;
  /** Projects whose fields are kept, of those that come through tokens that are not tied. */
  readonly maxProjects: number;
}
