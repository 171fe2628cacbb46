/**
 * A connection to a MongoDB database, or to a server that speaks its protocol: the pool of sockets, the server's
 * capabilities, and the distinction between an outage and a mistake in the code. It connects with the first command,
 * and reconnects after an outage. None of its messages contains the credentials of the URL.
 */
import {
  type ClientSession,
  type Db,
  MongoBulkWriteError,
  type MongoClientOptions,
  MongoDriverError,
  MongoError,
  MongoServerError,
} from 'mongodb';
import { messageOf } from '../../foundation/basics/error-message.js';
import { lazy } from '../../foundation/basics/lazy.js';
import { withoutCredentials } from '../../foundation/basics/without-credentials.js';
import { ConfigError } from '../../foundation/config-error.js';
import { type ShardKeys, shardCollections } from './shard-keys.js';
import { WatchedClient } from './watched-client.js';

export interface MongoCapabilities {
  /** The server's product name. */
  readonly engine: 'MongoDB' | 'FerretDB';
  readonly version: string;
  /** Whether several commands can read one snapshot. If not, readers restore older versions from the journal. */
  readonly snapshotReads: boolean;
  /** Whether read and write concern have an effect. */
  readonly concerns: boolean;
  /** Whether it is a mongos, which passes commands on to shards. */
  readonly isSharded: boolean;
  /** Maximum updates in one command. */
  readonly updatesAtOnce: number;
  /** How many concurrent write commands are useful. */
  readonly commandsAtOnce: number;
}

export interface MongoConnectionOptions {
  /** The database's name when the URL has none. */
  readonly database: string;
  /** Makes the error for a server that cannot be used now. */
  readonly unavailable: (message: string, options: ErrorOptions) => Error;
}

/**
 * An election of a primary takes about 10 s; commands meanwhile fail as unavailable. The heartbeat detects a server that
 * does not answer, and ends its waiting commands. The socket timeout detects a server that answers only the heartbeat.
 */
const DEFAULTS = {
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  heartbeatFrequencyMS: 5_000,
  waitQueueTimeoutMS: 10_000,
  socketTimeoutMS: 30_000,
} as const;

/** How long an idle connection without a socket timeout is kept for reuse. */
const IDLE_TIMEOUT_MS = 10_000;

export class MongoConnection {
  readonly #client: WatchedClient;
  readonly #newClientWithoutTimeout: () => WatchedClient;
  #clientWithoutTimeout: WatchedClient | null = null;
  readonly #database: string;
  readonly #options: MongoConnectionOptions;
  /** The server is asked once, and again after a failure. */
  readonly capabilities = lazy(() => this.guarded(() => detect(this.db)));

  /** Throws ConfigError when the URL is wrong. */
  constructor(url: string, options: MongoConnectionOptions) {
    this.#options = options;
    try {
      const settings: MongoClientOptions = {
        appName: 'podium',
        writeConcern: { w: 'majority', journal: true },
        readConcern: { level: 'majority' },
        ...defaultsFor(url),
      };
      const withoutTimeout = { ...settings, socketTimeoutMS: 0, maxIdleTimeMS: IDLE_TIMEOUT_MS };
      this.#client = new WatchedClient(url, settings);
      this.#newClientWithoutTimeout = () => new WatchedClient(url, withoutTimeout);
    } catch (error) {
      const shown = withoutCredentials(url).replace(/\?.*$/s, '');
      throw new ConfigError(`${shown} cannot be used: ${messageOf(error)}`);
    }
    this.#database = databaseIn(url) ?? options.database;
  }

  get db(): Db {
    return this.#client.client.db(this.#database);
  }

  /** For commands that may take minutes, such as making an index or sharding a collection. The server ends them when the connection closes. */
  get dbWithoutTimeout(): Db {
    this.#clientWithoutTimeout ??= this.#newClientWithoutTimeout();
    return this.#clientWithoutTimeout.client.db(this.#database);
  }

  /** Shards the collections where the server is a mongos. */
  async shard(keys: ShardKeys): Promise<void> {
    const { isSharded } = await this.capabilities();
    if (isSharded) await this.guarded(() => shardCollections(this.dbWithoutTimeout, keys));
  }

  /** Every read in `read` sees the snapshot of the first one. Only where the server has snapshot reads. */
  async withSnapshot<T>(read: (session: ClientSession) => Promise<T>): Promise<T> {
    const session = this.#client.client.startSession({ snapshot: true });
    try {
      return await read(session);
    } finally {
      await session.endSession();
    }
  }

