/** The log store's contract on ClickHouse, and what several nodes that write beside each other have to promise. */
import { afterAll, beforeAll } from '@jest/globals';
import { ClickhouseLogStore } from '../../../../src/engines/clickhouse/clickhouse-log-store.js';
import {
  type ClickhouseServer,
  describeOnClickhouse,
  startClickhouse,
} from '../../../support/clickhouse/clickhouse-server.js';
import { logStoreContract, reopenable } from './log-store.contract.js';

describeOnClickhouse('with a server', () => {
  let server: ClickhouseServer;
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(() => server.stop());

  const MEMORY = { memoryMb: 1_024 };

  logStoreContract('ClickHouse', () => {
    const url = server.url();
    return reopenable(() => ClickhouseLogStore.open(url, MEMORY));
  });
});
