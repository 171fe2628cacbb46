/**
 * The servers of the scale-out benches: those of the environment, else the stand-ins of the tests, named as
 * such.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { ferretdbBinary } from '../../test/support/mongodb/ferretdb-binary.mjs';
import { endingWithUs, firstLine, stopChild } from './processes.mjs';

const path = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** Built from the module that this file names; its own answer does not say. */
const [, FERRETDB] = /FerretDB v(\S+)/.exec(readFileSync(path('test/support/ferretdb/go.mod'), 'utf8'));

const eventStore = async (root) => {
  const named = process.env.PODIUM_TEST_EVENTSTOREDB_URL;
  if (named !== undefined) {
    return { url: named, name: 'EventStoreDB at PODIUM_TEST_EVENTSTOREDB_URL', stop: async () => {} };
  }
  const args = ['--import', new URL('../../test/support/typescript-loader.mjs', import.meta.url).href];
  const child = endingWithUs(
    spawn(
      process.execPath,
      [...args, path('test/support/eventstoredb/main.ts'), join(root, 'records.sqlite')],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    ),
  );
  const { url } = JSON.parse(await firstLine(child));
  return {
    url,
    name: 'a test server that speaks EventStoreDB’s protocol, on SQLite (not EventStoreDB)',
    pid: child.pid,
    stop: () => stopChild(child),
  };
};

/** FerretDB 1 hangs for good when more commands run than it has connections to its database. */
const FEW_CONNECTIONS = '?maxPoolSize=6';

const documents = async (root) => {
  const named = process.env.PODIUM_TEST_MONGODB_URL;
  if (named !== undefined) return { url: named, stop: async () => {} };
  const folder = join(root, 'ferretdb');
  mkdirSync(folder, { recursive: true });
  const child = endingWithUs(
    spawn(await ferretdbBinary(), [folder, '127.0.0.1:0'], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  return {
    url: `${(await firstLine(child)).trim()}${FEW_CONNECTIONS}`,
    stop: () => stopChild(child, 'SIGKILL'),
  };
};

const nameOf = async (url) => {
  const client = new MongoClient(url);
  try {
    const { version, ferretdbVersion, ferretdb } = await client.db().command({ buildInfo: 1 });
    const isStandIn = ferretdbVersion !== undefined || ferretdb !== undefined;
    return isStandIn ? `FerretDB ${FERRETDB} on SQLite (not MongoDB)` : `MongoDB ${version}`;
  } finally {
    await client.close();
  }
};

const databaseOf = (url, database) => url.replace(/^([^:]+:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${database}`);

/** `env`: what a node's environment names them with. `eventsPid`: the process of the event store, where it runs here. */
export const startServers = async (root) => {
  const events = await eventStore(root);
  const rows = await documents(root);
  const run = randomBytes(4).toString('hex');
  return {
    env: {
      EVENT_STORE_URL: events.url,
      READ_MODEL_URL: databaseOf(rows.url, `podium-bench-${run}`),
      OPERATIONAL_URL: databaseOf(rows.url, `podium-bench-${run}-operational`),
    },
    eventsPid: events.pid,
    names: [events.name, await nameOf(rows.url)],
    stop: async () => {
      await events.stop();
      await rows.stop();
    },
  };
};
