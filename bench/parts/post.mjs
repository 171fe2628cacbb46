/** Durable result entry against a bare server on the same store, with every device on its own round and all on one. */
import { fetchRaw } from '../lib/fetch-raw.mjs';
import { thousands } from '../lib/format.mjs';
import { startPodium } from '../lib/podium-server.mjs';
import { load, startChild } from '../lib/processes.mjs';
import { inTurn, medianOf } from '../lib/turns.mjs';

/** 64 devices with 20 competitors each, on 64 rounds or on the 65th together. */
export const devicesOn = (world, kind) =>
  world.keys.slice(0, 64).map((key, index) => ({
    key,
    round: kind === 'one round' ? world.rounds[64] : world.rounds[index],
    personIds: world.persons[index],
  }));

/** The size of Podium's reply to an attempt, which the bare server sends, too. */
export const replyBytesOf = async (world, port) => {
  const [personId] = world.persons[64];
  const body = JSON.stringify({ ...world.rounds[0], personId, attemptNumber: 1, attemptResult: 5_000 });
  const headers = { 'content-type': 'application/json', 'x-api-key': world.keys[64] };
  const reply = await fetchRaw({ port, path: '/api/enter-attempt', method: 'POST', headers, body });
  if (reply.status !== 201) throw new Error(`an attempt was answered with ${reply.status}: ${reply.body}`);
  return reply.body.length;
};

const compare = async ({ world, kind, ours, theirs, settings }) => {
  const devices = devicesOn(world, kind);
  const measure = (port) => (turn) =>
    load({ kind: 'post', port, devices, pass: turn * 1_000, seconds: settings.seconds });
  const [podium, bare] = await inTurn(settings.turns, measure(ours), measure(theirs));
  const value = medianOf(podium, 'perSecond') / medianOf(bare, 'perSecond');
  const both = (name) => `${medianOf(podium, name).toFixed(1)} and ${medianOf(bare, name).toFixed(1)} ms`;
  const rates = `${thousands(medianOf(podium, 'perSecond'))} against ${thousands(medianOf(bare, 'perSecond'))}`;
  return {
    what: `POST enter-attempt, durable, 64 devices on ${kind}, against bare node:http on the same store`,
    value,
    text: `${value.toFixed(2)} x`,
    wanted: { atLeast: 0.6 },
    note: `${rates} requests/s, median ${both('p50')}, p99 ${both('p99')}`,
  };
};

export const post = async ({ worlds, settings }) => {
  const world = await worlds.of(settings.results);
  const copy = worlds.copyOf(world);
  const peerCopy = worlds.copyOf(world, 'events');
  const server = await startPodium(copy.folder);
  const bare = await startChild('./bare-entry-server.mjs', {
    eventStoreUrl: `sqlite:${peerCopy.folder}/events.sqlite`,
    replyBytes: await replyBytesOf(world, server.port),
  });
  const rows = [];
  for (const kind of ['64 rounds', 'one round']) {
    rows.push(await compare({ world, kind, ours: server.port, theirs: bare.answer, settings }));
  }
  await server.stop();
  await bare.stop();
  copy.remove();
  peerCopy.remove();
  return rows;
};
