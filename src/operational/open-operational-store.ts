/** Chooses the operational adapter by its URL. */
import { isMongoUrl } from '../mongo/mongo-url.js';
import type { OperationalStore } from './operational-store.js';
import { SqliteOperationalStore } from './sqlite-operational-store.js';

/** `sqlite:PATH`, `mongodb://…` or `mongodb+srv://…`. Throws when it cannot be opened. */
export const openOperationalStore = async (url: string): Promise<OperationalStore> => {
  if (isMongoUrl(url)) {
    // The driver takes a quarter of a second to load.
    const { MongoOperationalStore } = await import('./mongo-operational-store.js');
    return new MongoOperationalStore(url);
  }
  const [, path] = /^sqlite:(.+)$/.exec(url) ?? [];
  if (path === undefined) throw new Error(`${url} is not sqlite:PATH, mongodb://… or mongodb+srv://…`);
  return new SqliteOperationalStore(path);
};
