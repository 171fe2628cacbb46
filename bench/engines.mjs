/**
 * `npm run bench:engines -- [--results N] [--seconds S] [--turns T]`: compares the scale-out adapters with the
 * embedded ones. It uses the empty servers of PODIUM_TEST_EVENTSTOREDB_URL and PODIUM_TEST_MONGODB_URL, else
 * the stand-ins of the tests. It prints a table and writes it to bench/ENGINES.md.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bareDocuments } from './lib/bare-documents.mjs';
import { fetchRaw } from './lib/fetch-raw.mjs';
import { rankingsPath, thousands } from './lib/format.mjs';
import { startPodium } from './lib/podium-server.mjs';
import { load, mainThreadSeconds, processorSeconds, startChild } from './lib/processes.mjs';
import { gitCommit, markdown } from './lib/report.mjs';
import { startServers } from './lib/servers.mjs';
import { inTurn, medianOf } from './lib/turns.mjs';
import { createWorlds } from './lib/world.mjs';
import { devicesOn, replyBytesOf } from './parts/post.mjs';

const CLI = fileURLToPath(new URL('../dist/app/podium.js', import.meta.url));
const LEASE_SECONDS = 5;
const CONNECTIONS = 64;
const ENTRIES_A_SECOND = 1_000;
/** Log stores have one owner process; no bench of this file uses them. */
const LOGS_ELSEWHERE = { LOG_STORE_URL: 'http://127.0.0.1:9' };

const { values } = parseArgs({
  options: {
    results: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '3' },
    turns: { type: 'string', default: '2' },
  },
});
if (!existsSync(CLI)) {
  process.stderr.write('build first: npm run build\n');
  process.exit(1);
}
const settings = {
  results: Number(values.results),
  seconds: Number(values.seconds),
  turns: Number(values.turns),
};

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const getJson = async (port, path, headers = {}) => {
  const reply = await fetchRaw({ port, path, headers });
  return { ...reply, json: reply.status === 200 ? JSON.parse(reply.body) : null };
};

const ready = async (port) => {
  while ((await getJson(port, '/api/healthcheck?for=traffic')).status !== 200) await pause(100);
};

/** Copies the whole world with the command of the operators. */
const move = (world, env) => {
  const from = (file) => `sqlite:${join(world.dataDir, file)}`;
  const urls = ['--from', from('events.sqlite'), '--to', env.EVENT_STORE_URL];
  const operational = ['--operational-from', from('operational.sqlite'), '--operational-to'];
  const began = performance.now();
  const text = execFileSync(
    process.execPath,
    [CLI, 'copy-events', ...urls, ...operational, env.OPERATIONAL_URL, '--json'],
    { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, PODIUM_DATA: world.dataDir } },
  );
  return { ...JSON.parse(text), seconds: (performance.now() - began) / 1000 };
};

const against = ({ what, ours, embedded, wanted = null }) => {
  const value = medianOf(ours, 'perSecond') / medianOf(embedded, 'perSecond');
  const rates = `${thousands(medianOf(ours, 'perSecond'))} against ${thousands(medianOf(embedded, 'perSecond'))} a second`;
  const medians = `median ${medianOf(ours, 'p50').toFixed(1)} and ${medianOf(embedded, 'p50').toFixed(1)} ms`;
  return { what, value, text: `${value.toFixed(2)} x`, wanted, note: `${rates}, ${medians}` };
};

const commands = async ({ world, node, embedded }) => {
  const { seconds, turns } = settings;
  const post = (port) => (turn) =>
    load({ kind: 'post', port, devices: devicesOn(world, '64 rounds'), pass: turn * 1_000, seconds });
  const [ours, theirs] = await inTurn(turns, post(node.port), post(embedded.port));
  const what = 'commands: durable attempts of 64 devices through one node, against the embedded stores';
  return against({ what, ours, embedded: theirs });
};

