/**
 * Read models can be thrown away: what a replay builds from the events gives the same bytes on every read path as
 * what came about event by event. Also where all of it was deleted, and while histories went on meanwhile.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type History, histories, unattended } from '../../../support/histories.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { type ReadableSpace, readEverything } from '../../../support/read-everything.js';
import { RestartingApp } from '../../../support/restarting-app.js';

const STEPS = 40;
const LONG = 1_800_000;

describe('replay', () => {
  let app: RestartingApp;
  let spaces = 0;

  beforeAll(async () => {
    app = await RestartingApp.open();
  });
  afterAll(() => app.close());

  const runAll = async (some: readonly History[]): Promise<readonly ReadableSpace[]> => {
    const runner = app.runner();
    const ran: ReadableSpace[] = [];
    for (const history of some) {
      spaces += 1;
      ran.push(await runner.run(history, `space${spaces}`, async () => undefined));
    }
    return ran;
  };

  const everythingOf = async (some: readonly ReadableSpace[]): Promise<ReadonlyMap<string, string>> => {
    await app.caughtUp();
    return readEverything(app.queries, some);
  };

  const deleteReadModels = async (): Promise<void> => {
    const { dataDir } = app.app;
    const files = (await readdir(dataDir)).filter((name) => name.startsWith('read-models'));
    expect(files).not.toEqual([]);
    for (const name of files) await rm(join(dataDir, name));
  };

  it(
    'gives the same bytes on every read path as the live read models',
    async () => {
      const law = fc.asyncProperty(
        fc.array(histories(STEPS), { minLength: 1, maxLength: 3 }),
        async (some) => {
          const ran = await runAll(some);
          const live = await everythingOf(ran);
          await app.replay();
          // A new application has no copies of old answers.
          await app.restart();
          expect(await everythingOf(ran)).toEqual(live);
        },
      );
      await fc.assert(law, propertyRuns(3, LONG / 2));
    },
    LONG,
  );

  it('does so with all read models deleted', async () => {
    const ran = await runAll(fc.sample(histories(STEPS), { numRuns: 3, seed: 1 }));
    const live = await everythingOf(ran);
    await app.restart(deleteReadModels);
    expect(await everythingOf(ran)).toEqual(live);
  });

  it('loses nothing that happens while it builds', async () => {
    const replaying = app.replay();
    const ran = await runAll(fc.sample(histories(STEPS).map(unattended), { numRuns: 3, seed: 2 }));
    await replaying;
    await app.restart();
    const rebuilt = await everythingOf(ran);
    await app.restart(deleteReadModels);
    expect(await everythingOf(ran)).toEqual(rebuilt);
  });
});
