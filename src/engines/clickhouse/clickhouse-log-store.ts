/**
 * The log store on a ClickHouse server. Every node opens it, writes and reads; none owns it. Which node writes at a moment: see
 * write-turns.ts. What nodes keep in memory (sources, fields) they keep for as long as the last link says that it has not changed.
 */
import { randomBytes } from 'node:crypto';
import { SharedBudget } from '../../foundation/basics/shared-budget.js';
import { CatalogueCache } from '../../foundation/log-store/catalogue-cache.js';
import type { CheckedQuery } from '../../foundation/log-store/checked-query.js';
import type { FieldCatalogue } from '../../foundation/log-store/field-catalogue.js';
import {
  type AppendedEntries,
  type FieldPlaces,
  type LogRows,
  type LogStore,
  LogStoreBusyError,
  LogStoreUnavailableError,
  type ProjectChoice,
  type RunOptions,
} from '../../foundation/log-store/log-store.js';
import { type PackedEntries, packEntries } from '../../foundation/log-store/packed-entries.js';
import { QueryQueue } from '../../foundation/log-store/queries/query-queue.js';
import { BUILT_IN_SOURCES, type LogEntry, type LogSource } from '../../foundation/log-store/sources.js';
import { readClickhouseUrl } from './clickhouse-url.js';
import { ClickhouseConnection, ServerRefusal } from './connection.js';
import { EntryWriter } from './entry-writer.js';
import { QueryRunner } from './query-runner.js';
import { allSources, makeTables } from './source-tables.js';
import { identifier } from './sql/clickhouse-sql.js';
import { printQuery } from './sql/print-query.js';
import { fieldsOf, projectWith } from './stored-fields.js';
import { WriteTurns } from './write-turns.js';

export interface ClickhouseLogStoreOptions {
  /** Memory of one query in MB. Default 1,024. */
  readonly memoryMb?: number | undefined;
  /** Queries that this process runs at a time. Default 8. */
  readonly readers?: number | undefined;
  /** Queries that may wait in the queue. Default 1,024. When it is full, the tenant with the most makes room. */
  readonly maxWaiting?: number | undefined;
  /** Bytes of appends that are not on disk yet, which tenants share. Default 128 MB. */
  readonly maxPendingBytes?: number | undefined;
  /** Recent ids in memory, about 20 bytes each. Default 8 million; older ids are looked up in the tables. */
  readonly recentIds?: number | undefined;
  /** Projects whose fields are known by name; those of tied tokens beyond it. Default 20,000. */
  readonly maxProjects?: number | undefined;
  /** How long the node that writes may be silent before another takes its turn. Default 10,000. */
  readonly silenceMs?: number | undefined;
}

const MB = 1024 * 1024;
const MAX_RUNNING = 48;
/** How often it is asked whether other nodes have written, while a listener waits for that. */
const LOOK_EVERY_MS = 250;
const SECRET_BYTES = 32;

export class ClickhouseLogStore implements LogStore {
  readonly #connection: ClickhouseConnection;
  readonly #turns: WriteTurns;
  readonly #writer: EntryWriter;
  readonly #pending: SharedBudget;
  readonly #queue: QueryQueue;
  readonly #catalogues: CatalogueCache;
  readonly #listeners = new Set<() => void>();
  readonly #underWay = new Set<Promise<unknown>>();
  /** What is in memory: the numbers of the links that changed it last. */
  #known = { fields: 0, sources: 0 };
  #sources: readonly LogSource[] = BUILT_IN_SOURCES;
  #announced = 0;
  #looks: NodeJS.Timeout | null = null;
  #isClosed = false;

