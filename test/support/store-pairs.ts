/** The stores that tests of whole installations run on: the embedded ones, and those for many nodes. */
import { randomBytes } from 'node:crypto';
import type { EngineProcess, Link, Stores } from './cluster.js';
import { notRunOn } from './engines.js';
import { type EsdbEngine, sayStandIn, startEsdb } from './eventstoredb/engine.js';
import { EsdbServerProcess } from './eventstoredb/server-process.js';
import { someDatabase, startMongoServer } from './mongodb/mongo-server.js';
import { TcpProxy } from './tcp-proxy.js';

export interface StorePair {
  readonly name: string;
  readonly open: () => Promise<Stores>;
}

/** As docs/architecture.md states it. */
const BOUND_MS = 250;
/** For a server that looks through whole collections where MongoDB has an index. */
const STAND_IN_BOUND_MS = 3_000;

export const EMBEDDED: StorePair = {
  name: 'the embedded stores',
  open: async () => ({ boundMs: BOUND_MS, env: {}, links: [], engines: [], dispose: async () => undefined }),
};

/** A server that is shared holds others' streams too. */
const prefixOfItsOwn = (): string => `podium-${randomBytes(6).toString('hex')}`;

const portOf = (url: string): number => Number(/:(\d+)\//.exec(url)?.[1]);

interface EventServer extends EsdbEngine {
  readonly link?: Link;
  readonly process?: EngineProcess;
}

/** With a network before it that fails on request. */
const startEsdbProcess = async (): Promise<EventServer> => {
  sayStandIn();
  const process = await EsdbServerProcess.start();
  const link = await TcpProxy.start(process.port);
  const stop = async (): Promise<void> => {
    await link.close();
    await process.remove();
  };
  return { url: `esdb://127.0.0.1:${link.port}?tls=false`, link, process, stop };
};

const isThere = <T>(one: T | null | undefined): one is T => one !== null && one !== undefined;

const openServers = async (startEvents: () => Promise<EventServer>, prefix: string): Promise<Stores> => {
  const events = await startEvents();
  const documents = await startMongoServer(['ReadModelStore', 'OperationalStore']);
  const proxy = documents.isReal ? null : await TcpProxy.start(portOf(documents.url('')));
  const documentsUrl = (): string => {
    const url = documents.url(someDatabase());
    return proxy ? url.replace(/:\d+\//, `:${proxy.port}/`) : url;
  };
  if (!documents.isReal)
    notRunOn({
      port: 'ReadModelStore',
      engine: documents.engine,
      what: `the bound of ${BOUND_MS} ms for the reads of other nodes`,
      why: 'it answers too slowly; PODIUM_TEST_MONGODB_URL may name a replica set of MongoDB',
    });
  return {
    boundMs: documents.isReal ? BOUND_MS : STAND_IN_BOUND_MS,
    env: {
      EVENT_STORE_URL: events.url,
      PODIUM_STREAM_PREFIX: prefix,
      READ_MODEL_URL: documentsUrl(),
      OPERATIONAL_URL: documentsUrl(),
    },
    links: [events.link, proxy].filter(isThere),
    engines: [events.process, documents.process].filter(isThere),
    dispose: async () => {
      await events.stop();
      await proxy?.close();
      await documents.stop();
    },
  };
};

const SERVERS: StorePair = {
  name: 'EventStoreDB and MongoDB',
  open: () => openServers(startEsdb, prefixOfItsOwn()),
};

/** A copy keeps the names of its streams, so the server has to be its own. */
export const EMPTY_SERVERS: StorePair = {
  name: 'EventStoreDB and MongoDB',
  open: () => openServers(startEsdbProcess, 'podium'),
};

export const STORE_PAIRS: readonly StorePair[] = [EMBEDDED, SERVERS];
