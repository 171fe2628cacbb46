/** A cached result of a log endpoint against rankings, from the same server. */
import { fetchRaw } from '../lib/fetch-raw.mjs';
import { rankingsPath, thousands } from '../lib/format.mjs';
import { startPodium } from '../lib/podium-server.mjs';
import { load } from '../lib/processes.mjs';
import { issueToken } from '../lib/token.mjs';
import { inTurn, medianOf } from '../lib/turns.mjs';

/** Minutes of the last hour that have requests: as many buckets come out. */
const BUCKETS = 58;
const PROJECT = 'benchproject';

const ingest = async ({ port, token }) => {
  const entries = Array.from({ length: BUCKETS * 10 }, (_, index) => {
    const path = `/${['rest', 'storage', 'auth', 'realtime'][index % 4]}/v1`;
    const url = `https://${PROJECT}.example${path}`;
    const timestamp = new Date(Date.now() - (1 + (index % BUCKETS)) * 60_000).toISOString();
    return {
      timestamp,
      project: PROJECT,
      event_message: `GET ${path}`,
      metadata: { request: { path, url } },
    };
  });
  const reply = await fetch(`http://127.0.0.1:${port}/api/logs?source=edge_logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': token },
    body: JSON.stringify(entries),
  });
  if (reply.status !== 201) throw new Error(`the entries were answered with ${reply.status}`);
};

export const cached = async ({ worlds, settings }) => {
  const world = await worlds.of(settings.results);
  const token = issueToken(world.dataDir, ['ingest', 'query']);
  const server = await startPodium(world.dataDir);
  const { port } = server;
  await ingest({ port, token });
  const calls = {
    path: `/api/endpoints/query/usage.api-counts?interval=minutely&project=${PROJECT}`,
    headers: { 'x-api-key': token, 'content-type': 'application/json; charset=utf-8' },
  };
  const reply = await fetchRaw({ port, ...calls });
  if (reply.status !== 200) throw new Error(`${calls.path} was answered with ${reply.status}`);
  const measure = (request) => () =>
    load({ kind: 'get', port, connections: 64, seconds: settings.seconds, ...request });
  const rankings = { path: rankingsPath(world), headers: {} };
  const [ours, theirs] = await inTurn(settings.turns, measure(calls), measure(rankings));
  await server.stop();
  const value = medianOf(ours, 'perSecond') / medianOf(theirs, 'perSecond');
  const rates = `${thousands(medianOf(ours, 'perSecond'))} against ${thousands(medianOf(theirs, 'perSecond'))}`;
  return [
    {
      what: 'a cached result of usage.api-counts against GET rankings, 64 connections',
      value,
      text: `${value.toFixed(2)} x`,
      wanted: { atLeast: 0.8 },
      note: `${rates} requests/s, ${reply.body.length} bytes against 100 entries, each with its token checked`,
    },
  ];
};
