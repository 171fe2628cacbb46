/** The file of a store: its path, its size, and whether it is there. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from './refusals.js';

/** Returns the path of `sqlite:PATH`. Throws CliError for another URL. */
export const pathOf = (url: string): string => {
  const [, path] = /^sqlite:(.+)$/.exec(url) ?? [];
  // The URL of another engine may hold a password.
  if (path === undefined) throw new CliError('this store is not sqlite:PATH; back it up with its own server');
  return resolve(path);
};

/** An empty file is as good as none. A store that is no file is there. */
export const isMissing = (url: string): boolean =>
  url.startsWith('sqlite:') && !statSync(pathOf(url), { throwIfNoEntry: false })?.size;

/** The path of `duckdb:PATH`; null: the logs are on another node. */
export const logPathOf = (url: string): string | null => {
  const [, path] = /^duckdb:(.+)$/.exec(url) ?? [];
  return path === undefined ? null : resolve(path);
};

/** Bytes of the file and of its write-ahead log. */
export const fileBytes = (path: string): number =>
  [path, `${path}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

/** `12.3 MB`. */
export const sizeText = (bytes: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
};
