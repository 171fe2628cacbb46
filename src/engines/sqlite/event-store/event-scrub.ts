/**
 * The scrub of the event file: all events in the order of their positions, which have no gaps. Each event is compared with its
 * checksum and with the chain, and has to be found by each index. So an event that is changed, dropped, replaced or hidden
 * by a damaged index is named.
 */
import type Database from 'better-sqlite3';
import type { Damage, ScrubStep } from '../../../foundation/integrity/damage.js';
import { faultOf, storedEvent } from './event-rows.js';
import { readOrDamage } from './file-damage.js';
import { chainOf } from './group-commit.js';
import { isMetaWhole } from './meta.js';
import { readComparison } from './old-events.js';
import { EVENT_COLUMNS, type EventRow, isIn, prepareUnstamped, type Range } from './statements.js';

/** Events, and names of streams, that a step reads. */
const STEP = 250;

type ScrubRow = readonly [...event: EventRow, chain: number | null, stream: string | null];

interface StreamRow {
  readonly id: number;
  readonly name: string;
  /** The stream that its name leads to. */
  readonly found: number | null;
}

const INDEXES = {
  events_of_stream: 'i.stream = e.stream AND i.revision = e.revision',
  events_by_id: 'i.id = e.id AND i.stream = e.stream',
  events_of_type: 'i.type = e.type',
};

const prepare = (database: Database.Database) => ({
  head: database.prepare<[], number | null>('SELECT max(position) FROM events').pluck(),
  events: database
    .prepare<[Range], ScrubRow>(
      `SELECT ${EVENT_COLUMNS}, chain, (SELECT name FROM streams WHERE id = stream) FROM events
       WHERE position > @above AND position <= @upTo ORDER BY position`,
    )
    .raw(),
  indexed: Object.entries(INDEXES).map(([index, isSame]) => ({
    index,
    count: database
      .prepare<[Range], number>(
        `SELECT count(*) FROM main.events AS e CROSS JOIN main.events AS i INDEXED BY ${index}
         ON ${isSame} AND i.position = e.position WHERE e.position > @above AND e.position <= @upTo`,
      )
      .pluck(),
  })),
  streams: database.prepare<[number], StreamRow>(
    `SELECT id, name, (SELECT id FROM streams AS by_name WHERE by_name.name = streams.name) AS found
     FROM streams WHERE id > ? ORDER BY id LIMIT ${STEP}`,
  ),
});

export class EventScrub {
  readonly #database: Database.Database;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #readUnstamped: () => Range;
  readonly #typeName: (id: number) => string;
  /** Of the event before. Null: not known, so the next event only begins the chain again. */
  #chain: number | null = 0;

  constructor(database: Database.Database, typeName: (id: number) => string) {
    this.#database = database;
    this.#statements = prepare(database);
    this.#readUnstamped = prepareUnstamped(database);
    this.#typeName = typeName;
  }

  async *run(): AsyncGenerator<ScrubStep, void, undefined> {
    yield { checked: 0, unverified: 0, damages: this.#identityDamages() };
    // What is appended from now on is for the next scrub: it would leave a step half done, and this scrub without an end.
    const { value: head, damage } = readOrDamage('the last event', () => this.#statements.head.get() ?? 0);
    if (damage) return yield only(damage);
    for (let above = 0; above < head; above += STEP) {
      const range = { above, upTo: Math.min(above + STEP, head) };
      yield { ...this.#events(range), progress: range.upTo / head };
    }
    yield* this.#streams();
  }

  /** With what the comparison of the events from before checksums has found. */
  #identityDamages(): readonly Damage[] {
    const place = 'the identity of the store';
    const { value: isWhole, damage } = readOrDamage(place, () => isMetaWhole(this.#database));
    if (damage) return [damage];
    const changed: Damage = { store: 'events', place, reason: 'its checksum does not fit its content' };
    return isWhole ? (readComparison(this.#database) ?? []) : [changed];
  }

  #events(range: Range): ScrubStep {
    const { value: compared, damage } = readOrDamage(placeOf(range), () => this.#compare(range));
    if (compared) return compared;
    this.#chain = null;
    return only(damage);
  }

  #compare(range: Range): ScrubStep {
    // Before the events: one that is stamped meanwhile must not count as one that has lost its checksum.
    const unstamped = this.#readUnstamped();
    const rows = this.#statements.events.all(range);
    const damages: Damage[] = [];
    let unverified = 0;
    let next = range.above + 1;
    for (const row of rows) {
      const [position] = row;
      if (position > next) damages.push(this.#missing({ above: next - 1, upTo: position - 1 }));
      next = position + 1;
      if (row[8] === null && isIn(unstamped, position)) {
        unverified += 1;
        this.#chain = null;
      } else damages.push(...this.#damageIn(row, unstamped));
    }
    if (next <= range.upTo) damages.push(this.#missing({ above: next - 1, upTo: range.upTo }));
    damages.push(...this.#indexDamages(range, rows.length));
    const before = unverified > 0 ? { unverifiedBefore: unstamped.upTo + 1 } : {};
    return { checked: rows.length, unverified, ...before, damages };
  }

  #damageIn(row: ScrubRow, unstamped: Range): readonly Damage[] {
    const [position, , revision, , type, , , , checksum, chain, stream] = row;
    // The events from before checksums have a chain of their own.
    if (position === unstamped.upTo + 1) this.#chain = 0;
    const event = storedEvent(row, stream ?? '', this.#typeName(type));
    const fault = faultOf(event, checksum, unstamped) ?? this.#chainFault(checksum ?? 0, chain);
    this.#chain = fault === null ? chain : null;
    if (fault === null) return [];
    const place = `stream ${stream ?? '(its name is missing)'}, revision ${revision}`;
    return [{ store: 'events', place, reason: fault }];
  }

  #chainFault(checksum: number, chain: number | null): string | null {
    const follows = this.#chain === null || chain === chainOf(this.#chain, checksum);
    return follows ? null : 'it does not follow the event that is stored before it';
  }

  #missing(range: Range): Damage {
    this.#chain = null;
    return { store: 'events', place: placeOf(range), reason: 'no event is there' };
  }

  #indexDamages(range: Range, events: number): readonly Damage[] {
    return this.#statements.indexed.flatMap(({ index, count }): readonly Damage[] => {
      const place = `index ${index}, ${placeOf(range)}`;
      const { value: found, damage } = readOrDamage(place, () => count.get(range));
      if (damage) return [damage];
      return found === events
        ? []
        : [{ store: 'events', place, reason: 'it does not lead to each of its events' }];
    });
  }

  async *#streams(): AsyncGenerator<ScrubStep, void, undefined> {
    for (let last: number | undefined = 0; last !== undefined; ) {
      const after: number = last;
      const { value: rows, damage } = readOrDamage('names of streams', () =>
        this.#statements.streams.all(after),
      );
      if (damage) return yield only(damage);
      const damages = rows
        .filter(({ id, found }) => id !== found)
        .map(({ name }): Damage => {
          return { store: 'events', place: `stream ${name}`, reason: 'its name does not lead to it' };
        });
      yield { checked: 0, unverified: 0, damages, progress: 1 };
      last = rows.at(-1)?.id;
    }
  }
}

const only = (damage: Damage): ScrubStep => ({ checked: 0, unverified: 0, damages: [damage] });

const placeOf = ({ above, upTo }: Range): string => `positions ${above + 1} to ${upTo}`;
