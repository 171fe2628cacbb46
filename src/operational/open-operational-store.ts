/** Chooses the operational adapter by its URL. */
import type { OperationalStore } from './operational-store.js';
import { SqliteOperationalStore } from './sqlite-operational-store.js';

/** `sqlite:PATH`. Throws when it cannot be opened. */
export const openOperationalStore = (url: string): OperationalStore => {
  const [, path] = /^sqlite:(.+)$/.exec(url) ?? [];
  if (path === undefined) throw new Error(`${url} is not sqlite:PATH`);
  return new SqliteOperationalStore(path);
};
