/** Chooses the read-model adapter by its URL. */
import { isMongoUrl } from '../../engines/mongodb/mongo-url.js';
import { sqlitePath } from '../../engines/sqlite/read-models/sqlite-read-model-file.js';
import {
  type SqliteReadModelOptions,
  SqliteReadModelStore,
} from '../../engines/sqlite/read-models/sqlite-read-model-store.js';
import type { ReadModelStore } from '../../foundation/read-models/read-model-store.js';

/** `sqlite:PATH`, `mongodb://…` or `mongodb+srv://…`. Throws ConfigError for a wrong URL of MongoDB, ReadModelUnavailableError. */
export const openReadModelStore = async (
  url: string,
  options: SqliteReadModelOptions = {},
): Promise<ReadModelStore> => {
  if (!isMongoUrl(url)) return new SqliteReadModelStore(sqlitePath(url), options);
  // The driver takes a quarter of a second to load.
  const { MongoReadModelStore } = await import('../../engines/mongodb/read-models/mongo-read-model-store.js');
  return new MongoReadModelStore(url, options);
};
