/** Chooses the operational adapter by its URL. */
import { isMongoUrl } from '../../engines/mongodb/mongo-url.js';
import { SqliteOperationalReader } from '../../engines/sqlite/operational/sqlite-operational-reader.js';
import { SqliteOperationalStore } from '../../engines/sqlite/operational/sqlite-operational-store.js';
import { openThreadedStore } from '../../engines/sqlite/operational/threaded-operational-store.js';
import type { DamageListener } from '../../foundation/integrity/damage-log.js';
import type {
  ExaminedOperational,
  OperationalStore,
} from '../../foundation/operational/operational-store.js';

export interface OpenOperationalStoreOptions {
  /** Starts its threads now and writes in one of them, as a server does, which must not stand still for a disk. */
  readonly startsThreads?: boolean;
  /** Called with the damage that a read meets. */
  readonly onDamage?: DamageListener;
  /** For a server on MongoDB, where a scrub keeps what checksums need. */
  readonly keepsChecksums?: boolean;
  /** On MongoDB: whether a node without checksums runs, or ran within the last hour. */
  readonly hasOlderNodes?: () => Promise<boolean>;
}

/** `sqlite:PATH`, `mongodb://…` or `mongodb+srv://…`. Throws when it cannot be opened. */
export const openOperationalStore = async (
  url: string,
  options: OpenOperationalStoreOptions = {},
): Promise<OperationalStore> => {
  if (isMongoUrl(url)) {
    // The driver takes a quarter of a second to load.
    const { MongoOperationalStore } = await import(
      '../../engines/mongodb/operational/mongo-operational-store.js'
    );
    return new MongoOperationalStore(url, {
      ...options,
      openCopy: (path) => new SqliteOperationalStore(path),
    });
  }
  return options.startsThreads
    ? openThreadedStore(pathOf(url), options.onDamage)
    : new SqliteOperationalStore(pathOf(url), options);
};

/** The same, for `podium doctor` and `podium verify`, which change nothing in a file. */
export const examineOperationalStore = async (url: string): Promise<ExaminedOperational> =>
  isMongoUrl(url) ? openOperationalStore(url) : new SqliteOperationalReader(pathOf(url));

const pathOf = (url: string): string => {
  const [, path] = /^sqlite:(.+)$/.exec(url) ?? [];
  if (path === undefined) throw new Error(`${url} is not sqlite:PATH, mongodb://… or mongodb+srv://…`);
  return path;
};
