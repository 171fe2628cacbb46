/**
 * Checks that the embedded stores can be written, before any is opened. The engines say only that they cannot open a file, and not
 * why: most often a folder belongs to another user, as a volume or a restored copy does, or its file system is read-only.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { PodiumConfig } from '../../foundation/config.js';

type StoreUrls = Pick<PodiumConfig, 'eventStoreUrl' | 'operationalUrl' | 'readModelUrl' | 'logStoreUrl'>;

/** Its number: in a container it may have no name. */
const USER = process.getuid?.() ?? 'USER';

/** Throws the system's error when the path may not be used so, as accessSync does. */
type Access = (path: string, mode: number) => void;

/** Returns null when they can, else what to change. */
export const storageProblem = (urls: StoreUrls, access: Access = accessSync): string | null => {
  const { eventStoreUrl, operationalUrl, readModelUrl, logStoreUrl } = urls;
  for (const url of [eventStoreUrl, operationalUrl, readModelUrl, logStoreUrl]) {
    const [, path] = /^(?:sqlite|duckdb):(.+)$/.exec(url) ?? [];
    const problem = path === undefined ? null : pathProblem(resolve(path), access);
    if (problem !== null) return problem;
  }
  return null;
};

/** The folder, because the engines make further files beside each; and the file, when it is there. */
const pathProblem = (path: string, access: Access): string | null => {
  const wanted = dirname(path);
  let folder = wanted;
  while (!existsSync(folder)) folder = dirname(folder);
  if (!statSync(folder).isDirectory())
    return `${folder} is no folder, so ${path} cannot be made; set PODIUM_DATA to a folder`;
  const advice =
    folder === wanted ? `chown -R ${USER} ${wanted}` : `mkdir -p ${wanted} && chown ${USER} ${wanted}`;
  const paths = existsSync(path) ? [folder, path] : [folder];
  return paths.map((one) => accessProblem(one, access, advice)).find((problem) => problem !== null) ?? null;
};

/** `advice`: the command that lets this user write. */
const accessProblem = (path: string, access: Access, advice: string): string | null => {
  try {
    access(path, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    const { code }: { code?: unknown } = Object(error);
    const otherwise = 'or set PODIUM_DATA to another folder';
    if (code === 'EROFS') return `${path} is on a read-only file system: mount it for writing, ${otherwise}`;
    return (
      `the user who runs Podium (${USER}) may not read and write ${path} (${code}): ` +
      `give it to this user, as with ${advice}, ${otherwise}`
    );
  }
};
