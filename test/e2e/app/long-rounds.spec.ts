/**
 * A round whose history is long, and a request from its beginning that comes again: in the process that has seen it all, after a
 * restart, and in another process beside. Those after the first begin at its snapshot.
 */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { roundAggregate } from '../../../src/competition/aggregates/round/round.decider.js';
import { EnterAttempt, type EnteredResult } from '../../../src/competition/rounds/round.commands.js';
import { StreamNames } from '../../../src/domain/streams.js';
import { Aggregates } from '../../../src/foundation/aggregates/aggregates.js';
import { EVENT_STORE, type EventStore } from '../../../src/foundation/event-store/event-store.js';
import type { Stores } from '../../support/cluster.js';
import { type EntryWorld, makeEntryWorld } from '../../support/entry-world.js';
import { appendNext, newEvent } from '../../support/events.js';
import { openPodiumApp, type PodiumApp, temporaryFolder } from '../../support/podium-app.js';
import { STORE_PAIRS } from '../../support/store-pairs.js';
import { until } from '../../support/until.js';

const CONTEXT = { actor: 'test', correlationId: 'long rounds' };
const CONTEST = { spaceId: 'load', competitionId: 'Load2024' };
const CORRECTIONS = 2_500;
const CHUNK = 500;

describe.each(STORE_PAIRS)('a round with a long history on $name', ({ open }) => {
  let stores: Stores;
  let folder: string;
  let world: EntryWorld;
  const apps: PodiumApp[] = [];

  const start = async (): Promise<PodiumApp> => {
    const app = await openPodiumApp(folder, stores.env);
    apps.push(app);
    return app;
  };

  beforeAll(async () => {
    stores = await open();
    folder = await temporaryFolder();
    const { commands } = await start();
    world = await makeEntryWorld(commands, CONTEST, { rounds: 1, persons: 1, devices: 1 });
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await stores.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const round = () => world.rounds[0] ?? { ...CONTEST, eventId: '', roundNumber: 0 };

  /** `key`: with a request of this key, and a fingerprint of its own for each value. */
  const enter = async (app: PodiumApp, value: number, key?: string): Promise<Partial<EnteredResult>> => {
    const selector = { by: 'personId' as const, personIds: world.personIds };
    const request = key === undefined ? undefined : { key, fingerprint: `of ${value}` };
    const command = new EnterAttempt(round(), selector, 1, value, CONTEXT, request);
    const { results } = await app.commands.execute(command);
    return { changed: results[0]?.changed ?? false, attempts: results[0]?.attempts.slice(0, 1) ?? [] };
  };

  const snapshots = async (app: PodiumApp, what: string): Promise<number> => {
    const name = `podium_snapshots_total{aggregate="round",outcome="${what}"} `;
    const lines = app.get(Aggregates).metrics.text().split('\n');
    return Number(lines.find((line) => line.startsWith(name))?.slice(name.length));
  };

  const correct = async (app: PodiumApp): Promise<void> => {
    const events = app.get<EventStore>(EVENT_STORE);
    const stream = app.get(StreamNames).of(roundAggregate.stream, round());
    const [first] = (await events.readStream(stream, { direction: 'backwards', limit: 1 })) ?? [];
    const { resultId, personIds } = Object(first?.data);
    for (let at = 0; at < CORRECTIONS; at += CHUNK) {
      const chunk = Array.from({ length: CHUNK }, (_, index) => {
        const data = { resultId, personIds, attemptNumber: 1, value: 2_000 + at + index, previous: 1 };
        return newEvent('AttemptCorrected', data);
      });
      await appendNext(events, stream, chunk);
    }
  };

  it('knows a request from its beginning in every process, and none reads it from the beginning', async () => {
    const first = await start();
    expect(await enter(first, 1_001, 'first')).toEqual({ changed: true, attempts: [1_001] });
    await correct(first);
    expect(await enter(first, 9_000)).toEqual({ changed: true, attempts: [9_000] });
    await until(
      () => snapshots(first, 'saved'),
      (saved) => saved > 0,
    );
    expect(await enter(first, 1_001, 'first')).toEqual({ changed: false, attempts: [9_000] });
    await apps.pop()?.close();

    for (const value of [9_001, 9_002]) {
      const later = await start();
      expect(await enter(later, 1_001, 'first')).toEqual({ changed: false, attempts: [value - 1] });
      await expect(enter(later, 1_002, 'first')).rejects.toThrow('another body');
      expect(await snapshots(later, 'loaded')).toBe(1);
      expect(await enter(later, value)).toEqual({ changed: true, attempts: [value] });
    }
  });
});
