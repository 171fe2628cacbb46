/** A round with a thousand viewers against one with a single viewer: how long an attempt takes to reach them. */
import { startPodium } from '../lib/podium-server.mjs';
import { answerOf } from '../lib/processes.mjs';
import { inTurn, medianOf } from '../lib/turns.mjs';

const MANY = 1_000;

export const live = async ({ worlds, settings }) => {
  const world = await worlds.of(settings.results);
  const copy = worlds.copyOf(world);
  const server = await startPodium(copy.folder);
  const watchedBy = (viewers) => () =>
    answerOf('./viewers.mjs', {
      port: server.port,
      key: world.keys[64],
      round: world.rounds[0],
      personId: world.persons[64][0],
      viewers,
      seconds: settings.seconds,
    });
  const [many, one] = await inTurn(settings.turns, watchedBy(MANY), watchedBy(1));
  await server.stop();
  copy.remove();
  const value = medianOf(many, 'p99') / medianOf(one, 'p99');
  const times = (runs) =>
    `${medianOf(runs, 'p99').toFixed(1)} ms (median ${medianOf(runs, 'p50').toFixed(1)})`;
  return [
    {
      what: `from the reply to the viewers of a live round, p99 with ${MANY} of them against one`,
      value,
      text: `${value.toFixed(2)} x`,
      wanted: { atMost: 5 },
      note: `${times(many)} against ${times(one)}`,
    },
  ];
};
