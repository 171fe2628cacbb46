/**
 * Read models can be thrown away: what a replay builds from the events gives the same bytes on every read path as
 * what came about event by event. Also where all of it was deleted, and while histories went on meanwhile.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import fc from 'fast-check';
import { EVENT_STORE, type EventStore } from '../../src/eventstore/event-store.js';
import { Projector } from '../../src/projections/projector.js';
import { projections } from '../../src/projections/registry.js';
import { type History, histories } from '../support/histories.js';
import { HistoryRunner } from '../support/history-runner.js';
import { openPodiumApp, type PodiumApp, temporaryFolder } from '../support/podium-app.js';
import { propertyRuns } from '../support/property-runs.js';
import { type ReadableSpace, readEverything } from '../support/read-everything.js';

const STEPS = 40;
const LONG = 600_000;

describe('replay', () => {
  let dataDir: string;
  let app: PodiumApp;
  let spaces = 0;

  beforeAll(async () => {
    dataDir = await temporaryFolder();
    app = await openPodiumApp(dataDir);
  });
  afterAll(async () => {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const runAll = async (some: readonly History[]): Promise<readonly ReadableSpace[]> => {
    const runner = new HistoryRunner(app.get(CommandBus));
    const ran: ReadableSpace[] = [];
    for (const history of some) {
      spaces += 1;
      ran.push(await runner.run(history, `space${spaces}`, async () => undefined));
    }
    return ran;
  };

  const everythingOf = async (some: readonly ReadableSpace[]): Promise<ReadonlyMap<string, string>> => {
    await app.waitFor(await app.get<EventStore>(EVENT_STORE).head());
    return readEverything(app.get(QueryBus), some);
  };

  /** A new application has no copies of old answers. */
  const reopen = async (meanwhile: () => Promise<void> = async () => undefined): Promise<void> => {
    await app.close();
    await meanwhile();
    app = await openPodiumApp(dataDir);
  };

  const replayAll = (): Promise<void> => app.get(Projector).replay(projections.map(({ name }) => name));

  const deleteReadModels = async (): Promise<void> => {
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
          await replayAll();
          await reopen();
          expect(await everythingOf(ran)).toEqual(live);
        },
      );
      await fc.assert(law, propertyRuns(5, LONG / 2));
    },
    LONG,
  );

  it('does so with all read models deleted', async () => {
    const ran = await runAll(fc.sample(histories(STEPS), { numRuns: 3, seed: 1 }));
    const live = await everythingOf(ran);
    await reopen(deleteReadModels);
    expect(await everythingOf(ran)).toEqual(live);
  });

  it('loses nothing that happens while it builds', async () => {
    const replaying = replayAll();
    const ran = await runAll(fc.sample(histories(STEPS), { numRuns: 3, seed: 2 }));
    await replaying;
    await reopen();
    const rebuilt = await everythingOf(ran);
    await reopen(deleteReadModels);
    expect(await everythingOf(ran)).toEqual(rebuilt);
  });
});
