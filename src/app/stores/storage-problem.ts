/**
 * Checks that the embedded stores can be written, before any is opened. The engines say only that they cannot open a file, and not
 * why: most often a folder belongs to another user, as a volume or a restored copy does, or its file system is read-only.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { PodiumConfig } from '../../foundation/config.js';

type Stores = Pick<
  PodiumConfig,
  'dataDir' | 'eventStoreUrl' | 'operationalUrl' | 'readModelUrl' | 'logStoreUrl'
>;

/** Its number: in a container it may have no name. */
const USER = process.getuid?.() ?? 'USER';

/** Throws the system's error when the path may not be used so, as accessSync does. */
type Access = (path: string, mode: number) => void;

/** Returns null when they can, else what to change. */
export const storageProblem = (stores: Stores, access: Access = accessSync): string | null => {
  const urls = {
    EVENT_STORE_URL: stores.eventStoreUrl,
    OPERATIONAL_URL: stores.operationalUrl,
    READ_MODEL_URL: stores.readModelUrl,
    LOG_STORE_URL: stores.logStoreUrl,
  };
  for (const [setting, url] of Object.entries(urls)) {
    const [, path] = /^(?:sqlite|duckdb):(.+)$/.exec(url) ?? [];
    if (path === undefined) continue;
    const file = resolve(path);
    const isData = dirname(file) === stores.dataDir;
    const otherwise = isData
      ? 'set PODIUM_DATA to another folder'
      : `set ${setting} to a file in another folder`;
    const problem = pathProblem(file, { access, isData, otherwise });
    if (problem !== null) return problem;
  }
  return null;
};

interface Remedies {
  readonly access: Access;
  /** Whether the folder is Podium's own, so that all in it may be given to this user. */
  readonly isData: boolean;
  readonly otherwise: string;
}

/** The folder, because the engines make further files beside each; and the file, when it is there. */
const pathProblem = (path: string, { access, isData, otherwise }: Remedies): string | null => {
  const wanted = dirname(path);
  let folder = wanted;
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return `${folder} is no folder, so ${path} cannot be made: ${otherwise}`;
  const paths = existsSync(path) ? [folder, path] : [folder];
  const owned = isData ? `chown -R ${USER} ${wanted}` : `chown ${USER} ${paths.join(' ')}`;
  const advice = folder === wanted ? owned : `mkdir -p ${wanted} && chown ${USER} ${wanted}`;
  for (const one of paths) {
    const problem = accessProblem(one, access, { advice, otherwise });
    if (problem !== null) return problem;
  }
  return null;
};

/** `advice`: the command that lets this user write. */
const accessProblem = (
  path: string,
  access: Access,
  { advice, otherwise }: { readonly advice: string; readonly otherwise: string },
): string | null => {
  try {
    access(path, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    const { code }: { code?: unknown } = Object(error);
    if (code === 'EROFS')
      return `${path} is on a read-only file system: mount it for writing, or ${otherwise}`;
    return (
      `the user who runs Podium (${USER}) may not read and write ${path} (${code}): ` +
      `give it to this user, as with ${advice}, or ${otherwise}`
    );
  }
};
