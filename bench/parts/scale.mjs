/** Latency of a read and an entry in a large world against a small one, and the memory of the server in both. */
import { fetchRaw } from '../lib/fetch-raw.mjs';
import { rankingsPath, thousands } from '../lib/format.mjs';
import { percentile } from '../lib/numbers.mjs';
import { startPodium } from '../lib/podium-server.mjs';
import { load, memoryOf } from '../lib/processes.mjs';
import { inTurn, medianOf } from '../lib/turns.mjs';
import { devicesOn } from './post.mjs';

const SMALL = 10_000;
const HUGE = 10_000_000;

const pathsOf = (eventIds) =>
  eventIds.flatMap((eventId) =>
    ['single', 'average'].flatMap((type) =>
      ['all', 'competitions', 'online'].flatMap((category) =>
        ['persons', 'results'].flatMap((show) =>
          ['', '&region=US', '&region=XE'].map(
            (region) => `/api/results/rankings/${eventId}/${type}/${category}?show=${show}${region}`,
          ),
        ),
      ),
    ),
  );

/** The first read of lists that no client has requested yet. */
const firstReads = async ({ server, world }) => {
  const eventIds = [...new Set(world.rounds.map(({ eventId }) => eventId))].slice(0, 4);
  const took = [];
  for (const path of pathsOf(eventIds)) {
    const began = performance.now();
    const { status } = await fetchRaw({ port: server.port, path });
    if (status !== 200) throw new Error(`${path} was answered with ${status}`);
    took.push(performance.now() - began);
  }
  const sorted = Float64Array.from(took).sort();
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), reads: took.length };
};

const open = async (worlds, results) => {
  const world = await worlds.of(results);
  const copy = worlds.copyOf(world);
  const server = await startPodium(copy.folder);
  return { world, copy, server, idle: memoryOf(server.pid) };
};

const megabytes = (bytes) => Math.round(bytes / 2 ** 20);

const memoryRow = ({ results, small, large, idle }) => {
  const perResult = Math.max(0, large.now - small.now) / (results - SMALL);
  const huge = large.now + perResult * (HUGE - results);
  const course = `${megabytes(idle.now)} MB after the start, ${megabytes(large.peak)} MB at most`;
  return {
    what: `memory of the server at ${thousands(results)} results`,
    value: null,
    text: `${megabytes(large.now)} MB`,
    wanted: null,
    note: `resident after reads and entry (${course}); ${megabytes(small.now)} MB at ${thousands(SMALL)}; on the same line ${megabytes(huge)} MB at ${thousands(HUGE)}`,
  };
};

export const scale = async ({ worlds, settings }) => {
  const { results, seconds, turns } = settings;
  const small = await open(worlds, SMALL);
  const large = await open(worlds, results);
  const firstSmall = await firstReads(small);
  const firstLarge = await firstReads(large);
  const reading =
    ({ server, world }) =>
    () =>
      load({
        kind: 'get',
        port: server.port,
        path: rankingsPath(world),
        headers: {},
        connections: 64,
        seconds,
      });
  const entering =
    ({ server, world }) =>
    (turn) =>
      load({
        kind: 'post',
        port: server.port,
        devices: devicesOn(world, '64 rounds'),
        pass: turn * 1_000,
        seconds,
      });
  const reads = await inTurn(turns, reading(small), reading(large));
  const entries = await inTurn(turns, entering(small), entering(large));
  const memory = { small: memoryOf(small.server.pid), large: memoryOf(large.server.pid) };
  for (const side of [small, large]) {
    await side.server.stop();
    side.copy.remove();
  }
  const sizes = `${thousands(results)} against ${thousands(SMALL)} results`;
  const costRow = (what, [before, after]) => {
    const value = medianOf(before, 'perSecond') / medianOf(after, 'perSecond');
    const rates = `${thousands(medianOf(after, 'perSecond'))} against ${thousands(medianOf(before, 'perSecond'))}`;
    const text = `${value.toFixed(2)} x`;
    return { what: `${what} at ${sizes}`, value, text, wanted: { atMost: 1.2 }, note: `${rates} requests/s` };
  };
  return [
    costRow('cost of GET rankings', reads),
    costRow('cost of POST enter-attempt', entries),
    {
      what: `first read of a list that no client has requested, at ${sizes}`,
      value: null,
      text: `median ${firstLarge.p50.toFixed(1)} and ${firstSmall.p50.toFixed(1)} ms`,
      wanted: null,
      note: `p99 ${firstLarge.p99.toFixed(1)} and ${firstSmall.p99.toFixed(1)} ms, ${firstLarge.reads} lists`,
    },
    memoryRow({ results, ...memory, idle: large.idle }),
  ];
};
