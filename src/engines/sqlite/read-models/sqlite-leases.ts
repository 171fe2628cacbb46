/** Leases as rows. A lease has expired when its time is over or its holder is dead. */
import type Database from 'better-sqlite3';
import { isDeadHolder, isRunning, LAPSED_KEPT_MS } from '../../../foundation/read-models/lease-holder.js';
import type { Lease, LeaseRequest } from '../../../foundation/read-models/read-model-store.js';

export const createLeases = (db: Database.Database): void => {
  db.exec(
    `CREATE TABLE IF NOT EXISTS leases
       (name TEXT PRIMARY KEY, holder TEXT NOT NULL, expires_at INTEGER NOT NULL, detail TEXT)`,
  );
  const columns = db.prepare(`SELECT name FROM pragma_table_info('leases')`).pluck().all();
  if (!columns.includes('detail')) db.exec('ALTER TABLE leases ADD COLUMN detail TEXT');
};

/** The caller runs the transactions. */
export class SqliteLeases {
  readonly #all: Database.Statement<[], Lease>;
  readonly #one: Database.Statement<[string], Lease>;
  readonly #put: Database.Statement<[Lease]>;
  readonly #delete: Database.Statement<[string, string]>;
  readonly #forget: Database.Statement<[number]>;

  constructor(db: Database.Database) {
    const select = 'SELECT name, holder, detail, expires_at AS expiresAt FROM leases';
    this.#all = db.prepare(`${select} ORDER BY name`);
    this.#one = db.prepare(`${select} WHERE name = ?`);
    this.#put = db.prepare(
      'INSERT OR REPLACE INTO leases (name, holder, expires_at, detail) VALUES (@name, @holder, @expiresAt, @detail)',
    );
    this.#delete = db.prepare('DELETE FROM leases WHERE name = ? AND holder = ?');
    this.#forget = db.prepare('DELETE FROM leases WHERE expires_at < ?');
  }

  /** Null when another holder has it. */
  acquire({ name, holder, ttlMs, ...request }: LeaseRequest): Lease | null {
    const now = Date.now();
    const current = this.#one.get(name);
    if (current && current.holder !== holder && binds(current, now)) return null;
    if (!current) this.#forget.run(now - LAPSED_KEPT_MS);
    const lease = { name, holder, detail: request.detail ?? null, expiresAt: now + ttlMs };
    this.#put.run(lease);
    return lease;
  }

  release(name: string, holder: string): void {
    this.#delete.run(name, holder);
  }

  /** The leases that have not expired. */
  current(): Lease[] {
    const now = Date.now();
    return this.#all.all().filter((lease) => binds(lease, now));
  }

  lapsed(): Lease[] {
    const now = Date.now();
    const isRecent = ({ expiresAt }: Lease): boolean => expiresAt > now - LAPSED_KEPT_MS;
    return this.#all.all().filter((lease) => !binds(lease, now) && isRecent(lease));
  }
}

const binds = ({ holder, expiresAt }: Lease, now: number): boolean =>
  isRunning(expiresAt, now) && !isDeadHolder(holder);
