/** Chooses the read-model adapter by its URL. */
import { isMongoUrl } from '../mongo/mongo-connection.js';
import { MongoReadModelStore } from './mongo-read-model-store.js';
import type { ReadModelStore } from './read-model-store.js';
import { type SqliteReadModelOptions, SqliteReadModelStore, sqlitePath } from './sqlite-read-model-store.js';

/** `sqlite:PATH`, `mongodb://…` or `mongodb+srv://…`. Throws ReadModelUnavailableError. */
export const openReadModelStore = (url: string, options: SqliteReadModelOptions = {}): ReadModelStore =>
  isMongoUrl(url)
    ? new MongoReadModelStore(url, { readOnly: options.readOnly ?? false })
    : new SqliteReadModelStore(sqlitePath(url), options);