  /** Runs `work`. Throws the owner's error when the server cannot be used now. */
  async guarded<T>(work: () => Promise<T>): Promise<T> {
    this.#client.begun();
    try {
      const result = await work();
      this.#client.succeeded();
      return result;
    } catch (error) {
      if (!isOutage(error)) throw error;
      this.#clientWithoutTimeout?.begun();
      throw this.#options.unavailable(`MongoDB cannot be used: ${messageOf(error)}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#clientWithoutTimeout?.close();
  }
}

const DUPLICATE_KEY = 11_000;

/** Whether a unique index, or the id, refused the write. FerretDB 1 reports a refused update in SQLite's words. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError &&
  (error.code === DUPLICATE_KEY || error.message.includes('UNIQUE constraint failed'));

/** Indexes of the writes in an unordered bulk that unique indexes refused; null when there was any other failure. */
export const duplicateIndexes = (error: unknown): readonly number[] | null => {
  if (!(error instanceof MongoBulkWriteError)) return null;
  const failures = [error.writeErrors].flat();
  const isAll = failures.length > 0 && failures.every(({ code }) => code === DUPLICATE_KEY);
  if (!isAll || error.result.getWriteConcernError()) return null;
  return failures.map(({ index }) => index);
};

const databaseIn = (url: string): string | null => {
  const [, name] = /^[^:]+:\/\/[^/]+\/([^?]+)/.exec(url) ?? [];
  return name === undefined ? null : decodeURIComponent(name);
};

/** The defaults that the URL does not set. */
const defaultsFor = (url: string): Partial<typeof DEFAULTS> => {
  const query = url.slice(url.indexOf('?') + 1);
  const given = new Set([...new URLSearchParams(query).keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(DEFAULTS).filter(([name]) => !given.has(name.toLowerCase())));
};

/** The first version with snapshot reads outside of transactions. */
const WIRE_VERSION_OF_MONGODB_5 = 13;

const detect = async (db: Db): Promise<MongoCapabilities> => {
  const hello = await db.command({ hello: 1 });
  const build = await db.command({ buildInfo: 1 });
  if (build.ferretdbVersion !== undefined || build.ferretdb !== undefined) {
    return {
      engine: 'FerretDB',
      version: ferretVersion(build.ferretdbVersion ?? build.ferretdb?.version),
      snapshotReads: false,
      concerns: false,
      isSharded: false,
      // It holds a connection to its database for each update of a command, and has 100.
      updatesAtOnce: 20,
      // Its concurrent writers sleep while they wait for each other.
      commandsAtOnce: 1,
    };
  }
  const isSharded = hello.msg === 'isdbgrid';
  const isReplicated = typeof hello.setName === 'string' || isSharded;
  return {
    engine: 'MongoDB',
    version: String(build.version),
    snapshotReads: isReplicated && Number(hello.maxWireVersion) >= WIRE_VERSION_OF_MONGODB_5,
    concerns: isReplicated,
    isSharded,
    updatesAtOnce: 1_000,
    commandsAtOnce: 4,
  };
};

/** An embedded FerretDB does not know its own version. */
const ferretVersion = (version: unknown): string =>
  typeof version === 'string' && version !== 'unknown' ? version : '(embedded)';

/**
 * Codes of a server that is not primary now, is stopping, refuses the login, took too long, or no longer has the
 * requested snapshot; of a mongos that finds no primary of a shard, or does not know yet where a chunk has gone.
 */
const OUTAGE_CODES: ReadonlySet<unknown> = new Set([
  6, 7, 13, 18, 50, 63, 64, 70, 89, 91, 133, 134, 189, 237, 239, 246, 249, 250, 262, 9001, 10_107, 11_600,
  11_602, 13_388, 13_435, 13_436,
]);

const isOutage = (error: unknown): boolean => {
  // A bulk reports a network failure as a server error, but without a code.
  if (error instanceof MongoBulkWriteError && error.code === undefined) return true;
  if (error instanceof MongoServerError) {
    return OUTAGE_CODES.has(error.code) || error.hasErrorLabel('RetryableWriteError');
  }
  if (error instanceof MongoDriverError) return !PROGRAMMING.has(error.name);
  return error instanceof MongoError || isNetworkFailure(error);
};

/** Errors of the driver about a wrong call, not about the server. */
const PROGRAMMING: ReadonlySet<string> = new Set([
  'MongoInvalidArgumentError',
  'MongoMissingDependencyError',
  'MongoTransactionError',
]);

/**
 * Node's own errors. The driver passes them on when a host name is not found, or when the server closes the socket while
 * a command is written.
 */
const isNetworkFailure = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(E(?!RR_)|ERR_(STREAM|SOCKET)_)/.test(String(error.code));
