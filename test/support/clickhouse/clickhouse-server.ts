/**
 * The ClickHouse that tests run on: the server that PODIUM_TEST_CLICKHOUSE_URL names, else the engine in process behind
 * server.py, which `.ci/run` installs. Which it was, and what did not run for want of the other, stands in the last lines of
 * `npm test`.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe } from '@jest/globals';
import type { EngineProcess } from '../cluster.js';
import { engineUsed, notRunOn } from '../engines.js';
import { startEngine } from '../own-engine.js';

const SERVER = fileURLToPath(new URL('server.py', import.meta.url));
const PYTHON = join(tmpdir(), 'podium-chdb', 'bin', 'python');
const NAMED = process.env.PODIUM_TEST_CLICKHOUSE_URL;
const PORT = 'LogStore';
const REPLICAS = 'replicas, Keeper and an insert quorum (docker-compose.clickhouse-replicas.yml)';

export interface ClickhouseServer {
  /** A URL for LOG_STORE_URL, of a database of this name. */
  url(database?: string): string;
  /** The URL of its HTTP interface. */
  readonly http: string;
  /** Null: it is not ours to stop. */
  readonly process: EngineProcess | null;
  stop(): Promise<void>;
}

/** The version of the engine in process; null: it is not installed. */
const installed = (): string | null => {
  const { status, stdout } = spawnSync(PYTHON, ['-c', 'import chdb; print(chdb.engine_version)'], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
};

const version = NAMED === undefined ? installed() : null;

export const hasClickhouse = NAMED !== undefined || version !== null;

const tell = (): void => {
  const instead = 'PODIUM_TEST_CLICKHOUSE_URL may name a server';
  if (NAMED !== undefined) {
    engineUsed({ port: PORT, engine: 'ClickHouse', version: '(PODIUM_TEST_CLICKHOUSE_URL)' });
    const why =
      'PODIUM_TEST_CLICKHOUSE_URL names no cluster (?cluster=NAME); the tests hold the statements and settings';
    if (!NAMED.includes('cluster=')) notRunOn({ port: PORT, engine: 'ClickHouse', what: REPLICAS, why });
  } else if (version !== null) {
    engineUsed({ port: PORT, engine: 'ClickHouse in process (chdb)', version });
    notRunOn({
      port: PORT,
      engine: 'ClickHouse',
      what: `users and their rights; ${REPLICAS}`,
      why: `the engine in process has none; ${instead}, with ?cluster=NAME one of replicas`,
    });
  } else {
    const why = `chdb-core is not installed in ${tmpdir()}/podium-chdb, which .ci/run does; ${instead}`;
    notRunOn({ port: PORT, engine: 'ClickHouse', what: 'everything', why });
  }
};

tell();

/** Skipped where there is no ClickHouse. */
export const describeOnClickhouse = hasClickhouse ? describe : describe.skip;

/** A name for a database of a test's own. */
export const someLogDatabase = (): string => `podium_test_${randomUUID().slice(0, 8)}`;

export const startClickhouse = async (): Promise<ClickhouseServer> =>
  NAMED === undefined ? startInProcess() : named(NAMED);

const named = (url: string): ClickhouseServer => ({
  url: (database = someLogDatabase()) => {
    const own = new URL(
      url.replace(/^https?:/, (scheme) => (scheme === 'https:' ? 'clickhouses:' : 'clickhouse:')),
    );
    own.pathname = `/${database}`;
    return own.href;
  },
  http: url.replace(/\?.*/, ''),
  process: null,
  stop: async () => {},
});

const startInProcess = async (): Promise<ClickhouseServer> => {
  const engine = await startEngine({
    name: 'chdb',
    command: (folder, address) => [PYTHON, SERVER, folder, new URL(`http://${address}`).port],
  });
  return {
    url: (database = someLogDatabase()) => `clickhouse://${engine.address()}/${database}`,
    http: `http://${engine.address()}`,
    process: engine.process,
    stop: engine.stop,
  };
};