/** Events on the server and read models embedded, against bare node:http that appends to the same server. */
const entry = async ({ world, folder, env, eventsPid }) => {
  const { EVENT_STORE_URL: eventStoreUrl, OPERATIONAL_URL } = env;
  const { seconds, turns } = settings;
  const podium = await startPodium(folder, {
    ...LOGS_ELSEWHERE,
    EVENT_STORE_URL: eventStoreUrl,
    OPERATIONAL_URL,
  });
  await ready(podium.port);
  const bare = await startChild('./bare-entry-server.mjs', {
    eventStoreUrl,
    prefix: 'bare',
    replyBytes: await replyBytesOf(world, podium.port),
  });
  const devices = devicesOn(world, '64 rounds');
  const side =
    ({ port, pid }) =>
    async (turn) => {
      const used = () => [
        processorSeconds(pid),
        mainThreadSeconds(pid),
        eventsPid ? processorSeconds(eventsPid) : 0,
      ];
      const before = used();
      const order = { kind: 'post', port, devices, pass: turn * 1_000, requests: ENTRIES_A_SECOND * seconds };
      const entered = await load(order);
      const [all, main, server] = used().map((now, at) => ((now - before[at]) * 1e6) / order.requests);
      return { ...entered, main, others: all - main, server };
    };
  const [ours, theirs] = await inTurn(turns, side(podium), side({ port: bare.answer, pid: bare.pid }));
  await podium.stop();
  await bare.stop();
  const of = (runs, name) => medianOf(runs, name).toFixed(0);
  const both = (name) => `${of(ours, name)} and ${of(theirs, name)}`;
  const shares = `microseconds of processor time an attempt: main thread ${both('main')}, other threads ${both('others')}`;
  const row = against({
    what: 'commands: durable attempts of 64 devices on 64 rounds, against bare node:http on the same server',
    ours,
    embedded: theirs,
    wanted: { atLeast: 0.65 },
  });
  return { ...row, note: `${row.note}; ${shares}${eventsPid ? `, server ${both('server')}` : ''}` };
};

const reads = async ({ world, node, embedded }) => {
  const { seconds, turns } = settings;
  const common = { kind: 'get', path: rankingsPath(world), headers: {}, connections: CONNECTIONS, seconds };
  const get = (port) => () => load({ ...common, port });
  const [ours, theirs] = await inTurn(turns, get(node.port), get(embedded.port));
  const what = 'rankings of 100 read from one node, against the embedded stores';
  return against({ what, ours, embedded: theirs });
};

/** The same number of connections in all, spread over the nodes, with one load generator per node. */
const readsOf = async ({ world, nodes }) => {
  const runs = await Promise.all(
    nodes.map(({ port }) =>
      load({
        kind: 'get',
        port,
        path: rankingsPath(world),
        headers: {},
        connections: Math.round(CONNECTIONS / nodes.length),
        seconds: settings.seconds,
      }),
    ),
  );
  return runs.reduce((sum, { perSecond }) => sum + perSecond, 0);
};

/** Waits until every node shows all entries. Until then, nodes rebuild lists repeatedly. */
const settled = async ({ world, nodes }) => {
  const position = await enter(world, nodes[0]);
  for (const { port } of nodes) await shows(world, port, position);
};

const readsByNodes = async ({ world, nodes }) => {
  await settled({ world, nodes });
  const side = (count) => async () => ({
    perSecond: await readsOf({ world, nodes: nodes.slice(0, count) }),
  });
  const measured = await inTurn(settings.turns, side(1), side(2), side(3));
  const [one, ...more] = measured.map((runs) => medianOf(runs, 'perSecond'));
  const rows = [];
  for (const [index, rate] of more.entries()) {
    const count = index + 2;
    rows.push({
      what: `rankings read from ${count} nodes, against one`,
      value: rate / one,
      text: `${(rate / one).toFixed(2)} x`,
      wanted: null,
      note: `${thousands(rate)} against ${thousands(one)} a second; nodes, generators and servers share ${cpus().length} cores`,
    });
  }
  return rows;
};

const projecting = async (nodes) => {
  for (;;) {
    for (const node of nodes) {
      const { json } = await getJson(node.port, '/api/healthcheck');
      if (json?.projector) return node;
    }
    await pause(50);
  }
};

let attempts = 0;
const enter = async (world, { port }) => {
  attempts += 1;
  const [personId] = world.persons[64];
  const attempt = { personId, attemptNumber: 1, attemptResult: 60_000 + attempts };
  const body = JSON.stringify({ ...world.rounds[64], ...attempt });
  const headers = { 'content-type': 'application/json', 'x-api-key': world.keys[64] };
  const reply = await fetchRaw({ port, path: '/api/enter-attempt', method: 'POST', headers, body });
  if (reply.status !== 201) throw new Error(`an attempt was answered with ${reply.status}: ${reply.body}`);
  return reply.headers['podium-position'];
};

const shows = async (world, port, position) => {
  for (;;) {
    const { status, headers } = await getJson(port, rankingsPath(world), { 'podium-position': position });
    if (status === 200 && headers['podium-stale'] === undefined) return;
  }
};

