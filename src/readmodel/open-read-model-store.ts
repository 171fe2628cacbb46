/** Chooses the read-model adapter by its URL. */
import { isMongoUrl } from '../mongo/mongo-url.js';
import type { ReadModelStore } from './read-model-store.js';
import { sqlitePath } from './sqlite-read-model-file.js';
import { type SqliteReadModelOptions, SqliteReadModelStore } from './sqlite-read-model-store.js';

/** `sqlite:PATH`, `mongodb://…` or `mongodb+srv://…`. Throws ReadModelUnavailableError. */
export const openReadModelStore = async (
  url: string,
  options: SqliteReadModelOptions = {},
): Promise<ReadModelStore> => {
  if (!isMongoUrl(url)) return new SqliteReadModelStore(sqlitePath(url), options);
  // The driver takes a quarter of a second to load.
  const { MongoReadModelStore } = await import('./mongo-read-model-store.js');
  return new MongoReadModelStore(url, { readOnly: options.readOnly ?? false });
};
