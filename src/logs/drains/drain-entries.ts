/**
 * Reads the entries of a drain by their positions, with the rights of its owner as they are now. Few reads run at a time, because the
 * turns of the log store are for queries.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { LOG_STORE, type LogStore, type TailRange } from '../../foundation/log-store/log-store.js';
import { entryPages, type ReadPage } from '../exports/entry-pages.js';
import { Owners } from '../owners.js';
import { ALL_TIMES } from '../sql/tail.js';
import { tailEntries } from '../tail/tail-member.js';
import { TailReads } from '../tail/tail-reads.js';
import { type EntryRange, TailRights } from '../tail/tail-rights.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import type { Drain, DrainConfig } from './drain.js';

const MAX_READS = 2;

@Injectable()
export class DrainEntries {
  readonly #reads: TailReads;
  readonly #waiting: (() => void)[] = [];
  #reading = 0;

  constructor(
    private readonly owners: Owners,
    private readonly rights: TailRights,
    @Inject(LOG_STORE) private readonly store: LogStore,
    @Inject(CONFIG) config: PodiumConfig,
  ) {
    this.#reads = new TailReads(store, config);
  }

  /** The position of the last acknowledged entry. */
  head(): Promise<number> {
    return this.store.position();
  }

  /** Throws QueryProblem, and RejectedError when its owner may not read them (any more). */
  async rangeOf(drain: Drain): Promise<EntryRange> {
    return this.rangeFor(await this.owners.holder(drain.owner), drain);
  }

  /** Throws QueryProblem, RejectedError `token-scope`, `token-project`, `endpoint-not-found`. */
  rangeFor(
    holder: TokenHolder,
    { source, project, lql, redactPii }: Pick<DrainConfig, 'source' | 'project' | 'lql' | 'redactPii'>,
  ): Promise<EntryRange> {
    return this.rights.rangeFor(holder, { source, project, lql, redact: redactPii }, ALL_TIMES);
  }

  /** In the order of their positions. Throws what LogStore.run throws. */
  pages(
    { query, tenant, redact }: EntryRange,
    range: TailRange,
    signal: AbortSignal,
  ): AsyncIterable<ReadPage> {
    return entryPages(async (positions, maxRows) => {
      const options = { range: positions, tenant, maxRows, signal };
      const read = await this.#inTurn(() => this.#reads.run(query, options));
      return { entries: tailEntries(read.rows, redact), truncated: read.truncated };
    }, range);
  }

  async count({ count, tenant }: EntryRange, range: TailRange, signal: AbortSignal): Promise<number> {
    const options = { range, tenant, maxRows: 1, signal };
    const { rows } = await this.#inTurn(() => this.#reads.run(count, options));
    return Number(rows[0]?.entries ?? 0);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#reading >= MAX_READS) await new Promise<void>((next) => this.#waiting.push(next));
    else this.#reading += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#reading -= 1;
    }
  }
}
