/**
 * Appends the same rows with DuckDB's Appender, in process: whole vectors into a file, in one transaction,
 * without parsing, checks or replies. Only this is measured.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBTimestampValue,
  DuckDBUUIDValue,
  TIMESTAMP,
  UUID,
  VARCHAR,
} from '@duckdb/node-api';
import { edgeEntries } from './log-batches.mjs';

const ROWS = 2_000;
const TYPES = [UUID, TIMESTAMP, VARCHAR, VARCHAR, VARCHAR];

const run = async ({ root, batches, seed }) => {
  const entries = edgeEntries({ batches, seed });
  const rows = entries.map(({ id, timestamp, eventMessage, metadata, project }) => [
    DuckDBUUIDValue.fromUint128(BigInt(`0x${id.replaceAll('-', '')}`)),
    new DuckDBTimestampValue(BigInt(timestamp)),
    eventMessage,
    JSON.stringify(metadata),
    project,
  ]);
  const folder = mkdtempSync(join(root, 'appender-'));
  const instance = await DuckDBInstance.create(join(folder, 'logs.duckdb'));
  const connection = await instance.connect();
  await connection.run(
    'CREATE TABLE edge_logs (id UUID, "timestamp" TIMESTAMP, event_message VARCHAR, metadata JSON, project VARCHAR)',
  );
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  const appender = await connection.createAppender('edge_logs');
  for (let from = 0; from < rows.length; from += ROWS) {
    const chunk = DuckDBDataChunk.create(TYPES);
    chunk.setRows(rows.slice(from, from + ROWS));
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  const seconds = (performance.now() - began) / 1_000;
  instance.closeSync();
  rmSync(folder, { recursive: true });
  return { perSecond: rows.length / seconds, seconds, cpu: process.cpuUsage(cpuBefore) };
};

process.once('message', (order) => {
  run(order).then(
    (result) => process.send({ result }, () => process.exit(0)),
    (error) => process.send({ error: error.stack }, () => process.exit(1)),
  );
});
