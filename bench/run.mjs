/**
 * `npm run bench -- [PART …] [--results N] [--entries N] [--history N] [--seconds S] [--turns T]`: measures Podium and its
 * baselines and prints a table. A part that runs at full size is written to bench/RESULTS.md.
 * bench/README.md explains the comparisons.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { keepSection, markdown } from './lib/report.mjs';
import { createWorlds } from './lib/world.mjs';
import { cached } from './parts/cached.mjs';
import { clickhouse } from './parts/clickhouse.mjs';
import { get } from './parts/get.mjs';
import { ingest } from './parts/ingest.mjs';
import { live } from './parts/live.mjs';
import { logQueries } from './parts/log-queries.mjs';
import { logScale } from './parts/log-scale.mjs';
import { longRounds } from './parts/long-rounds.mjs';
import { pages } from './parts/pages.mjs';
import { post } from './parts/post.mjs';
import { postgres } from './parts/postgres.mjs';
import { rebuild } from './parts/rebuild.mjs';
import { scale } from './parts/scale.mjs';
import { storedQueries } from './parts/stored-queries.mjs';
import { tail } from './parts/tail.mjs';
import { visible } from './parts/visible.mjs';

const PARTS = {
  get,
  postgres,
  post,
  visible,
  live,
  pages,
  rebuild,
  scale,
  'long-rounds': longRounds,
  ingest,
  'log-scale': logScale,
  'log-queries': logQueries,
  cached,
  'stored-queries': storedQueries,
  tail,
  clickhouse,
};
const FULL = 1_000_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    results: { type: 'string', default: String(FULL) },
    entries: { type: 'string', default: String(FULL) },
    history: { type: 'string', default: String(FULL) },
    seconds: { type: 'string', default: '5' },
    turns: { type: 'string', default: '3' },
    rebuilds: { type: 'string', default: '2' },
  },
});
const unknown = positionals.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  process.stderr.write(
    `there is no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}\n`,
  );
  process.exit(64);
}
if (!existsSync(new URL('../dist/app/main.js', import.meta.url))) {
  process.stderr.write('build first: npm run build\n');
  process.exit(1);
}

const settings = {
  results: Number(values.results),
  entries: Number(values.entries),
  history: Number(values.history),
  seconds: Number(values.seconds),
  turns: Number(values.turns),
  rebuilds: Number(values.rebuilds),
};
const isFullSize = settings.results === FULL && settings.entries === FULL && settings.history === FULL;
const order = Object.keys(PARTS);
const worlds = createWorlds();
const found = { postgres: null };
const rows = [];
try {
  for (const name of positionals.length === 0 ? order : positionals) {
    process.stdout.write(`${name} …\n`);
    const measured = await PARTS[name]({ worlds, settings, found });
    for (const { what, text, note } of measured) process.stdout.write(`  ${what}: ${text} (${note})\n`);
    rows.push(...measured);
    const { results, seconds } = settings;
    const postgres = name === 'postgres' ? found.postgres : null;
    if (isFullSize && measured.length > 0) keepSection(name, measured, { results, seconds, postgres, order });
  }
} finally {
  worlds.remove();
}
process.stdout.write(`\n${markdown(rows)}\n`);
