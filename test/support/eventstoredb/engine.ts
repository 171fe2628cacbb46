/**
 * The EventStoreDB of a test run: the server that PODIUM_TEST_EVENTSTOREDB_URL names, which may be shared, or a test server of
 * its own. Either is named in the last lines of `npm test`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineUsed, notRunOn } from '../engines.js';
import { ENGINE, EsdbTestServer, type TestServerOptions, VERSION } from './test-server.js';

const REAL = process.env.PODIUM_TEST_EVENTSTOREDB_URL;

export interface EsdbEngine {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export interface TestServerEngine extends EsdbEngine {
  readonly server: EsdbTestServer;
}

export const startEsdb = async (): Promise<EsdbEngine> => {
  if (REAL === undefined) return startEsdbTestServer();
  engineUsed({ port: 'EventStore', engine: 'EventStoreDB', version: 'at PODIUM_TEST_EVENTSTOREDB_URL' });
  return { url: REAL, stop: async () => undefined };
};

/** Says in the last lines of `npm test` what did not run on EventStoreDB. */
export const sayStandIn = (): void =>
  notRunOn({
    port: 'EventStore',
    engine: 'EventStoreDB',
    what:
      REAL === undefined
        ? 'the contract, whole servers and faults'
        : 'what needs faults on request and whole servers',
    why:
      REAL === undefined
        ? 'PODIUM_TEST_EVENTSTOREDB_URL names no server; a test server stood in for it'
        : 'a real server has no faults on request; a test server stood in for it',
  });

/** For what no real server does on request. */
export const startEsdbTestServer = async (
  options: Omit<TestServerOptions, 'file'> = {},
): Promise<TestServerEngine> => {
  engineUsed({ port: 'EventStore', engine: ENGINE, version: VERSION });
  sayStandIn();
  const folder = await mkdtemp(join(tmpdir(), 'podium-esdb-'));
  const server = await EsdbTestServer.start({ ...options, file: join(folder, 'records.sqlite') });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: server.url, server, stop };
};
