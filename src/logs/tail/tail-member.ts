/**
 * One reader of a tail. Entries are encoded once for all readers of a filter. A reader that reads too slowly misses entries, and
 * is told how many when its socket has drained.
 */
import { OWNER_COLUMN, POSITION_COLUMN } from '../../foundation/log-store/query-tree.js';
import type { JsonRecord } from '../../foundation/log-store/sources.js';
import { type EventReader, eventText } from '../../http/message/event-stream.js';
import { redactRows } from '../redaction/redact.js';

/** An entry as the event of a tail. */
export interface TailEvent {
  readonly position: number;
  readonly text: string;
}

export interface TailEntry {
  readonly position: number;
  readonly entry: JsonRecord;
}

/** `rows`: of a TailQuery, in the order of their positions; of one project, or without owners. */
export const tailEntries = (rows: readonly JsonRecord[], redact: boolean): readonly TailEntry[] => {
  const positions = rows.map((row) => Number(row[POSITION_COLUMN]));
  const entries = rows.map(({ [POSITION_COLUMN]: _position, [OWNER_COLUMN]: _owner, ...entry }) => entry);
  const shown = redact ? redactRows(entries) : entries;
  return shown.map((entry, index) => ({ position: positions[index] ?? 0, entry }));
};

export const tailEvents = (rows: readonly JsonRecord[], redact: boolean): readonly TailEvent[] =>
  tailEntries(rows, redact).map(({ position, entry }) => ({
    position,
    text: eventText('entry', position, entry),
  }));

/** Entries since the start of this process. */
export class TailCounts {
  delivered = 0;
  skipped = 0;
}

/** Why a tail ends: the code and the sentence of a problem. */
export interface TailFailure {
  readonly code: string;
  readonly detail: string;
}

export class TailMember {
  /** Whether it has all that the filter's other readers have. */
  hasArrived = false;
  #skipped = 0;
  #waiting: (() => void)[] = [];

  constructor(
    private readonly reader: EventReader,
    private readonly counts: TailCounts,
    /** The position that the reader has reached. */
    public at: number,
  ) {}

  /** What keeps the connection alive: the position, from which the client resumes, unless it has yet to learn what it missed. */
  get ping(): string {
    return this.#skipped > 0 ? ':\n\n' : `id: ${this.at}\n\n`;
  }

  /** Resolves when the reader can take bytes, or has left. */
  canTake(): Promise<void> {
    if (!this.reader.isBehind) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  start(): void {
    this.reader.send(Buffer.from(eventText('started', this.at, { position: this.at })));
  }

  /**
   * Sends the entries between the member's position and `upTo`; a reader that is behind skips them. `bytes`: the same events as
   * one text.
   */
  offer(events: readonly TailEvent[], upTo: number, bytes: Buffer): void {
    if (this.reader.isBehind) this.skip(this.#fresh(events).length, upTo);
    else this.give(events, upTo, bytes);
  }

  /** As `offer`, but a reader that is behind gets them later. */
  give(events: readonly TailEvent[], upTo: number, bytes: Buffer): void {
    const fresh = this.#fresh(events);
    this.at = Math.max(this.at, upTo);
    if (fresh.length === 0) return;
    this.#tellSkipped();
    this.counts.delivered += fresh.length;
    this.reader.send(fresh === events ? bytes : bytesOf(fresh));
  }

  skip(entries: number, upTo: number): void {
    this.at = Math.max(this.at, upTo);
    this.#skipped += entries;
    this.counts.skipped += entries;
    if (!this.reader.isBehind) this.#tellSkipped();
  }

  /** Call it when the reader can take bytes again, and when it has left. */
  caughtUp(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
    this.#tellSkipped();
  }

  /** `failure`: why the tail ends. Null: the client may come back at once. */
  end(failure: TailFailure | null): void {
    if (failure !== null) {
      const { code, detail } = failure;
      this.reader.send(Buffer.from(eventText('ended', this.at, { code, detail })));
    }
    this.reader.end();
  }

  #fresh(events: readonly TailEvent[]): readonly TailEvent[] {
    const [first] = events;
    const isAll = first === undefined || first.position > this.at;
    return isAll ? events : events.filter(({ position }) => position > this.at);
  }

  #tellSkipped(): void {
    if (this.#skipped === 0) return;
    const count = this.#skipped;
    this.#skipped = 0;
    this.reader.send(Buffer.from(eventText('skipped', this.at, { count })));
  }
}

export const bytesOf = (events: readonly TailEvent[]): Buffer =>
  Buffer.from(events.map(({ text }) => text).join(''));
