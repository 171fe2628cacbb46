/**
 * Cached results in their own SQLite file beside the read models. The thread that answers requests writes them, and it
 * must never wait for the lock of a projector or a rebuild. The file is made with the first use.
 */
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { makeFolder } from '../../../foundation/basics/folders.js';
import type {
  CachedResult,
  CachedResults,
  DueResult,
  RenewedResult,
  ResultBounds,
  ResultUse,
} from '../../../foundation/read-models/cached-results.js';
import { beyondShares, type SizedResult } from '../../../foundation/read-models/result-shares.js';
import { SqliteDatabase } from '../sqlite.js';
import { guarded } from './sqlite-errors.js';

const CREATE = `
  CREATE TABLE IF NOT EXISTS cached_results (
    key TEXT NOT NULL PRIMARY KEY,
    made_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    keep_until INTEGER NOT NULL,
    warm_at INTEGER,
    truncated INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    recipe TEXT NOT NULL,
    body TEXT NOT NULL,
    tenant TEXT NOT NULL DEFAULT ''
  );
`;
const CREATE_INDEXES = `
  CREATE INDEX IF NOT EXISTS cached_results_due ON cached_results (warm_at) WHERE warm_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS cached_results_recent ON cached_results (used_at, tenant, bytes, key);
`;

type Row = Omit<CachedResult, 'truncated'> & { readonly truncated: number };
type RenewedRow = Omit<RenewedResult, 'truncated'> & { readonly truncated: number; readonly bytes: number };

const prepared = (db: Database.Database) => ({
  get: db.prepare<[string], Row>(
    `SELECT key, tenant, recipe, body, truncated, made_at AS madeAt, used_at AS usedAt, keep_until AS keepUntil,
       warm_at AS warmAt FROM cached_results WHERE key = ?`,
  ),
  put: db.prepare<[Row & { readonly bytes: number }]>(
    `INSERT INTO cached_results (key, tenant, made_at, used_at, keep_until, warm_at, truncated, bytes, recipe, body)
     VALUES (@key, @tenant, @madeAt, @usedAt, @keepUntil, @warmAt, @truncated, @bytes, @recipe, @body)
     ON CONFLICT (key) DO UPDATE SET made_at = excluded.made_at, used_at = max(used_at, excluded.used_at),
       keep_until = max(keep_until, excluded.keep_until), warm_at = excluded.warm_at,
       truncated = excluded.truncated, bytes = excluded.bytes, recipe = excluded.recipe, body = excluded.body
     WHERE excluded.made_at >= made_at`,
  ),
  renew: db.prepare<[RenewedRow]>(
    `UPDATE cached_results SET made_at = @madeAt, warm_at = @warmAt, truncated = @truncated,
       bytes = @bytes + octet_length(recipe), body = @body WHERE key = @key AND made_at <= @madeAt`,
  ),
  touch: db.prepare<[ResultUse]>(
    `UPDATE cached_results SET used_at = max(used_at, @usedAt), keep_until = max(keep_until, @keepUntil)
     WHERE key = @key`,
  ),
  dueTenants: db.prepare<[number, number], { readonly tenant: string }>(
    'SELECT DISTINCT tenant FROM cached_results WHERE warm_at <= ? AND keep_until > ?',
  ),
  due: db.prepare<[string, number, number, number], DueResult>(
    `SELECT key, recipe, warm_at AS warmAt FROM cached_results
     WHERE tenant = ? AND warm_at <= ? AND keep_until > ? ORDER BY warm_at LIMIT ?`,
  ),
  claim: db.prepare<[number, string, number]>(
    'UPDATE cached_results SET warm_at = ? WHERE key = ? AND warm_at = ?',
  ),
  remove: db.prepare<[string]>('DELETE FROM cached_results WHERE key = ?'),
  expire: db.prepare<[number]>('DELETE FROM cached_results WHERE keep_until <= ?'),
  sizes: db.prepare<[], SizedResult>('SELECT key, tenant, bytes FROM cached_results ORDER BY used_at DESC'),
});

interface Open {
  readonly db: Database.Database;
  readonly statements: ReturnType<typeof prepared>;
}

export class SqliteCachedResults implements CachedResults {
  readonly #path: string;
  #open: Open | null = null;
  #closed = false;

  /** Nothing is opened yet. */
  constructor(path: string) {
    this.#path = path;
  }

  async get(key: string): Promise<CachedResult | null> {
    const row = this.#run(({ get }) => get.get(key));
    return row ? { ...row, truncated: row.truncated === 1 } : null;
  }

  async put(result: CachedResult): Promise<void> {
    const bytes = Buffer.byteLength(result.body) + Buffer.byteLength(result.recipe);
    this.#run(({ put }) => put.run({ ...result, truncated: result.truncated ? 1 : 0, bytes }));
  }

  async renew(result: RenewedResult): Promise<void> {
    const bytes = Buffer.byteLength(result.body);
    this.#run(({ renew }) => renew.run({ ...result, truncated: result.truncated ? 1 : 0, bytes }));
  }

  async touch(uses: readonly ResultUse[]): Promise<void> {
    if (uses.length === 0) return;
    this.#run(({ touch }, db) => {
      db.transaction(() => {
        for (const use of uses) touch.run(use);
      }).immediate();
    });
  }

  async dueTenants(now: number): Promise<readonly string[]> {
    return this.#run(({ dueTenants }) => dueTenants.all(now, now)).map(({ tenant }) => tenant);
  }

  async due(tenant: string, now: number, limit: number): Promise<readonly DueResult[]> {
    return this.#run(({ due }) => due.all(tenant, now, now, limit));
  }

  async claim({ key, warmAt }: Pick<DueResult, 'key' | 'warmAt'>, until: number): Promise<boolean> {
    return this.#run(({ claim }) => claim.run(until, key, warmAt)).changes === 1;
  }

  async remove(key: string): Promise<void> {
    this.#run(({ remove }) => remove.run(key));
  }

  async sweep(now: number, bounds: ResultBounds): Promise<number> {
    return this.#run(({ expire, sizes, remove }, db) =>
      db
        .transaction(() => {
          const expired = expire.run(now).changes;
          const beyond = beyondShares(sizes.all(), bounds);
          for (const key of beyond) remove.run(key);
          return expired + beyond.length;
        })
        .immediate(),
    );
  }

  close(): void {
    this.#closed = true;
    this.#open?.db.close();
    this.#open = null;
  }

  #run<T>(work: (statements: Open['statements'], db: Database.Database) => T): T {
    return guarded(() => {
      if (this.#closed) throw new Error('the cached results were closed');
      this.#open ??= open(this.#path);
      return work(this.#open.statements, this.#open.db);
    });
  }
}

const open = (path: string): Open => {
  makeFolder(dirname(path));
  const db = new SqliteDatabase(path, { timeout: 5_000 });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.transaction(() => {
    db.exec(CREATE);
    addTenants(db);
    db.exec(CREATE_INDEXES);
  }).immediate();
  return { db, statements: prepared(db) };
};

/** A file of before has results without a tenant, which no call asks for any more. */
const addTenants = (db: Database.Database): void => {
  const columns = db.pragma('table_info(cached_results)') as readonly { readonly name: string }[];
  if (columns.some(({ name }) => name === 'tenant')) return;
  db.exec(`ALTER TABLE cached_results ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
    DROP INDEX IF EXISTS cached_results_used`);
};
