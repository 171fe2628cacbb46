/** A rebuild of all read models against reading the log and inserting the same rows. */
import { join } from 'node:path';
import { thousands } from '../lib/format.mjs';
import { median } from '../lib/numbers.mjs';
import { startChild } from '../lib/processes.mjs';
import { inTurn } from '../lib/turns.mjs';

export const rebuild = async ({ worlds, settings }) => {
  const world = await worlds.of(settings.results);
  const copy = worlds.copyOf(world);
  const order = {
    dataDir: copy.folder,
    events: join(copy.folder, 'events.sqlite'),
    readModels: join(world.dataDir, 'read-models.sqlite'),
    target: join(copy.folder, 'bare.sqlite'),
  };
  const run = (module) => async () => (await startChild(module, order)).answer;
  const [ours, theirs] = await inTurn(settings.rebuilds, run('./rebuild.mjs'), run('./bare-rebuild.mjs'));
  copy.remove();
  const seconds = median(ours.map((answer) => answer.seconds));
  const bare = median(theirs.map(({ log, insert }) => log.seconds + insert.seconds));
  const [{ log, insert }] = theirs;
  const value = bare / seconds;
  const parts = `log ${log.seconds.toFixed(1)}, rows and indexes ${insert.seconds.toFixed(1)}`;
  const amounts = `${thousands(log.events)} events, ${thousands(insert.rows)} rows`;
  return [
    {
      what: 'rebuild of all read models against the bare work in it',
      value,
      text: `${value.toFixed(2)} x`,
      wanted: { atLeast: 0.5 },
      note: `${seconds.toFixed(1)} s against ${bare.toFixed(1)} s (${parts}), ${amounts}, ${thousands(log.events / seconds)} events/s`,
    },
  ];
};
