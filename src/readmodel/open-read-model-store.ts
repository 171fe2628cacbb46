/** Chooses the read-model adapter by its URL. */
import type { ReadModelStore } from './read-model-store.js';
import { type SqliteReadModelOptions, SqliteReadModelStore, sqlitePath } from './sqlite-read-model-store.js';

/** `sqlite:PATH`. Throws ReadModelUnavailableError when it cannot be opened; `prepare` it before use. */
export const openReadModelStore = (url: string, options: SqliteReadModelOptions = {}): ReadModelStore =>
  new SqliteReadModelStore(sqlitePath(url), options);