/** Measures from the end of the lease holder until another node shows a later entry. */
const failover = async ({ world, nodes, signal, what }) => {
  const holder = await projecting(nodes);
  const others = nodes.filter((node) => node !== holder);
  const began = performance.now();
  process.kill(holder.pid, signal);
  await shows(world, others[1].port, await enter(world, others[0]));
  const seconds = (performance.now() - began) / 1000;
  if (signal === 'SIGSTOP') process.kill(holder.pid, 'SIGCONT');
  return {
    what,
    value: seconds,
    text: `${seconds.toFixed(1)} s`,
    wanted: { atMost: 2 * LEASE_SECONDS },
    note: `the lease runs for ${LEASE_SECONDS} s; until another node shows an attempt entered after the end`,
  };
};

const rebuild = async ({ folder, env, events }) => {
  const ours = async () => (await startChild('./rebuild.mjs', { dataDir: folder, env })).answer;
  const [runs, bareRuns] = await inTurn(settings.turns, ours, () => bareDocuments(env.READ_MODEL_URL));
  const [seconds, bare] = [medianOf(runs, 'seconds'), medianOf(bareRuns, 'seconds')];
  const value = bare / seconds;
  const [{ count }] = bareRuns;
  return {
    what: 'rebuild of all read models, against a bare bulkWrite of the same documents with their indexes',
    value,
    text: `${value.toFixed(2)} x`,
    wanted: { atLeast: 0.4 },
    note: `${seconds.toFixed(1)} s against ${bare.toFixed(1)} s, ${thousands(count)} documents of ${thousands(events)} events`,
  };
};

const keep = (rows, names) => {
  const table = markdown(rows);
  const versions = `Node ${process.versions.node}`;
  process.stdout.write(`\n${names.join('\n')}\n\n${table}\n`);
  writeFileSync(
    new URL('./ENGINES.md', import.meta.url),
    `# Figures on servers

As measured by one run of \`npm run bench:engines\`. Nothing here is edited by hand.

- date: ${new Date().toISOString().slice(0, 10)}, commit ${gitCommit()}, ${versions}, ${cpus().length} x ${cpus()[0].model.trim()}
- events: ${names[0]}
- read models and profiles: ${names[1]}
- world: ${settings.results.toLocaleString('en')} results; each side of a comparison ran ${settings.seconds} s a turn, ${settings.turns} turns, medians

${table}
`,
  );
};

const worlds = createWorlds();
const rows = [];
const say = (...found) => {
  for (const row of found) process.stdout.write(`  ${row.what}: ${row.text} (${row.note})\n`);
  rows.push(...found);
};
try {
  const world = await worlds.of(settings.results);
  const servers = await startServers(worlds.root);
  process.stdout.write(`on ${servers.names.join(' and ')}\n`);
  const env = { ...servers.env, ...LOGS_ELSEWHERE };
  const moved = move(world, env);
  say({
    what: 'copy-events from the embedded stores, verified',
    value: null,
    text: `${thousands(moved.events / moved.seconds)} events/s`,
    wanted: null,
    note: `${thousands(moved.events)} events and ${thousands(moved.operational.profiles)} profiles in ${moved.seconds.toFixed(1)} s`,
  });
  const folder = (name) => join(worlds.root, name);
  const nodes = [];
  for (const name of ['node-1', 'node-2', 'node-3']) {
    nodes.push(await startPodium(folder(name), env));
    await ready(nodes.at(-1).port);
  }
  const copy = worlds.copyOf(world);
  const embedded = await startPodium(copy.folder, LOGS_ELSEWHERE);
  await ready(embedded.port);
  say(await reads({ world, node: nodes[0], embedded }));
  say(...(await readsByNodes({ world, nodes })));
  const paused = 'the projector’s node stands still (SIGSTOP): failover';
  say(await failover({ world, nodes, signal: 'SIGSTOP', what: paused }));
  await settled({ world, nodes });
  const killed = 'the projector’s node is killed (SIGKILL, same host): failover';
  say(await failover({ world, nodes, signal: 'SIGKILL', what: killed }));
  for (const node of nodes) await node.stop('SIGKILL');
  say(await rebuild({ folder: folder('rebuild'), env, events: moved.events }));
  const node = await startPodium(folder('node-4'), env);
  await ready(node.port);
  say(await commands({ world, node, embedded }));
  await node.stop('SIGKILL');
  await embedded.stop();
  say(
    await entry({
      world,
      folder: folder('entry'),
      env,
      eventsPid: servers.eventsPid,
    }),
  );
  await servers.stop();
  keep(rows, servers.names);
} finally {
  worlds.remove();
}
