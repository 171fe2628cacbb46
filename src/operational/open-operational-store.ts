/** Chooses the operational adapter by its URL. */
import { isMongoUrl } from '../mongo/mongo-connection.js';
import { MongoOperationalStore } from './mongo-operational-store.js';
import type { OperationalStore } from './operational-store.js';
import { SqliteOperationalStore } from './sqlite-operational-store.js';

/** `sqlite:PATH`, `mongodb://…` or `mongodb+srv://…`. Throws when it cannot be opened. */
export const openOperationalStore = (url: string): OperationalStore => {
  if (isMongoUrl(url)) return new MongoOperationalStore(url);
  const [, path] = /^sqlite:(.+)$/.exec(url) ?? [];
  if (path === undefined) throw new Error(`${url} is not sqlite:PATH, mongodb://… or mongodb+srv://…`);
  return new SqliteOperationalStore(path);
};
