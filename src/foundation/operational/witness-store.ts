/**
 * What the operational store remembers of the event stores: the installation, and for each event store how far it had
 * come. So an event store that was put back, cut or emptied is noticed. Written about once a second, after the events
 * are on disk.
 */
import type { Position } from '../event-store/event-store.js';
import type { Installation } from '../event-store/installation.js';

/** An event that was acknowledged. The same place holds another one after the store was put back and written to. */
export interface WitnessedEvent {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  /** The chain of checksums over all events up to this one. Missing: the event store keeps none, or not for this event yet. */
  readonly chain?: { readonly position: Position; readonly head: number };
}

export interface Witness {
  /** Of the event store, with its restore epoch. */
  readonly storeId: string;
  /** The event store had come at least so far. */
  readonly position: Position;
  /** Null: only the position is known. */
  readonly event: WitnessedEvent | null;
}

/** The last `podium backup` of this installation. */
export interface BackupNote {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Or the file of its manifest. */
  readonly folder: string;
  readonly position: Position;
}

export interface Remembered {
  /** Null: not given yet. */
  readonly installation: Installation | null;
  readonly witnesses: readonly Witness[];
  readonly backup: BackupNote | null;
}

export interface WitnessStore {
  read(): Promise<Remembered>;
  /** Stores the installation unless there is one. Returns the one that is there. */
  claim(installation: Installation): Promise<Installation>;
  /** Raises the position of the witness of this event store; it never goes back. */
  raise(witness: Witness): Promise<void>;
  /** Replaces the installation and all witnesses. */
  begin(installation: Installation, witnesses: readonly Witness[]): Promise<void>;
  noteBackup(note: BackupNote): Promise<void>;
}
