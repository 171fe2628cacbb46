/** Rankings read over HTTP against a bare node:http server with the same bytes and headers. */
import { fetchRaw } from '../lib/fetch-raw.mjs';
import { rankingsPath, thousands } from '../lib/format.mjs';
import { startPodium } from '../lib/podium-server.mjs';
import { load, startChild } from '../lib/processes.mjs';
import { inTurn, medianOf } from '../lib/turns.mjs';

/** Node sets these by itself, on both sides. */
const BY_NODE = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

const compare = async ({ port, path, headers, settings, what }) => {
  const reply = await fetchRaw({ port, path, headers });
  if (reply.status !== 200) throw new Error(`${path} was answered with ${reply.status}`);
  const kept = Object.fromEntries(Object.entries(reply.headers).filter(([name]) => !BY_NODE.includes(name)));
  const bare = await startChild('./bare-read-server.mjs', {
    headers: { ...kept, 'content-length': reply.body.length },
    body: reply.body.toString('base64'),
  });
  const measure = (side) => () =>
    load({ kind: 'get', port: side, path, headers, connections: 64, seconds: settings.seconds });
  const [ours, theirs] = await inTurn(settings.turns, measure(port), measure(bare.answer));
  await bare.stop();
  const value = medianOf(ours, 'perSecond') / medianOf(theirs, 'perSecond');
  const p99s = `${medianOf(ours, 'p99').toFixed(1)} and ${medianOf(theirs, 'p99').toFixed(1)} ms`;
  const generator = Math.round(100 * Math.max(...theirs.map(({ generatorCpu }) => generatorCpu)));
  const rates = `${thousands(medianOf(ours, 'perSecond'))} against ${thousands(medianOf(theirs, 'perSecond'))}`;
  return {
    what,
    value,
    text: `${value.toFixed(2)} x`,
    wanted: { atLeast: 0.85 },
    note: `${rates} requests/s of ${reply.body.length} bytes, p99 ${p99s}; the generator used ${generator} % of a core`,
  };
};

export const get = async ({ worlds, settings }) => {
  const world = await worlds.of(settings.results);
  const server = await startPodium(world.dataDir);
  const common = { port: server.port, path: rankingsPath(world), settings };
  const plain = 'GET rankings against bare node:http, 64 connections';
  const compressed = 'the same, compressed as browsers ask for it';
  const rows = [
    await compare({ ...common, headers: {}, what: plain }),
    await compare({ ...common, headers: { 'accept-encoding': 'gzip, br' }, what: compressed }),
  ];
  await server.stop();
  return rows;
};
