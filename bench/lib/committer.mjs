/**
 * Measures a commit on this disk now: a separate file with the journal mode and synchronous level of the event
 * store, one row per transaction, at the pace of the prober.
 */
import { join } from 'node:path';
import { SqliteDatabase } from '../../dist/engines/sqlite/sqlite.js';
import { percentile } from './numbers.mjs';

const PAUSE_MS = 20;

process.once('message', async ({ folder, seconds }) => {
  const database = new SqliteDatabase(join(folder, 'commits.sqlite'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY, data TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO events (data) VALUES (?)');
  const data = 'x'.repeat(200);
  const took = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const began = performance.now();
    insert.run(data);
    took.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  database.close();
  const sorted = Float64Array.from(took).sort();
  const result = { commits: took.length, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
  process.send({ result }, () => process.exit(0));
});
