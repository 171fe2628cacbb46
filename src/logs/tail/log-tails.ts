/**
 * Tails of the logs: after an append, reads the new entries of each watched filter once, and passes them to its readers. Each
 * filter is an ordinary query over a range of positions, so an entry matches here when it matches there. The order is that of
 * acknowledgement, which all readers share.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import type { CheckedQuery } from '../../foundation/log-store/checked-query.js';
import {
  LOG_STORE,
  LogQueryFailedError,
  type LogRows,
  type LogStore,
  type QueryFailure,
  type TailRange,
} from '../../foundation/log-store/log-store.js';
import type { EventReader } from '../../http/message/event-stream.js';
import { FailureError } from '../../http/problems/failure.js';
import { logFailureOf } from '../../http/problems/store-failures.js';
import type { TailQuery } from '../sql/tail.js';
import {
  bytesOf,
  TailCounts,
  type TailEvent,
  type TailFailure,
  TailMember,
  tailEvents,
} from './tail-member.js';

export interface TailFilter {
  /** Filters with the same key have the same entries. */
  readonly key: string;
  /** Compiles with the fields that entries have now. Throws QueryProblem. */
  readonly compile: () => Promise<TailQuery>;
  readonly tenant: string;
  readonly redact: boolean;
}

export interface Tail {
  readonly member: TailMember;
  readonly leave: () => void;
}

interface Watched {
  readonly filter: TailFilter;
  readonly members: Set<TailMember>;
  /** Entries up to this position were sent. */
  at: number;
}

interface TailPage {
  readonly events: readonly TailEvent[];
  /** All entries up to this position are among them. */
  readonly upTo: number;
}

/** Pause between the beginnings of two rounds of reads. */
const ROUND_MS = 200;
/** The delay after a read that failed. */
const RETRY_DELAY_MS = 1_000;
/** Reads of tails that run at a time. The other turns of the log store are for queries. */
const MAX_READS = 2;
const PAGE_ENTRIES = 1_000;
/** Of one filter in one round. What is beyond them is skipped. */
const MAX_PAGES = 5;
/** Each holds a connection. */
const MAX_READERS = 5_000;
const MAX_READERS_OF_TENANT = 100;

@Injectable()
export class LogTails implements BeforeApplicationShutdown {
  readonly counts = new TailCounts();
  readonly #watched = new Map<string, Watched>();
  /** By tenant. */
  readonly #readers = new Map<string, number>();
  #total = 0;
  #nextRound = 0;
  #stopListening: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isReading = false;
  #hasNew = false;
  #isOver = false;

  constructor(
    @Inject(LOG_STORE) private readonly store: Pick<LogStore, 'run' | 'position' | 'onAppend'>,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'logQueryTimeoutMs'>,
  ) {}

  get readers(): number {
    return this.#total;
  }

  /**
   * Adds a reader, which gets what follows `after`: a position, or null for now. Throws QueryProblem, FailureError 429 and 503,
   * LogStoreUnavailableError.
   */
  async watch(filter: TailFilter, reader: EventReader, after: number | null): Promise<Tail> {
    this.#count(filter.tenant);
    try {
      // Before the position is read, so that no append in between is missed.
      this.#stopListening ??= this.store.onAppend(() => this.#schedule());
      await filter.compile();
      const head = await this.store.position();
      const member = new TailMember(reader, this.counts, Math.min(after ?? head, head));
      const watched = this.#watchedFilter(filter, head);
      watched.members.add(member);
      member.start();
      void this.#catchUp(member, watched);
      return { member, leave: () => this.#leave(watched, member) };
    } catch (error) {
      this.#uncount(filter.tenant);
      throw error;
    }
  }

  /** Ends the open replies before the server waits for its connections, because they would stay open. */
  beforeApplicationShutdown(): void {
    this.#isOver = true;
    this.#stopListening?.();
    if (this.#timer) clearTimeout(this.#timer);
    for (const watched of this.#watched.values()) end(watched, null);
  }

  #count(tenant: string): void {
    if (this.readers >= MAX_READERS) throw new FailureError(TOO_MANY);
    const readers = this.#readers.get(tenant) ?? 0;
    if (readers >= MAX_READERS_OF_TENANT) throw new FailureError(TOO_MANY_OF_TENANT);
    this.#readers.set(tenant, readers + 1);
    this.#total += 1;
  }

  #uncount(tenant: string): void {
    this.#total -= 1;
    const left = (this.#readers.get(tenant) ?? 1) - 1;
    if (left === 0) this.#readers.delete(tenant);
    else this.#readers.set(tenant, left);
  }

  #watchedFilter(filter: TailFilter, at: number): Watched {
    const known = this.#watched.get(filter.key);
    if (known) return known;
    const watched = { filter, members: new Set<TailMember>(), at };
    this.#watched.set(filter.key, watched);
    return watched;
  }

  #leave(watched: Watched, member: TailMember): void {
    if (!watched.members.delete(member)) return;
    member.caughtUp();
    this.#uncount(watched.filter.tenant);
    if (watched.members.size === 0) this.#drop(watched);
  }

