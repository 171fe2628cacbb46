/**
 * kill -9 of the real server, and of the process that owns its log store, while many send entries, again and again.
 * Senders send again what was not answered, as they would. In the end every acknowledged entry is there, once, and every
 * other at most once. PODIUM_TEST_KILLS sets how often.
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openLogStore } from '../../src/app/stores/open-log-store.js';
import { COME_AGAIN_MS } from '../support/devices.js';
import { runSql } from '../support/engine-sql.js';
import { issueTokens, sendLogs } from '../support/log-api.js';
import { newDataDir, startServer, type TestServer } from '../support/server.js';

const KILLS = Number(process.env.PODIUM_TEST_KILLS ?? 6);
const SENDERS = 6;
const BATCH = 200;
const ACKNOWLEDGED_BEFORE_KILL = 12;

let dataDir: string;
let token: string;
beforeEach(async () => {
  dataDir = await newDataDir();
  ({ ingest: token } = await issueTokens(dataDir));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

type Batch = readonly { readonly id: string; readonly event_message: string }[];

const newBatch = (): Batch =>
  Array.from({ length: BATCH }, () => ({
    id: randomUUID(),
    event_message: 'x'.repeat(200),
    metadata: { a: 1 },
  }));

/** One sender: a batch at a time, the same again until it is acknowledged. */
class Sender {
  readonly acknowledged: Batch[] = [];
  #sending: Batch = newBatch();

  /** Until the server is gone. */
  async run(url: string, onAcknowledged: () => void): Promise<void> {
    for (;;) {
      const reply = await sendLogs(url, { batch: this.#sending }, { token }).catch(() => null);
      if (!reply) return;
      // Other answers than these two mean that the store is coming back: the same again, not in its way.
      if (reply.status !== 200 && reply.status !== 201) {
        await pause(COME_AGAIN_MS);
        continue;
      }
      this.acknowledged.push(this.#sending);
      this.#sending = newBatch();
      onAcknowledged();
    }
  }

  get all(): readonly Batch[] {
    return [...this.acknowledged, this.#sending];
  }
}

const childrenOf = async (pid: number): Promise<number[]> => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.trim().split(' ').filter(Boolean).map(Number);
};

/** Lets all senders send until enough was acknowledged, kills what `kill` says, and then, if it lives, the server. */
const sendAndKill = async (
  senders: readonly Sender[],
  kill: (server: TestServer) => Promise<void>,
): Promise<void> => {
  const server = await startServer({ dataDir });
  let acknowledged = 0;
  let killed: Promise<void> | null = null;
  const onAcknowledged = (): void => {
    acknowledged++;
    if (acknowledged === ACKNOWLEDGED_BEFORE_KILL) killed = kill(server);
    if (acknowledged === 2 * ACKNOWLEDGED_BEFORE_KILL) killed = server.kill();
  };
  await Promise.all(senders.map((sender) => sender.run(server.url, onAcknowledged)));
  await killed;
};

it('keeps every acknowledged entry, once', async () => {
  const senders = Array.from({ length: SENDERS }, () => new Sender());
  for (let round = 0; round < KILLS; round++) {
    await sendAndKill(senders, async (server) => {
      if (round % 2 === 0) return server.kill();
      for (const child of await childrenOf(server.process.pid ?? 0)) process.kill(child, 'SIGKILL');
    });
  }
  const store = await openLogStore(`duckdb:${dataDir}/logs.duckdb`);
  const { rows } = await runSql(
    store,
    "SELECT id::VARCHAR AS id, count(*) AS n FROM edge_logs WHERE project IS DISTINCT FROM 'podium' GROUP BY id",
    { maxRows: 10_000_000, timeoutMs: 300_000 },
  );
  await store.close();
  const written = new Map(rows.map(({ id, n }) => [id, n]));
  const acknowledged = senders.flatMap((sender) => sender.acknowledged.flat());
  expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS * ACKNOWLEDGED_BEFORE_KILL * BATCH);
  expect(acknowledged.filter(({ id }) => written.get(id) !== 1)).toEqual([]);
  expect(rows.filter(({ n }) => n !== 1)).toEqual([]);
  const sent = new Set(senders.flatMap(({ all }) => all.flat().map(({ id }) => id)));
  expect(rows.filter(({ id }) => typeof id !== 'string' || !sent.has(id))).toEqual([]);
  expect((await readdir(dataDir)).filter((name) => name.startsWith('logs.duckdb.tmp'))).toEqual([]);
}, 600_000);
