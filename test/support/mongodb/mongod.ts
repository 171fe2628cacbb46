/** A real mongod, a replica set of one, where its program is at hand or can be fetched. */
import { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import { DryMongoBinary } from 'mongodb-memory-server-core/lib/util/DryMongoBinary.js';
import { identify } from './identify.js';
import type { TestServer } from './mongo-server.js';

const DOWNLOADS = 'https://fastdl.mongodb.org/';
const LOOK_FOR_MS = 3_000;

const isAtHand = async (): Promise<boolean> => {
  const options = await DryMongoBinary.generateOptions();
  return (await DryMongoBinary.locateBinary(options)) !== undefined;
};

/** A closed network answers with an error, or not at all: neither may take long. */
const canBeFetched = async (): Promise<boolean> => {
  try {
    const { status } = await fetch(DOWNLOADS, { method: 'HEAD', signal: AbortSignal.timeout(LOOK_FOR_MS) });
    return status < 500;
  } catch {
    return false;
  }
};

/** Null where there is none and none can be fetched. */
export const startMongod = async (): Promise<TestServer | null> => {
  if (!(await isAtHand()) && !(await canBeFetched())) return null;
  const set = await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } });
  const signal = (sent: NodeJS.Signals): void => {
    for (const { instanceInfo } of set.servers) instanceInfo?.instance.mongodProcess?.kill(sent);
  };
  return {
    engine: 'mongod',
    version: (await identify(set.getUri())).version,
    isReal: true,
    url: (database) => set.getUri(database),
    process: {
      end: async (sent) => {
        if (sent === 'SIGKILL') signal(sent);
        for (const server of set.servers) await server.stop({ doCleanup: false });
      },
      start: async () => {
        for (const server of set.servers) await server.start(true);
      },
      pause: () => signal('SIGSTOP'),
      resume: () => signal('SIGCONT'),
    },
    stop: async () => {
      await set.stop();
    },
  };
};
