/** From a command's reply to the ranking that shows it, while 64 devices enter, against one commit on the same disk. */
import { rankingsPath, thousands } from '../lib/format.mjs';
import { startPodium } from '../lib/podium-server.mjs';
import { answerOf, load } from '../lib/processes.mjs';
import { inTurn, medianOf } from '../lib/turns.mjs';
import { devicesOn } from './post.mjs';

export const visible = async ({ worlds, settings }) => {
  const world = await worlds.of(settings.results);
  const copy = worlds.copyOf(world);
  const server = await startPodium(copy.folder);
  const { seconds } = settings;
  const prober = {
    port: server.port,
    key: world.keys[64],
    round: world.rounds[0],
    personId: world.persons[64][0],
    path: rankingsPath(world),
    seconds,
  };
  const devices = devicesOn(world, '64 rounds');
  const [runs] = await inTurn(settings.turns, async (turn) => {
    const [entered, seen, commit] = await Promise.all([
      load({ kind: 'post', port: server.port, devices, pass: turn * 1_000, seconds }),
      answerOf('./prober.mjs', prober),
      answerOf('./committer.mjs', { folder: copy.folder, seconds }),
    ]);
    const { p50: seen50, p99: seen99 } = seen;
    return { perSecond: entered.perSecond, seen50, seen99, commit50: commit.p50, commit99: commit.p99 };
  });
  await server.stop();
  copy.remove();
  const of = (name, digits = 1) => medianOf(runs, name).toFixed(digits);
  const value = medianOf(runs, 'seen99') / medianOf(runs, 'commit99');
  return [
    {
      what: 'from the reply to the ranking showing it, p99 under that load, against p99 of one commit',
      value,
      text: `${value.toFixed(2)} x`,
      wanted: { atMost: 3 },
      note: `${of('seen99')} ms (median ${of('seen50')}) against ${of('commit99')} ms (median ${of('commit50', 2)}) of a lone SQLite commit at the same time, at ${thousands(medianOf(runs, 'perSecond'))} entries/s`,
    },
  ];
};
