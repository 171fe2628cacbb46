/** The wiring of the command line. Each command loads the large parts that it needs. */
import type { Wiring } from '../cli/wiring.js';
import { nextEpoch } from '../foundation/event-store/installation.js';
import { endOf } from '../foundation/losses/survey.js';

const embeddedStore = async (url: string) =>
  (await import('./stores/open-event-store.js')).openSqliteEventStore(url, { readOnly: true });

export const cliWiring: Wiring = {
  application: async (config) => (await import('./application.js')).openApplication(config),
  prepare: async (app) => {
    const { FirstStart } = await import('./first-start.js');
    await app.get(FirstStart).prepare({ sample: false });
  },
  serve: async () => {
    await import('./main.js');
  },
  stores: {
    events: async (url, options) =>
      (await import('./stores/open-event-store.js')).openEventStore(url, options),
    readModels: async (url, options) =>
      (await import('./stores/open-read-model-store.js')).openReadModelStore(url, options),
    operational: async (url) =>
      (await import('./stores/open-operational-store.js')).openOperationalStore(url),
    examinedOperational: async (url) =>
      (await import('./stores/open-operational-store.js')).examineOperationalStore(url),
    logs: async (url) => (await import('./stores/open-log-store.js')).openLogStore(url, { mode: 'command' }),
    ownLogs: async (url) => (await import('./stores/open-log-store.js')).openLogStore(url),
  },
  embedded: {
    async backUpEvents(url, path) {
      const store = await embeddedStore(url);
      await store.backup(path).finally(() => store.close());
      const copy = await embeddedStore(`sqlite:${path}`);
      try {
        const { storeId, installation: source } = await copy.identity();
        const installation = source && { ...source, epoch: nextEpoch(source.epoch) };
        if (installation) await copy.assign(installation);
        return { storeId, installation, ...(await endOf(copy)) };
      } finally {
        await copy.close();
      }
    },
    async findFault(path) {
      const { SqliteDatabase } = await import('../engines/sqlite/sqlite.js');
      const database = new SqliteDatabase(path, { fileMustExist: true, timeout: 5_000 });
      try {
        const answer = database.pragma('integrity_check(1)', { simple: true });
        return answer === 'ok' ? null : String(answer);
      } finally {
        database.close();
      }
    },
    async engineVersion() {
      const { SqliteDatabase } = await import('../engines/sqlite/sqlite.js');
      const database = new SqliteDatabase(':memory:');
      try {
        return String(database.prepare('SELECT sqlite_version()').pluck().get());
      } finally {
        database.close();
      }
    },
  },
  grantEventStore: async (url, options) =>
    (await import('../engines/eventstoredb/user-rights.js')).grantUserRights(url, options),
  projections: async () => (await import('./features.js')).projections,
  generators: {
    world: async (stores, options) => {
      const { appendWorld } = await import('./generators/world/append-world.js');
      return appendWorld(stores, options);
    },
    logs: async (store, options, onProgress) => {
      const { appendSampleLogs } = await import('./generators/logs/sample-logs.js');
      const { SAMPLE_PROJECTS } = await import('./generators/logs/sample-projects.js');
      const written = await appendSampleLogs(store, options, onProgress);
      return { ...written, projects: SAMPLE_PROJECTS.map(({ ref }) => ref) };
    },
  },
};
