/**
 * Finishing a contest while devices enter, with the server or the finishing command killed at every stage of it: once
 * the contest is finished no attempt follows in the global order, and an ending that was begun completes by itself.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEventStore } from '../../src/app/stores/open-event-store.js';
import { contestStream } from '../../src/competition/aggregates/contest/contest.js';
import type { ContestRef } from '../../src/domain/references.js';
import { StreamNames } from '../../src/domain/streams.js';
import type { EventStore, RecordedEvent } from '../../src/foundation/event-store/event-store.js';
import { Device, type DeviceEnd } from '../support/devices.js';
import { type EntryWorld, makeEntryWorld } from '../support/entry-world.js';
import { openPodiumApp, temporaryFolder } from '../support/podium-app.js';
import { startServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const DEVICES = 6;
const ENTRIES = ['AttemptEntered', 'AttemptCorrected', 'AttemptCleared', 'ResultReplaced', 'ResultRemoved'];
const CLI = fileURLToPath(new URL('../../dist/app/podium.js', import.meta.url));
const NAMES = new StreamNames();

type Victim = 'neither' | 'the server' | 'the command' | 'both';

describe('finishing a contest raced with entry', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await temporaryFolder();
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const prepare = async (contest: ContestRef): Promise<EntryWorld> => {
    const app = await openPodiumApp(dataDir);
    const world = await makeEntryWorld(app.commands, contest, {
      rounds: 3,
      persons: DEVICES,
      devices: DEVICES,
    });
    await app.close();
    return world;
  };

  const finish = ({ spaceId, competitionId }: ContestRef): ChildProcess =>
    spawn(process.execPath, [CLI, 'contest', 'finish', competitionId, '--space', spaceId], {
      env: { PATH: process.env.PATH, PODIUM_DATA: dataDir },
      stdio: 'ignore',
    });

  /** Kills on the nth event of the ending: ContestEnding is the first, then come rounds and keys, ContestFinished is the last. */
  const race = async (victim: Victim, onEvent: number): Promise<void> => {
    const contest = { spaceId: 'race', competitionId: `Race${onEvent}` };
    const world = await prepare(contest);
    const store = await openEventStore(`sqlite:${dataDir}/events.sqlite`, { readOnly: true });
    let server = await startServer({ dataDir });
    const started = new Deferred();
    const entering = startDevices(world, server, () => started.resolve());
    await started.promise;
    const command = finish(contest);
    const commandEnded = once(command, 'exit');
    const ending = new AbortController();
    await endingEvents(store, contest, ending.signal, async (count, type) => {
      if (count === onEvent && (victim === 'the command' || victim === 'both')) command.kill('SIGKILL');
      if (count === onEvent && (victim === 'the server' || victim === 'both')) {
        await server.kill();
        server = await startServer({ dataDir });
      }
      return type === 'ContestFinished';
    });
    const ends = await entering;
    await commandEnded;
    const late = new Device(world.keys[0] ?? '', world.rounds, world.personIds);
    // Its round is closed from the ending on; that its key has ended, the server hears of a little later.
    await until(async () => {
      const end = await late.run(server.url, ending.signal, noted);
      expect([end, isRefusal(end)]).toEqual([end, true]);
      return end;
    }, endedKey);
    await server.stop();
    await expectNothingAfterTheEnd(store, contest);
    await store.close();
    if (victim === 'neither' || victim === 'the command') expect(ends.every(isRefusal)).toBe(true);
    if (victim === 'neither') expect(command.exitCode).toBe(0);
  };

  it('refuses entry from the ending on', () => race('neither', 0));
  it.each([1, 4, 9])('completes by itself when the command is killed on event %i of it', (event) =>
    race('the command', event),
  );
  it.each([1, 6])('completes when the server is killed on event %i of it', (event) =>
    race('the server', event),
  );
  it.each([1, 4, 8])('completes when both are killed on event %i of it', (event) => race('both', event));
});

const noted = (): void => undefined;

const isRefusal = (end: DeviceEnd): boolean =>
  typeof end === 'object' && (end.refusedWith === 401 || end.refusedWith === 422);

const endedKey = (end: DeviceEnd): boolean => typeof end === 'object' && end.refusedWith === 401;

const startDevices = (
  world: EntryWorld,
  server: TestServer,
  onFirst: () => void,
): Promise<readonly DeviceEnd[]> => {
  const never = new AbortController();
  return Promise.all(
    world.keys.map((key, index) =>
      new Device(key, world.rounds, world.personIds.slice(index, index + 1)).run(
        server.url,
        never.signal,
        onFirst,
      ),
    ),
  );
};

class Deferred {
  resolve: () => void = () => undefined;
  readonly promise = new Promise<void>((resolve) => {
    this.resolve = resolve;
  });
}

/** Calls for each event of the contest's ending with its number, from 1, until that says that it was the last. */
const endingEvents = async (
  store: EventStore,
  contest: ContestRef,
  signal: AbortSignal,
  seen: (count: number, type: string) => Promise<boolean>,
): Promise<void> => {
  const types = ['ContestEnding', 'RoundClosed', 'ApiKeyEnded', 'ContestFinished'];
  let count = 0;
  for await (const { events } of store.subscribe({ after: 0, filter: { types }, signal })) {
    for (const event of events) {
      if (!belongsTo(contest, event)) continue;
      count += 1;
      if (await seen(count, event.type)) return;
    }
  }
};

/** Keys are of this contest alone in a store with no other. */
const belongsTo = (contest: ContestRef, { stream }: RecordedEvent): boolean =>
  stream === NAMES.of(contestStream, contest) ||
  isRoundOf(contest, stream) ||
  stream.startsWith(`${NAMES.prefix}api-key/`);

const isRoundOf = ({ spaceId, competitionId }: ContestRef, stream: string): boolean =>
  stream.startsWith(`${NAMES.prefix}round/${spaceId}/${competitionId}/`);

const expectNothingAfterTheEnd = async (store: EventStore, contest: ContestRef): Promise<void> => {
  const log: RecordedEvent[] = [];
  for await (const event of store.readAll()) log.push(event);
  const finished = log.filter(({ type }) => type === 'ContestFinished');
  expect(finished).toHaveLength(1);
  const end = finished[0]?.position ?? 0;
  const entries = log.filter(({ type, stream }) => ENTRIES.includes(type) && isRoundOf(contest, stream));
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.filter(({ position }) => position > end)).toEqual([]);
  const closed = log.filter(({ type }) => type === 'RoundClosed').map(({ stream }) => stream);
  expect(closed).toHaveLength(6);
  for (const stream of closed) {
    const ofRound = log.filter((event) => event.stream === stream);
    expect(ofRound.at(-1)?.type).toBe('RoundClosed');
  }
  expect(log.filter(({ type }) => type === 'ApiKeyEnded')).toHaveLength(DEVICES);
};
