/** FerretDB on a folder of its own: a server that speaks MongoDB's protocol, can be killed, and comes back with its data. */
import { startEngine } from '../own-engine.js';
import { ferretdbBinary } from './ferretdb-binary.mjs';
import type { TestServer } from './mongo-server.js';

/** Of the module in test/support/ferretdb/go.mod. */
const VERSION = '1.24.2 (SQLite)';

export const startFerretdb = async (): Promise<TestServer> => {
  const program = await ferretdbBinary();
  const engine = await startEngine({ name: 'ferretdb', command: (...args) => [program, ...args] });
  return {
    engine: 'FerretDB',
    version: VERSION,
    isReal: false,
    url: (database) => `mongodb://${engine.address()}/${database}`,
    process: engine.process,
    stop: engine.stop,
  };
};
