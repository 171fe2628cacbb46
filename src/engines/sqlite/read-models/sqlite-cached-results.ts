/**
 * Cached results in their own SQLite file beside the read models, where no projector and no rebuild holds a lock. A thread
 * has it open (threaded-cached-results.ts), and does not stand still for a lock. Each result has two checksums: one of its body, which only a read
 * of the body compares, and one of all the rest. A result that does not fit is removed, and the next request makes it anew.
 */
import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';
import type { Damage, ScrubStep } from '../../../foundation/integrity/damage.js';
import type {
  CachedResult,
  CachedResults,
  DueResult,
  RenewedResult,
  ResultBounds,
  ResultUse,
} from '../../../foundation/read-models/cached-results.js';
import { ReadModelUnavailableError } from '../../../foundation/read-models/read-model-store.js';
import { beyondShares, type SizedResult } from '../../../foundation/read-models/result-shares.js';
import { pagesInOrder } from '../pages-in-order.js';
import { DisposableFile } from './disposable-file.js';

const SCHEMA = `
  DROP TABLE IF EXISTS cached_results;
  CREATE TABLE IF NOT EXISTS results (
    key TEXT NOT NULL PRIMARY KEY,
    tenant TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    keep_until INTEGER NOT NULL,
    warm_at INTEGER,
    truncated INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    recipe TEXT NOT NULL,
    body TEXT NOT NULL,
    body_sum INTEGER NOT NULL,
    checksum INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS results_due ON results (warm_at) WHERE warm_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS results_recent ON results (used_at, tenant, bytes, key);
`;
const SCRUBBED_AT_ONCE = 20;

/** A result without its body. */
interface Head {
  readonly key: string;
  readonly tenant: string;
  readonly madeAt: number;
  readonly usedAt: number;
  readonly keepUntil: number;
  readonly warmAt: number | null;
  readonly truncated: number;
  readonly bytes: number;
  readonly recipe: string;
  readonly bodySum: number;
}

interface StoredHead extends Head {
  readonly checksum: number;
}

interface StoredRow extends StoredHead {
  readonly body: string;
}

const HEAD = `key, tenant, made_at AS madeAt, used_at AS usedAt, keep_until AS keepUntil, warm_at AS warmAt, truncated, bytes,
  recipe, body_sum AS bodySum, checksum`;

const prepare = (db: Database.Database) => ({
  get: db.prepare<[string], StoredRow>(`SELECT ${HEAD}, body FROM results WHERE key = ?`),
  head: db.prepare<[string], StoredHead>(`SELECT ${HEAD} FROM results WHERE key = ?`),
  put: db.prepare<[StoredRow]>(
    `INSERT OR REPLACE INTO results (key, tenant, made_at, used_at, keep_until, warm_at, truncated, bytes, recipe, body, body_sum, checksum)
     VALUES (@key, @tenant, @madeAt, @usedAt, @keepUntil, @warmAt, @truncated, @bytes, @recipe, @body, @bodySum, @checksum)`,
  ),
  update: db.prepare<[StoredHead]>(
    `UPDATE results SET used_at = @usedAt, keep_until = @keepUntil, warm_at = @warmAt, checksum = @checksum
     WHERE key = @key`,
  ),
  dueTenants: db.prepare<[number, number], { readonly tenant: string }>(
    'SELECT DISTINCT tenant FROM results WHERE warm_at <= ? AND keep_until > ?',
  ),
  due: db.prepare<[string, number, number, number], StoredHead>(
    `SELECT ${HEAD} FROM results WHERE tenant = ? AND warm_at <= ? AND keep_until > ? ORDER BY warm_at LIMIT ?`,
  ),
  remove: db.prepare<[string]>('DELETE FROM results WHERE key = ?'),
  drop: db.prepare<[number]>('DELETE FROM results WHERE rowid = ?'),
  expire: db.prepare<[number]>('DELETE FROM results WHERE keep_until <= ?'),
  sizes: db.prepare<[], SizedResult>('SELECT key, tenant, bytes FROM results ORDER BY used_at DESC'),
});

