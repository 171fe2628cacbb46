/**
 * What an attempt costs in a round with a long history against one with as many events as results: the processor time of the
 * server and the p99 of a POST. While the server runs, right after its start, and on a node beside the one that wrote last;
 * without and with an Idempotency-Key.
 */
import { fetchRaw } from '../lib/fetch-raw.mjs';
import { thousands } from '../lib/format.mjs';
import { startPodium } from '../lib/podium-server.mjs';
import { load, processorSeconds, startChild } from '../lib/processes.mjs';
import { inTurn, medianOf } from '../lib/turns.mjs';

const RESULTS = 1_000;
const REQUESTS = 5_000;
const WANTED = { atMost: 1.2 };
const LOOK_EVERY_MS = 50;

/** Resolves when the read models show everything: their work belongs to the entries. */
const caughtUp = async ({ port }) => {
  for (;;) {
    const { status, body } = await fetchRaw({ port, path: '/api/healthcheck' });
    if (status === 200 && JSON.parse(body.toString()).readModels.lag === 0) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
};

/** One run of all devices on one round. `processorMs`: of the server and its projector, for each POST. */
const enter = async (server, { histories, round, keyed, pass, requests }) => {
  const devices = histories.devices.map((device) => ({ ...device, round }));
  await caughtUp(server);
  const before = processorSeconds(server.pid);
  const { replies, p99, perSecond } = await load({
    kind: 'post',
    port: server.port,
    devices,
    pass,
    keyed,
    requests,
  });
  await caughtUp(server);
  return { p99, perSecond, processorMs: ((processorSeconds(server.pid) - before) * 1_000) / replies };
};

/** Each gets the order, and measures one side of one turn. */
const SITUATIONS = {
  'while the server runs': async ({ nodes: [server] }, order) => {
    await enter(server, { ...order, pass: order.pass + 500 });
    return enter(server, order);
  },
  'right after a start': async ({ folder }, order) => {
    const server = await startPodium(folder);
    const measured = await enter(server, order);
    await server.stop();
    return measured;
  },
  /** It has the state from before, as a node that serves the same devices has. */
  'on another node': async ({ nodes: [server, other] }, order) => {
    await enter(other, { ...order, pass: order.pass + 250, requests: order.histories.devices.length });
    await enter(server, { ...order, pass: order.pass + 500 });
    return enter(other, order);
  },
};

/** Two nodes whose code is warm. */
const startNodes = async (folder, order) => {
  const first = await startPodium(folder);
  const nodes = [first, await startPodium(folder, { LOG_STORE_URL: `http://127.0.0.1:${first.port}` })];
  for (const [index, node] of nodes.entries())
    await enter(node, { ...order, pass: order.pass + index * 500 });
  return nodes;
};

const rowsOf = ({ situation, keyed, histories, settings }, [long, short]) => {
  const what = `POST enter-attempt on a round of ${thousands(settings.history)} events against one of ${thousands(RESULTS)}, ${situation}${keyed ? ', with Idempotency-Key' : ''}`;
  const rates = `${thousands(medianOf(long, 'perSecond'))} and ${thousands(medianOf(short, 'perSecond'))} requests/s`;
  const row = (name, measure, unit) => {
    const [ours, theirs] = [medianOf(long, measure), medianOf(short, measure)];
    const value = ours / theirs;
    const note = `${ours.toFixed(3)} and ${theirs.toFixed(3)} ${unit}, ${rates}, ${thousands(REQUESTS)} requests of ${histories.devices.length} devices`;
    return { what: `${what}: ${name}`, value, text: `${value.toFixed(2)} x`, wanted: WANTED, note };
  };
  return [row('processor time', 'processorMs', 'ms'), row('p99', 'p99', 'ms')];
};

export const longRounds = async ({ worlds, settings }) => {
  const world = await worlds.of(Math.min(settings.results, 10_000));
  const { folder, remove } = worlds.copyOf(world);
  const situations = Object.entries(SITUATIONS).flatMap(([situation, measure]) =>
    [false, true].map((keyed) => ({ situation, measure, keyed })),
  );
  const short = situations.length * settings.turns + 1;
  const order = { dataDir: folder, results: RESULTS, events: settings.history, short };
  const { answer } = await startChild('./prepare-histories.mjs', order);
  if (answer.error !== undefined) throw new Error(answer.error);
  const histories = answer.prepared;
  const [spare, ...unused] = histories.short;
  const rows = [];
  let pass = 0;
  const entering = (round, keyed) => {
    pass += 1_000;
    return { histories, round, keyed, pass, requests: REQUESTS };
  };
  for (const { situation, measure, keyed } of situations) {
    const nodes = situation === 'right after a start' ? [] : await startNodes(folder, entering(spare, keyed));
    const side = (roundOf) => () => measure({ nodes, folder }, entering(roundOf(), keyed));
    const sides = [side(() => histories.long), side(() => unused.pop())];
    rows.push(...rowsOf({ situation, keyed, histories, settings }, await inTurn(settings.turns, ...sides)));
    for (const node of nodes.toReversed()) await node.stop();
  }
  remove();
  return rows;
};