  private constructor(connection: ClickhouseConnection, secret: Buffer, options: ClickhouseLogStoreOptions) {
    const runner = new QueryRunner(connection, options.memoryMb ?? 1_024);
    this.#connection = connection;
    this.#turns = new WriteTurns(connection, options.silenceMs);
    this.#writer = new EntryWriter(connection, this.#turns, {
      recentIds: options.recentIds ?? 8_000_000,
      maxProjects: options.maxProjects ?? 20_000,
      secret,
    });
    this.#pending = new SharedBudget(options.maxPendingBytes ?? 128 * MB);
    this.#catalogues = new CatalogueCache((project) => fieldsOf(connection, project));
    this.#queue = new QueryQueue({
      engine: async () => runner,
      readers: options.readers ?? 8,
      maxRunning: MAX_RUNNING,
      maxWaiting: options.maxWaiting ?? 1_024,
    });
  }

  /** Makes the database and its tables when they are missing. Throws ConfigError for a wrong URL, else LogStoreUnavailableError, with one line. */
  static async open(url: string, options: ClickhouseLogStoreOptions = {}): Promise<ClickhouseLogStore> {
    return ClickhouseLogStore.on(new ClickhouseConnection(readClickhouseUrl(url)), options);
  }

  /** The same on a connection, which is closed with the store. */
  static async on(
    connection: ClickhouseConnection,
    options: ClickhouseLogStoreOptions = {},
  ): Promise<ClickhouseLogStore> {
    try {
      await makeTables(connection);
      return new ClickhouseLogStore(connection, await secretOf(connection), options);
    } catch (error) {
      await connection.close();
      throw asUnavailable(error);
    }
  }

  append(
    source: LogSource,
    entries: readonly LogEntry[] | PackedEntries,
    tenant = '',
  ): Promise<AppendedEntries> {
    return this.#call(async () => {
      const { bytes } = 'bytes' in entries ? entries : packEntries(source, entries);
      const giveBack = this.#pending.take(tenant, bytes.length);
      if (giveBack === null) throw new LogStoreBusyError();
      try {
        const appended = await this.#writer.append(bytes);
        this.#announced = Math.max(this.#announced, this.#writer.position);
        for (const listener of this.#listeners) listener();
        return appended;
      } finally {
        giveBack();
      }
    });
  }

  run(query: CheckedQuery, options: RunOptions): Promise<LogRows> {
    return this.#call(() => this.#queue.run(printQuery(query), options));
  }

  readAll(timeoutMs: number): Promise<void> {
    return this.#call(async () => {
      for (const source of await this.#currentSources()) {
        const columns = 'id, timestamp, event_message, metadata, project, _owner, _position, _entry_key';
        const read = `SELECT toString(groupBitXor(sipHash64(${columns}))) AS \`string:content\` FROM ${identifier(source)}`;
        await this.#queue.run(read, { parameters: {}, now: 0, maxRows: 1, timeoutMs });
      }
    });
  }

  sources(): Promise<readonly LogSource[]> {
    return this.#call(() => this.#currentSources());
  }

  addSource(source: LogSource): Promise<void> {
    return this.#call(() => this.#writer.addSource(source));
  }

  catalogue(project: string | null): Promise<FieldCatalogue> {
    return this.#call(async () => {
      await this.#refresh();
      return this.#catalogues.get(project);
    });
  }

  projectWith(candidates: readonly FieldPlaces[], atLeast: number): Promise<readonly number[] | null> {
    return this.#call(() => projectWith(this.#connection, candidates, atLeast));
  }

  position(): Promise<number> {
    return this.#call(async () => (await this.#turns.last()).position);
  }

  /** Also after appends of other nodes, within 250 ms. */
  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#lookForOthers();
    return () => this.#listeners.delete(listener);
  }

  removeBefore(source: LogSource, timestamp: number, whose?: ProjectChoice): Promise<number> {
    return this.#call(() => this.#writer.removeBefore(source, timestamp, whose));
  }

  counts(): Promise<Readonly<Record<LogSource, number>>> {
    return this.#call(async () => {
      const counted = (await this.#currentSources()).map(
        (source) => `SELECT '${source}' AS source, count() AS entries FROM ${identifier(source)}`,
      );
      return Object.fromEntries(await this.#connection.rows<[string, number]>(counted.join(' UNION ALL ')));
    });
  }

  backup(): Promise<void> {
    const { database } = this.#connection;
    const instead = `use the server's own: BACKUP DATABASE ${database} TO …`;
    return Promise.reject(new LogStoreUnavailableError(`ClickHouse writes its copies itself; ${instead}`));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#looks) clearTimeout(this.#looks);
    await Promise.allSettled(this.#underWay);
    await this.#queue.idle();
    await this.#writer.close();
    await this.#connection.close();
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new LogStoreUnavailableError('the log store is closed');
    const done = work().catch((error: unknown) => {
      throw asUnavailable(error);
    });
    this.#underWay.add(done);
    try {
      return await done;
    } finally {
      this.#underWay.delete(done);
    }
  }

  async #currentSources(): Promise<readonly LogSource[]> {
    await this.#refresh();
    return this.#sources;
  }

  /** Forgets what another node, or an append, has changed. */
  async #refresh(): Promise<void> {
    const { fields, sources } = await this.#turns.last();
    if (sources > this.#known.sources) {
      const names = await allSources(this.#connection);
      this.#known.sources = Math.max(this.#known.sources, sources);
      this.#sources = names;
      this.#catalogues.setSources(names);
    }
    if (fields <= this.#known.fields) return;
    this.#known.fields = fields;
    this.#catalogues.forgetAll();
  }

  #lookForOthers(): void {
    if (this.#looks !== null || this.#isClosed) return;
    const look = async (): Promise<void> => {
      this.#looks = null;
      if (this.#listeners.size === 0 || this.#isClosed) return;
      const { position } = await this.#turns.last().catch(() => ({ position: this.#announced }));
      if (position > this.#announced && !this.#isClosed) for (const listener of this.#listeners) listener();
      this.#announced = Math.max(this.#announced, position);
      this.#lookForOthers();
    };
    this.#looks = setTimeout(() => void look(), LOOK_EVERY_MS);
    this.#looks.unref();
  }
}

/** Made with the database by the first node, and kept: the key of the ids' hashes. */
const secretOf = async (connection: ClickhouseConnection): Promise<Buffer> => {
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const stored = () => connection.rows<[string]>('SELECT value FROM _secret LIMIT 1');
  if ((await stored()).length === 0)
    await connection.command(
      'INSERT INTO _secret VALUES ({secret:String})',
      { secret },
      {
        insert_deduplicate: 1,
        insert_deduplication_token: 'secret',
      },
    );
  const [[value = ''] = []] = await stored();
  return Buffer.from(value, 'hex');
};

const asUnavailable = (error: unknown): unknown =>
  error instanceof ServerRefusal
    ? new LogStoreUnavailableError(`ClickHouse refuses: ${error.message.split('\n', 1)[0]}`, { cause: error })
    : error;
