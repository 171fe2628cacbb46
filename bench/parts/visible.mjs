/**
 * From a command's reply to the ranking that shows it, while 64 devices enter, against one commit on the same disk: at 1,000
 * attempts a second, at half the highest load, and at the highest.
 */
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
  let pass = 0;
  const under = (perSecond) => async () => {
    pass += 1_000;
    const [entered, seen, commit] = await Promise.all([
      load({ kind: 'post', port: server.port, devices, pass, seconds, perSecond }),
      answerOf('./prober.mjs', prober),
      answerOf('./committer.mjs', { folder: copy.folder, seconds }),
    ]);
    const { p50: seen50, p99: seen99 } = seen;
    return { perSecond: entered.perSecond, seen50, seen99, commit50: commit.p50, commit99: commit.p99 };
  };
  const [highest] = await inTurn(settings.turns, under());
  const [thousand, half] = await inTurn(
    settings.turns,
    under(1_000),
    under(Math.round(medianOf(highest, 'perSecond') / 2)),
  );
  await server.stop();
  copy.remove();
  return [
    rowOf('at 1,000 attempts/s', 3, thousand),
    rowOf('at half the highest load', 3, half),
    rowOf('at the highest load', 10, highest),
  ];
};

const rowOf = (under, atMost, runs) => {
  const of = (name, digits = 1) => medianOf(runs, name).toFixed(digits);
  const value = medianOf(runs, 'seen99') / medianOf(runs, 'commit99');
  return {
    what: `from the reply to the ranking showing it, p99 against p99 of one commit, ${under}`,
    value,
    text: `${value.toFixed(2)} x`,
    wanted: { atMost },
    note: `${of('seen99')} ms (median ${of('seen50')}) against ${of('commit99')} ms (median ${of('commit50', 2)}) of a lone SQLite commit at the same time, at ${thousands(medianOf(runs, 'perSecond'))} entries/s`,
  };
};