  /** Ends its readers. Those who come later begin anew. */
  #fail(watched: Watched, failure: TailFailure): void {
    this.#drop(watched);
    end(watched, failure);
  }

  #drop(watched: Watched): void {
    const { key } = watched.filter;
    if (this.#watched.get(key) === watched) this.#watched.delete(key);
  }

  /** Reads what the member has missed, page by page as it takes them, until it is where the others are. */
  async #catchUp(member: TailMember, watched: Watched): Promise<void> {
    while (member.at < watched.at) {
      await member.canTake();
      if (!watched.members.has(member)) return;
      try {
        const { events, upTo } = await this.#page(watched, { after: member.at, upTo: watched.at });
        member.give(events, upTo, bytesOf(events));
      } catch (error) {
        const failure = lastingFailureOf(error);
        if (failure !== null) return member.end(failure);
        await pause(RETRY_DELAY_MS, undefined, { ref: false });
      }
    }
    member.hasArrived = true;
  }

  #schedule(delayMs = Math.max(0, this.#nextRound - performance.now())): void {
    this.#hasNew = true;
    if (this.#timer !== null || this.#isReading || this.#isOver || this.#watched.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#round();
    }, delayMs);
  }

  async #round(): Promise<void> {
    this.#isReading = true;
    this.#hasNew = false;
    this.#nextRound = performance.now() + ROUND_MS;
    let areAllRead = false;
    try {
      areAllRead = await this.#readAll(await this.store.position());
    } catch {
      // The store is away: retried below.
    }
    this.#isReading = false;
    if (!areAllRead) this.#schedule(RETRY_DELAY_MS);
    else if (this.#hasNew) this.#schedule();
  }

  /** Returns whether every filter was read up to the position. */
  async #readAll(head: number): Promise<boolean> {
    const due = [...this.#watched.values()].filter(({ at }) => at < head);
    let failed = 0;
    const work = async (): Promise<void> => {
      for (let watched = due.pop(); watched && !this.#isOver; watched = due.pop()) {
        try {
          await this.#advance(watched, head);
        } catch (error) {
          const failure = lastingFailureOf(error);
          if (failure === null) failed += 1;
          else this.#fail(watched, failure);
        }
      }
    };
    await Promise.all(Array.from({ length: MAX_READS }, work));
    return failed === 0;
  }

  async #advance(watched: Watched, head: number): Promise<void> {
    for (let pages = 0; pages < MAX_PAGES && watched.at < head; pages++) {
      const { events, upTo } = await this.#page(watched, { after: watched.at, upTo: head });
      const bytes = bytesOf(events);
      for (const member of watched.members) if (member.hasArrived) member.offer(events, upTo, bytes);
      watched.at = upTo;
    }
    if (watched.at < head) await this.#skip(watched, head);
  }

  /** More entries match than a reader could read. */
  async #skip(watched: Watched, head: number): Promise<void> {
    const { count } = await watched.filter.compile();
    const { rows } = await this.#run(count, watched, { after: watched.at, upTo: head });
    const entries = Number(rows[0]?.entries ?? 0);
    for (const member of watched.members) if (member.hasArrived) member.skip(entries, head);
    watched.at = head;
  }

  async #page(watched: Watched, range: TailRange): Promise<TailPage> {
    const { rows: query } = await watched.filter.compile();
    const { rows, truncated } = await this.#run(query, watched, range);
    const events = tailEvents(rows, watched.filter.redact);
    return { events, upTo: truncated ? (events.at(-1)?.position ?? range.upTo) : range.upTo };
  }

  #run(query: CheckedQuery, { filter }: Watched, range: TailRange): Promise<LogRows> {
    return this.store.run(query, {
      parameters: {},
      now: 0,
      maxRows: PAGE_ENTRIES,
      timeoutMs: this.config.logQueryTimeoutMs,
      range,
      tenant: filter.tenant,
    });
  }
}

const end = ({ members }: Watched, failure: TailFailure | null): void => {
  for (const member of members) member.end(failure);
};

/** Null: a later read may succeed. */
const lastingFailureOf = (error: unknown): TailFailure | null => {
  if (error instanceof FailureError) return error.failure;
  const isLasting = error instanceof LogQueryFailedError && LASTING.includes(error.failure);
  return isLasting ? logFailureOf(error) : null;
};

const LASTING: readonly QueryFailure[] = ['value', 'time', 'memory'];

const TOO_MANY = {
  code: 'unavailable',
  status: 503,
  detail:
    'This server has as many readers of tails as it can serve. Query the logs instead, or try again later.',
  headers: { 'Retry-After': '10' },
};

const TOO_MANY_OF_TENANT = {
  code: 'too-many-queries',
  status: 429,
  detail: `the access token, or its project, has ${MAX_READERS_OF_TENANT} tails open, which is as many as it may`,
  headers: { 'Retry-After': '10' },
};
