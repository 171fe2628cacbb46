/**
 * The server that tests of the MongoDB adapters run on, the best that can be had here: the one that
 * PODIUM_TEST_MONGODB_URL names, else a real mongod, else FerretDB. Which it was, and what did not run for want of
 * another, stands in the last lines of `npm test`.
 */
import { randomUUID } from 'node:crypto';
import { afterAll } from '@jest/globals';
import type { EngineProcess } from '../cluster.js';
import { engineUsed, notRunOn } from '../engines.js';
import { startFerretdb } from './ferretdb.js';
import { identify } from './identify.js';
import { startMongod } from './mongod.js';

export interface TestServer {
  readonly engine: string;
  readonly version: string;
  /** MongoDB itself: with snapshot reads, read and write concern. */
  readonly isReal: boolean;
  url(database: string): string;
  /** Null: it is not ours to stop. */
  readonly process: EngineProcess | null;
  stop(): Promise<void>;
}

type Port = 'ReadModelStore' | 'OperationalStore';

interface Wanted {
  /** What does not run where there is no such server. */
  readonly what: string;
  /** It takes the server away. */
  readonly needsOutage?: boolean;
}

const NAMED = process.env.PODIUM_TEST_MONGODB_URL;

/**
 * Started for the tests of this file and stopped behind them. Null where there is none: then `what` is said not to have
 * run.
 */
export const mongoServer = async (
  ports: readonly Port[],
  { what, needsOutage = false }: Wanted,
): Promise<TestServer | null> => {
  try {
    const server = await startMongoServer(ports);
    afterAll(() => server.stop());
    if (needsOutage && !server.process) {
      const why = 'it is not the tests’ to stop; without PODIUM_TEST_MONGODB_URL they start one of their own';
      for (const port of ports) notRunOn({ port, engine: server.engine, what, why });
    }
    return server;
  } catch (error) {
    if (NAMED !== undefined) throw error;
    const why = `${error instanceof Error ? error.message : error}; PODIUM_TEST_MONGODB_URL may name a server`;
    for (const port of ports) notRunOn({ port, engine: 'MongoDB', what, why });
    return null;
  }
};

/** The same, for the tests that stop it. Throws where there is none. */
export const startMongoServer = async (ports: readonly Port[]): Promise<TestServer> => {
  const server =
    NAMED === undefined ? ((await startMongod()) ?? (await startFerretdb())) : await named(NAMED);
  for (const port of ports) tell(port, server);
  return server;
};

/** A name for a database of a test's own. */
export const someDatabase = (): string => `podium-test-${randomUUID().slice(0, 13)}`;

const tell = (port: Port, { engine, version, isReal }: TestServer): void => {
  engineUsed({ port, engine, version });
  if (isReal) return;
  notRunOn({
    port,
    engine,
    what: 'read concern, write concern, snapshot reads and updates of one document by two at the same moment',
    why: 'it ignores the former and does the latter in two steps; PODIUM_TEST_MONGODB_URL may name a replica set of MongoDB',
  });
};

const named = async (url: string): Promise<TestServer> => {
  const { version, isReal } = await identify(url);
  return {
    engine: isReal ? 'mongod' : 'FerretDB',
    version: `${version} (PODIUM_TEST_MONGODB_URL)`,
    isReal,
    url: (database) => url.replace(/^([^:]+:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${database}`),
    process: null,
    stop: async () => {},
  };
};
