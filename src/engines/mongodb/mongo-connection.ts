/**
 * A connection to a MongoDB database, or to a server that speaks its protocol: one pool of sockets, what the server can
 * do, and one place that tells a server that cannot be used now from a mistake in the code. It connects with the first
 * question and again by itself after an outage. No message of it carries the credentials of the URL.
 */
import {
  type ClientSession,
  type Db,
  MongoBulkWriteError,
  MongoClient,
  type MongoClientOptions,
  MongoDriverError,
  MongoError,
  MongoServerError,
} from 'mongodb';
import { messageOf } from '../../foundation/basics/error-message.js';
import { lazy } from '../../foundation/basics/lazy.js';
import { withoutCredentials } from './mongo-url.js';

export interface MongoCapabilities {
  /** What it calls itself. */
  readonly engine: 'MongoDB' | 'FerretDB';
  readonly version: string;
  /** Reads of several commands as of one moment. Where there are none, readers put older versions in place of newer. */
  readonly snapshotReads: boolean;
  /** Whether read and write concern have an effect. */
  readonly concerns: boolean;
  /** How many updates one command may carry. */
  readonly updatesAtOnce: number;
  /** How many writing commands at the same time make it faster. */
  readonly commandsAtOnce: number;
}

export interface MongoConnectionOptions {
  /** Where the URL names none. */
  readonly database: string;
  /** The error to report a server with that cannot be used now. */
  readonly unavailable: (message: string, options: ErrorOptions) => Error;
}

/**
 * A primary is elected within some ten seconds, and who asks meanwhile is told to come back. A server that does not
 * answer any more is noticed by its heartbeat, which ends the commands that wait for it; one that answers the
 * heartbeat and nothing else, by the silence on a command's own connection.
 */
const DEFAULTS = {
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  heartbeatFrequencyMS: 5_000,
  waitQueueTimeoutMS: 10_000,
  socketTimeoutMS: 30_000,
} as const;

/** Milliseconds that a connection without a time limit is kept for the next to use it. */
const IDLE_TIMEOUT_MS = 10_000;

export class MongoConnection {
  readonly #client: MongoClient;
  readonly #noTimeoutClient: MongoClient;
  readonly #database: string;
  readonly #options: MongoConnectionOptions;
  /** The server is asked once, and again after a failure. */
  readonly capabilities = lazy(() => this.guarded(() => detect(this.db)));

  constructor(url: string, options: MongoConnectionOptions) {
    this.#options = options;
    try {
      const settings: MongoClientOptions = {
        appName: 'podium',
        writeConcern: { w: 'majority', journal: true },
        readConcern: { level: 'majority' },
        ...defaultsFor(url),
      };
      this.#client = new MongoClient(url, settings);
      this.#noTimeoutClient = new MongoClient(url, {
        ...settings,
        socketTimeoutMS: 0,
        maxIdleTimeMS: IDLE_TIMEOUT_MS,
      });
    } catch (error) {
      throw options.unavailable(`${withoutCredentials(url)} cannot be used: ${messageOf(error)}`, {});
    }
    this.#database = databaseIn(url) ?? options.database;
  }

  get db(): Db {
    return this.#client.db(this.#database);
  }

  /** For what may rightly take minutes, and which the server gives up when the connection goes: making an index. */
  get dbWithoutTimeout(): Db {
    return this.#noTimeoutClient.db(this.#database);
  }

  /** Every read inside is as of the moment of the first. Only where there are snapshot reads. */
  async withSnapshot<T>(read: (session: ClientSession) => Promise<T>): Promise<T> {
    const session = this.#client.startSession({ snapshot: true });
    try {
      return await read(session);
    } finally {
      await session.endSession();
    }
  }

  /** Runs `work`, and reports a server that cannot be used now as the owner's kind of error. */
  async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error)) throw error;
      throw this.#options.unavailable(`MongoDB cannot be used: ${messageOf(error)}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#noTimeoutClient.close();
  }
}

const DUPLICATE_KEY = 11_000;

/** Whether a unique index, ids included, refused the one write. FerretDB 1 says so of an update in SQLite's words. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError &&
  (error.code === DUPLICATE_KEY || error.message.includes('UNIQUE constraint failed'));

/** Places in an unordered bulk of the writes that unique indexes refused; null when anything else went wrong. */
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

/** What the URL says stays as it is. */
const defaultsFor = (url: string): Partial<typeof DEFAULTS> => {
  const query = url.slice(url.indexOf('?') + 1);
  const given = new Set([...new URLSearchParams(query).keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(DEFAULTS).filter(([name]) => !given.has(name.toLowerCase())));
};

/** Snapshot reads outside of transactions came with this one. */
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
      // It holds a connection to its database for each update of a command, and has 100.
      updatesAtOnce: 20,
      // Its writers wait for each other by sleeping.
      commandsAtOnce: 1,
    };
  }
  const isReplicated = typeof hello.setName === 'string' || hello.msg === 'isdbgrid';
  return {
    engine: 'MongoDB',
    version: String(build.version),
    snapshotReads: isReplicated && Number(hello.maxWireVersion) >= WIRE_VERSION_OF_MONGODB_5,
    concerns: isReplicated,
    updatesAtOnce: 1_000,
    commandsAtOnce: 4,
  };
};

/** An embedded one does not know its own version. */
const ferretVersion = (version: unknown): string =>
  typeof version === 'string' && version !== 'unknown' ? version : '(embedded)';

/**
 * Codes of a server that is no primary now, is stopping, lets nobody in, took too long, or no longer has the moment
 * that a snapshot asked for.
 */
const OUTAGE_CODES: ReadonlySet<unknown> = new Set([
  6, 7, 13, 18, 50, 64, 89, 91, 134, 189, 237, 239, 246, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

const isOutage = (error: unknown): boolean => {
  // A bulk reports what kept it from the server as if the server had said it, only without a code.
  if (error instanceof MongoBulkWriteError && error.code === undefined) return true;
  if (error instanceof MongoServerError) {
    return OUTAGE_CODES.has(error.code) || error.hasErrorLabel('RetryableWriteError');
  }
  if (error instanceof MongoDriverError) return !PROGRAMMING.has(error.name);
  return error instanceof MongoError || isNetworkFailure(error);
};

/** Errors of the driver that say how it was called, not what the server is like. */
const PROGRAMMING: ReadonlySet<string> = new Set([
  'MongoInvalidArgumentError',
  'MongoMissingDependencyError',
  'MongoTransactionError',
]);

/**
 * Node's own errors, which the driver hands on as they are when a name is not found, or when the server goes away at the
 * moment in which a command is written to its socket.
 */
const isNetworkFailure = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(E(?!RR_)|ERR_(STREAM|SOCKET)_)/.test(String(error.code));
