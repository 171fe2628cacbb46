/**
 * A server under load whose MongoDB is killed and comes back, again and again. Entries go on as far as they need nothing of
 * it, reads go on from what is ready, everything catches up by itself, and afterwards nothing acknowledged is missing
 * and every read is that of a replay. The outages last a second, or as long as PODIUM_TEST_OUTAGE_SECONDS says.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { EngineProcess } from '../support/cluster.js';
import { EntryLoad } from '../support/entry-load.js';
import { mongoServer, someDatabase } from '../support/mongodb/mongo-server.js';

const SECONDS = Number(process.env.PODIUM_TEST_OUTAGE_SECONDS ?? 1);
/** Each asks for the list of a region that no other has asked for. */
const OUTAGES = ['DE', 'FR', 'IT'];
/** Where it is not, what the server has logged says why. */
const FINE = { isAllowed: true, mistakes: [] };
const LONG = 300_000 + SECONDS * OUTAGES.length * 1_000;

const what = 'an outage under load';
const server = await mongoServer(['ReadModelStore', 'OperationalStore'], { what, needsOutage: true });

const underLoad = (engine: EngineProcess, env: EntryLoadEnv): void => {
  let load: EntryLoad;
  afterEach(() => load.end());

  it(
    'that is killed and comes back has lost nothing, and reads are those of a replay',
    async () => {
      load = await EntryLoad.start(env);
      await load.progress(5);
      for (const region of OUTAGES) {
        expect((await load.ranking()).status).toBe(200);
        await engine.end('SIGKILL');
        const over = performance.now() + SECONDS * 1_000;
        const long = load.longRanking(region);
        while (performance.now() < over) {
          const { status } = await load.ranking();
          expect({ isAllowed: status === 200 || status === 503, mistakes: load.mistakes }).toEqual(FINE);
          await pause(50);
        }
        expect({ isAllowed: (await long).status === 503, mistakes: load.mistakes }).toEqual(FINE);
        await engine.start();
        await load.progress(5);
      }
      const { faults, live, replayed } = await load.verdict();
      expect(faults).toEqual([]);
      expect(live).toEqual(replayed);
      expect(live.get('contest load/Load2024')).toContain('"best":');
    },
    LONG,
  );
};

type EntryLoadEnv = Parameters<typeof EntryLoad.start>[0];

describe('a MongoDB', () => {
  if (server?.process) {
    underLoad(server.process, {
      READ_MODEL_URL: server.url(someDatabase()),
      OPERATIONAL_URL: server.url(someDatabase()),
    });
  } else it('did not run: the last lines of npm test say why', () => {});
});
