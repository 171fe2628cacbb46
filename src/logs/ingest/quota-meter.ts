/**
 * Holds each project to its daily quota in a source. Counts what was written since 00:00 UTC. The counts are in the operational
 * store, so a restart keeps them; they are written within a second, so no sender waits for them. Where several nodes write, each
 * knows of the others' entries within three seconds.
 */
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { WriteBehind } from '../../foundation/basics/write-behind.js';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { isSharedLogStore } from '../../foundation/log-store/log-owner.js';
import { allValues, settingOf } from '../../foundation/log-store/per-source.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import { type LogCount, logCountKeys } from '../../foundation/operational/log-count-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { type FailureError, tooMany } from '../../http/problems/failure.js';

/** How many entries of a body belong to a project; null: they name none. */
export type OwnedEntries = readonly (readonly [project: string | null, entries: number])[];

/** Room in the quotas of a body's projects. */
export interface TakenQuota {
  /** Gives so many back, because they were there already. A body of several projects gives nothing back. */
  keep(accepted: number): void;
  /** Gives all of it back, because the body was not written. */
  release(): void;
}

const DAY_MS = 86_400_000;
const FLUSH_AFTER_MS = 1_000;
const READ_AGAIN_MS = 2_000;

@Injectable()
export class QuotaMeter implements OnApplicationShutdown {
  readonly #isUsed: boolean;
  /** Whether other nodes write, too. */
  readonly #isShared: boolean;
  /** By the clock of `performance.now()`. */
  #readAt = 0;
  #day = '';
  /** Of the day, by `logCountKeys`. */
  #counts = new Map<string, number>();
  /** What the store does not have yet, by `logCountKeys`. */
  #waiting = new Map<string, LogCount>();
  #loading: Promise<void> | null = null;
  readonly #behind = new WriteBehind(() => this.#write(), FLUSH_AFTER_MS);

  constructor(
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'logQuotas' | 'logStoreUrl'>,
    @Inject(OPERATIONAL_STORE) private readonly store: Pick<OperationalStore, 'logCounts'>,
  ) {
    this.#isUsed = allValues(config.logQuotas).some((quota) => quota !== null);
    this.#isShared = isSharedLogStore(config.logStoreUrl);
  }

  /**
   * Takes room for a body. Throws FailureError `log-quota` (429) when a project would exceed its quota; then it takes none. `now`:
   * milliseconds since 1970. Throws what OperationalStore throws when the counts of the day cannot be read.
   */
  async take(source: LogSource, owned: OwnedEntries, now: number): Promise<TakenQuota> {
    if (!this.#isUsed) return NOTHING_TAKEN;
    const day = await this.#begun(dayOf(now));
    for (const [project, entries] of owned) {
      const quota = settingOf(this.config.logQuotas, source, project);
      const before = this.#counts.get(logCountKeys.of({ day, project, source })) ?? 0;
      if (quota !== null && before + entries > quota) throw exceeded({ project, source, quota, before, now });
    }
    const add = (sign: 1 | -1): void => {
      for (const [project, entries] of owned) this.#add({ day, project, source, entries: sign * entries });
    };
    add(1);
    return {
      keep: (accepted) => {
        const [only, ...others] = owned;
        if (only === undefined || others.length > 0) return;
        const [project, entries] = only;
        if (accepted < entries) this.#add({ day, project, source, entries: accepted - entries });
      },
      release: () => add(-1),
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#behind.close().catch(() => undefined);
  }

  /**
   * Reads the counts of a day at its first body, and where other nodes write every two seconds. Returns the day that counts: a later one
   * when that has begun.
   */
  async #begun(day: string): Promise<string> {
    const isOld = this.#isShared && performance.now() - this.#readAt > READ_AGAIN_MS;
    if (day > this.#day || (isOld && day === this.#day)) {
      this.#loading ??= this.#behind
        .inTurn(() => this.#load(day))
        .finally(() => {
          this.#loading = null;
        });
      await this.#loading;
    }
    return this.#day;
  }

  /** In turn with the writes, so what is read of the store has all that was written. */
  async #load(day: string): Promise<void> {
    await this.#write();
    const { logCounts } = this.store;
    const stored = await logCounts.ofDay(day);
    if (day > this.#day) await logCounts.removeBefore(day);
    const counts = new Map(stored.map((count) => [logCountKeys.of(count), count.entries]));
    // What came while the store was read.
    for (const [key, { day: of, entries }] of this.#waiting)
      if (of === day) counts.set(key, (counts.get(key) ?? 0) + entries);
    this.#counts = counts;
    this.#day = day;
    this.#readAt = performance.now();
  }

  #add(count: LogCount): void {
    const key = logCountKeys.of(count);
    if (count.day === this.#day) this.#counts.set(key, (this.#counts.get(key) ?? 0) + count.entries);
    this.#wait(count);
    this.#behind.later();
  }

  #wait(count: LogCount): void {
    const key = logCountKeys.of(count);
    const waiting = this.#waiting.get(key)?.entries ?? 0;
    this.#waiting.set(key, { ...count, entries: waiting + count.entries });
  }

  async #write(): Promise<void> {
    const counts = [...this.#waiting.values()].filter(({ entries }) => entries !== 0);
    this.#waiting = new Map();
    if (counts.length === 0) return;
    try {
      const added = await this.store.logCounts.add(counts);
      for (const count of counts.slice(added)) this.#wait(count);
      if (added < counts.length) this.#behind.later();
    } catch (error) {
      for (const count of counts) this.#wait(count);
      throw error;
    }
  }
}

const NOTHING_TAKEN: TakenQuota = { keep: () => undefined, release: () => undefined };

const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

interface Exceeded {
  readonly project: string | null;
  readonly source: LogSource;
  readonly quota: number;
  readonly before: number;
  readonly now: number;
}

const exceeded = ({ project, source, quota, before, now }: Exceeded): FailureError => {
  const whose = project === null ? 'Entries without a project' : `Project ${project}`;
  const left = quota - before;
  const seconds = Math.ceil((DAY_MS - (now % DAY_MS)) / 1_000);
  const detail = `${whose} may write ${quota} entries a day into ${source}, and ${left} are left until 00:00 UTC. Nothing of this body was written.`;
  return tooMany('log-quota', seconds, detail);
};
