/**
 * Tails of the logs: after an append, reads the new entries of each watched filter once, and passes them to its readers. Each
 * filter is an ordinary query over a range of positions, so an entry matches here when it matches there. The order is that of
 * acknowledgement, which all readers share.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { groupedBy } from '../../domain/grouped-by.js';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import {
  LOG_STORE,
  LogQueryFailedError,
  type LogStore,
  type QueryFailure,
} from '../../foundation/log-store/log-store.js';
import type { EventReader } from '../../http/message/event-stream.js';
import { FailureError } from '../../http/problems/failure.js';
import { logFailureOf } from '../../http/problems/store-failures.js';
import type { TailQuery } from '../sql/tail.js';
import { ReaderLimits } from './reader-limits.js';
import {
  bytesOf,
  TailCounts,
  type TailEvent,
  type TailFailure,
  TailMember,
  tailEvents,
} from './tail-member.js';
import { type TailFilter, TailReads } from './tail-reads.js';

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

interface Due {
  readonly watched: Watched;
  readonly tail: TailQuery;
}

/** Pause between the beginnings of two rounds of reads. */
const ROUND_MS = 200;
/** The delay after a read that failed. */
const RETRY_DELAY_MS = 1_000;
/** Reads of tails that run at a time. The other turns of the log store are for queries. */
const MAX_READS = 2;
/** Filters that one query reads. */
const MAX_TOGETHER = 200;
/** Of one filter in one round. What is beyond them is skipped. */
const MAX_PAGES = 5;

@Injectable()
export class LogTails implements BeforeApplicationShutdown {
  readonly counts = new TailCounts();
  readonly #reads: TailReads;
  readonly #watched = new Map<string, Watched>();
  readonly #limits = new ReaderLimits();
  #nextRound = 0;
  #stopListening: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isReading = false;
  #hasNew = false;
  #isOver = false;

  constructor(
    @Inject(LOG_STORE) private readonly store: Pick<LogStore, 'run' | 'position' | 'onAppend'>,
    @Inject(CONFIG) config: Pick<PodiumConfig, 'logQueryTimeoutMs'>,
  ) {
    this.#reads = new TailReads(store, config);
  }

  get readers(): number {
    return this.#limits.total;
  }

  /**
   * Adds a reader, which gets what follows `after`: a position, or null for now. Throws QueryProblem, FailureError 429 and 503,
   * LogStoreUnavailableError.
   */
  async watch(filter: TailFilter, reader: EventReader, after: number | null): Promise<Tail> {
    this.#limits.enter(filter.tenant);
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
      // An append may have come while no filter was watched.
      if (this.#hasNew) this.#schedule();
      return { member, leave: () => this.#leave(watched, member) };
    } catch (error) {
      this.#limits.leave(filter.tenant);
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
    this.#limits.leave(watched.filter.tenant);
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
        const { events, upTo } = await this.#reads.page(watched.filter, {
          after: member.at,
          upTo: watched.at,
        });
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
    const groups = await this.#groupsBefore(head);
    let failed = 0;
    const work = async (): Promise<void> => {
      for (let group = groups.pop(); group && !this.#isOver; group = groups.pop()) {
        const areRead = await this.#readTogether(group, head);
        failed += areRead === null ? group.length : 0;
        if (areRead !== false) continue;
        for (const { watched } of group) if (!(await this.#read(watched, head))) failed += 1;
      }
    };
    await Promise.all(Array.from({ length: MAX_READS }, work));
    return failed === 0;
  }

  /** Filters of one group differ in their project alone, and have come equally far. */
  async #groupsBefore(head: number): Promise<(readonly Due[])[]> {
    const due = [...this.#watched.values()].filter(({ at }) => at < head);
    const compiled = await Promise.all(due.map((watched) => this.#compiled(watched)));
    const groups = groupedBy(compiled.flat(), ({ watched: { at, filter }, tail }) =>
      tail.project === null ? filter.key : `${at} ${tail.shape}`,
    );
    return [...groups.values()].flatMap((group) => chunksOf(group, MAX_TOGETHER));
  }

  /** Empty when the filter cannot be compiled any more, as when a field has become ambiguous. */
  async #compiled(watched: Watched): Promise<readonly Due[]> {
    try {
      return [{ watched, tail: await watched.filter.compile() }];
    } catch (error) {
      const failure = lastingFailureOf(error);
      if (failure === null) throw error;
      this.#fail(watched, failure);
      return [];
    }
  }

  /**
   * False: they have to be read one by one, since a filter that fails must not end the tails of another project. Null: the store
   * did not answer.
   */
  async #readTogether(group: readonly Due[], head: number): Promise<boolean | null> {
    const [first, second] = group;
    if (!first || !second) return false;
    const projects = new Set(group.flatMap(({ tail: { project } }) => project ?? []));
    try {
      const range = { after: first.watched.at, upTo: head };
      const rows = await this.#reads.rowsOf(first.tail, [...projects], range);
      if (rows === null) return false;
      for (const { watched, tail } of group)
        publish(watched, tailEvents(rows.get(tail.project ?? '') ?? [], watched.filter.redact), head);
      return true;
    } catch (error) {
      return lastingFailureOf(error) === null ? null : false;
    }
  }

  /** Returns whether the filter was read up to the position, or has ended. */
  async #read(watched: Watched, head: number): Promise<boolean> {
    try {
      for (let pages = 0; pages < MAX_PAGES && watched.at < head; pages++) {
        const range = { after: watched.at, upTo: head };
        const { events, upTo } = await this.#reads.page(watched.filter, range);
        publish(watched, events, upTo);
      }
      if (watched.at < head) await this.#skip(watched, head);
      return true;
    } catch (error) {
      const failure = lastingFailureOf(error);
      if (failure !== null) this.#fail(watched, failure);
      return failure !== null;
    }
  }

  /** More entries match than a reader could read. */
  async #skip(watched: Watched, head: number): Promise<void> {
    const entries = await this.#reads.count(watched.filter, { after: watched.at, upTo: head });
    for (const member of watched.members) if (member.hasArrived) member.skip(entries, head);
    watched.at = head;
  }
}

const publish = (watched: Watched, events: readonly TailEvent[], upTo: number): void => {
  const bytes = bytesOf(events);
  for (const member of watched.members) if (member.hasArrived) member.offer(events, upTo, bytes);
  watched.at = upTo;
};

const chunksOf = <T>(items: readonly T[], size: number): (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

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