type Statements = ReturnType<typeof prepare>;

export interface CachedResultsStep extends ScrubStep {
  /** The places of damaged results, for `drop`. Missing: the file as a whole is damaged. */
  readonly damaged?: readonly number[];
}

export class SqliteCachedResults implements CachedResults {
  readonly #file: DisposableFile<Statements>;
  readonly #onDamage: (damage: Damage) => void;
  #closed = false;

  /** Nothing is opened yet. `onDamage`: called with what is damaged, and begun anew. */
  constructor(path: string, onDamage: (damage: Damage) => void = () => undefined) {
    this.#onDamage = onDamage;
    this.#file = new DisposableFile(path, {
      holds: 'cached results',
      schema: SCHEMA,
      tables: ['results'],
      olderTables: ['cached_results'],
      prepare,
      onDamage,
    });
  }

  async get(key: string): Promise<CachedResult | null> {
    return this.#run((statements) => {
      const row = statements.get.get(key);
      const whole = row && this.#whole(statements, row, row.body);
      if (!row || !whole) return null;
      const { tenant, recipe, madeAt, usedAt, keepUntil, warmAt } = whole;
      const truncated = whole.truncated === 1;
      return { key, tenant, recipe, body: row.body, truncated, madeAt, usedAt, keepUntil, warmAt };
    }, null);
  }

  async put(result: CachedResult): Promise<void> {
    this.#change((statements) => {
      const before = this.#head(statements, result.key);
      if (before && before.madeAt > result.madeAt) return;
      const { key, tenant, recipe, madeAt, warmAt } = result;
      const usedAt = Math.max(result.usedAt, before?.usedAt ?? 0);
      const keepUntil = Math.max(result.keepUntil, before?.keepUntil ?? 0);
      write(statements, { key, tenant, recipe, madeAt, usedAt, keepUntil, warmAt }, result);
    }, undefined);
  }

  async renew(result: RenewedResult): Promise<void> {
    this.#change((statements) => {
      const before = this.#head(statements, result.key);
      if (!before || before.madeAt > result.madeAt) return;
      const { key, madeAt, warmAt } = result;
      const { tenant, recipe, usedAt, keepUntil } = before;
      write(statements, { key, tenant, recipe, madeAt, usedAt, keepUntil, warmAt }, result);
    }, undefined);
  }

  async touch(uses: readonly ResultUse[]): Promise<void> {
    if (uses.length === 0) return;
    this.#change((statements) => {
      for (const { key, usedAt, keepUntil } of uses) {
        const before = this.#head(statements, key);
        if (!before) continue;
        const times = {
          usedAt: Math.max(usedAt, before.usedAt),
          keepUntil: Math.max(keepUntil, before.keepUntil),
        };
        statements.update.run(sealed({ ...before, ...times }));
      }
    }, undefined);
  }

  async dueTenants(now: number): Promise<readonly string[]> {
    return this.#run(({ dueTenants }) => dueTenants.all(now, now).map(({ tenant }) => tenant), []);
  }

  async due(tenant: string, now: number, limit: number): Promise<readonly DueResult[]> {
    return this.#run((statements) => {
      const rows = statements.due.all(tenant, now, now, limit);
      return rows.flatMap((row) => {
        const whole = this.#whole(statements, row);
        return whole && whole.warmAt !== null
          ? [{ key: whole.key, recipe: whole.recipe, warmAt: whole.warmAt }]
          : [];
      });
    }, []);
  }

  async claim({ key, warmAt }: Pick<DueResult, 'key' | 'warmAt'>, until: number): Promise<boolean> {
    return this.#change((statements) => {
      const before = this.#head(statements, key);
      if (before?.warmAt !== warmAt) return false;
      return statements.update.run(sealed({ ...before, warmAt: until })).changes === 1;
    }, false);
  }

  async remove(key: string): Promise<void> {
    this.#run(({ remove }) => void remove.run(key), undefined);
  }

  async sweep(now: number, bounds: ResultBounds): Promise<number> {
    return this.#change(({ expire, sizes, remove }) => {
      const expired = expire.run(now).changes;
      const beyond = beyondShares(sizes.all(), bounds);
      for (const key of beyond) remove.run(key);
      return expired + beyond.length;
    }, 0);
  }

  async drop(places: readonly number[]): Promise<void> {
    this.#run(({ drop }) => {
      for (const place of places) drop.run(place);
    }, undefined);
  }

  /** Names the damaged results. */
  scrub(): AsyncGenerator<CachedResultsStep, void, undefined> {
    return this.#file.scrub((db) => this.#scrubRows(db));
  }

  close(): void {
    this.#closed = true;
    this.#file.close();
  }

  *#scrubRows(db: Database.Database): Iterable<CachedResultsStep> {
    const total = db.prepare<[], number>('SELECT count(*) FROM results').pluck().get() ?? 0;
    const next = db.prepare<[number, number], StoredRow & { readonly place: number }>(
      `SELECT rowid AS place, ${HEAD}, body FROM results WHERE rowid > ? ORDER BY rowid LIMIT ?`,
    );
    let checked = 0;
    const pages = pagesInOrder(
      (after: number) => next.all(after, SCRUBBED_AT_ONCE),
      ({ place }) => place,
      0,
    );
    for (const rows of pages) {
      const damaged = rows.filter((row) => !isWhole(row, row.body));
      checked += rows.length;
      const progress = Math.min(1, checked / Math.max(1, total));
      yield {
        checked: rows.length,
        unverified: 0,
        damages: damaged.map(({ key }) => this.#damageOf(key)),
        damaged: damaged.map(({ place }) => place),
        progress,
      };
    }
  }

  #damageOf(key: string): Damage {
    return this.#file.damage(key, 'its checksum does not fit its content');
  }

  #head(statements: Statements, key: string): Head | null {
    const row = statements.head.get(key);
    return row ? this.#whole(statements, row) : null;
  }

  /** Null: it is not what was written, and was removed. */
  #whole(statements: Statements, row: StoredHead, body?: string): Head | null {
    if (isWhole(row, body)) return row;
    statements.remove.run(row.key);
    this.#onDamage(this.#damageOf(row.key));
    return null;
  }

  #change<T>(work: (statements: Statements) => T, anew: T): T {
    return this.#run((statements, db) => db.transaction(() => work(statements)).immediate(), anew);
  }

  #run<T>(work: (statements: Statements, db: Database.Database) => T, anew: T): T {
    if (this.#closed) throw new ReadModelUnavailableError('the cached results were closed');
    return this.#file.run(work, anew);
  }
}

/** `body`: missing when it was not read. A flipped bit can make bytes of it, which come to the same checksum. */
const isWhole = ({ checksum, ...head }: StoredHead, body?: string): boolean =>
  checksumOf(head) === checksum &&
  (body === undefined || (typeof body === 'string' && crc32(body) === head.bodySum));

const checksumOf = (head: Head): number => {
  const { key, tenant, madeAt, usedAt, keepUntil, warmAt, truncated, bytes, recipe, bodySum } = head;
  const times = [madeAt, usedAt, keepUntil, warmAt];
  return crc32(JSON.stringify([key, tenant, ...times, truncated, bytes, recipe, bodySum]));
};

const sealed = (head: Head): StoredHead => ({ ...head, checksum: checksumOf(head) });

const write = (
  { put }: Statements,
  head: Omit<Head, 'truncated' | 'bytes' | 'bodySum'>,
  { body, truncated }: Pick<CachedResult, 'body' | 'truncated'>,
): void => {
  const bytes = Buffer.byteLength(body) + Buffer.byteLength(head.recipe);
  const stored = sealed({ ...head, truncated: truncated ? 1 : 0, bytes, bodySum: crc32(body) });
  put.run({ ...stored, body });
};
