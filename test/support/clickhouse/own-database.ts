/** Log stores on one ClickHouse server, each in a database of its own. The server stops with the last of them. */
import { ClickhouseLogStore } from '../../../src/engines/clickhouse/clickhouse-log-store.js';
import { MEMORY, type OwnStore } from '../log-queries.js';
import { type ClickhouseServer, startClickhouse } from './clickhouse-server.js';

let started: Promise<ClickhouseServer> | null = null;
let open = 0;

export const openOnClickhouse = async (): Promise<OwnStore> => {
  open++;
  started ??= startClickhouse();
  const server = await started;
  const store = await ClickhouseLogStore.open(server.url(), MEMORY);
  return {
    store,
    close: async () => {
      await store.close();
      if (--open > 0) return;
      started = null;
      await server.stop();
    },
  };
};
