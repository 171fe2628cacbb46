/** The same read answered by PostgreSQL from its tables. */
import { fetchRaw } from '../lib/fetch-raw.mjs';
import { foldWorld } from '../lib/fold-world.mjs';
import { rankingsPath, thousands } from '../lib/format.mjs';
import { startPodium } from '../lib/podium-server.mjs';
import { startPostgres } from '../lib/postgres.mjs';
import { fillPostgres, RANKINGS } from '../lib/postgres-rankings.mjs';
import { load } from '../lib/processes.mjs';
import { inTurn, medianOf } from '../lib/turns.mjs';

const CLIENTS = 8;
const WHAT = 'the same read against PostgreSQL answering by live SQL';
const WANTED = { atLeast: 50 };

/** Queries as fast as PostgreSQL answers. Its text is what a server would send. */
const queryFor = async (pool, eventId, seconds) => {
  const began = performance.now();
  const until = began + seconds * 1000;
  let queries = 0;
  const client = async () => {
    while (performance.now() < until) {
      await pool.query({ name: 'rankings', text: RANKINGS, values: [eventId, 100] });
      queries += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { perSecond: queries / ((performance.now() - began) / 1000) };
};

const valuesOf = (entries) => entries.map(({ ranking, result }) => `${ranking} ${result}`).join();

const mustAgree = async (pool, { port, path, eventId }) => {
  const shown = JSON.parse((await fetchRaw({ port, path })).body);
  const { rows } = await pool.query(RANKINGS, [eventId, 100]);
  if (valuesOf(JSON.parse(rows[0].json)) !== valuesOf(shown)) {
    throw new Error('PostgreSQL and Podium rank differently: they do not answer the same question');
  }
};

export const postgres = async ({ worlds, settings, found }) => {
  const world = await worlds.of(settings.results);
  const cluster = await startPostgres();
  if (cluster === null) {
    return [
      { what: WHAT, value: null, text: 'skipped', wanted: WANTED, note: 'no PostgreSQL is installed here' },
    ];
  }
  found.postgres = cluster.version;
  const rows = await foldWorld({
    eventStoreUrl: `sqlite:${world.dataDir}/events.sqlite`,
    operationalUrl: `sqlite:${world.dataDir}/operational.sqlite`,
    spaceId: 'default',
  });
  await fillPostgres(cluster, rows);
  const server = await startPodium(world.dataDir);
  const read = { port: server.port, path: rankingsPath(world), eventId: world.eventId };
  await mustAgree(cluster.pool, read);
  const [ours, theirs] = await inTurn(
    settings.turns,
    () => load({ kind: 'get', ...read, headers: {}, connections: 64, seconds: settings.seconds }),
    () => queryFor(cluster.pool, world.eventId, settings.seconds),
  );
  await server.stop();
  await cluster.stop();
  const value = medianOf(ours, 'perSecond') / medianOf(theirs, 'perSecond');
  const queries = `${medianOf(theirs, 'perSecond').toFixed(1)} queries/s of ${CLIENTS} connections without HTTP`;
  return [
    {
      what: WHAT,
      value,
      text: `${thousands(value)} x`,
      wanted: WANTED,
      note: `${thousands(medianOf(ours, 'perSecond'))} requests/s over HTTP against ${queries}, ${thousands(rows.results.length)} results in the tables`,
    },
  ];
};
