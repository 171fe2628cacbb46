/**
 * Random flips and cuts of every file of a stopped server, and of the write-ahead log of the events of a killed one. What is damaged
 * is answered rightly or not at all; whatever is missing is named at the start or by `podium verify`, which names each change of a
 * stored row, too; and read models heal. PODIUM_TEST_DAMAGES sets how many are tried of all files, and PODIUM_TEST_SEED which.
 */
import { cp, open, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { cliWiring } from '../../src/app/cli-wiring.js';
import { Random } from '../../src/app/generators/world/random.js';
import { verify } from '../../src/cli/verification.js';
import { SqliteDatabase } from '../../src/engines/sqlite/sqlite.js';
import { isOutage } from '../../src/foundation/basics/store-unavailable.js';
import { loadConfig } from '../../src/foundation/config.js';
import { EVENT_STORE, type EventStore } from '../../src/foundation/event-store/event-store.js';
import { DamageLog } from '../../src/foundation/integrity/damage-log.js';
import { LossGuard } from '../../src/foundation/losses/loss-guard.js';
import { READ_MODELS, type ReadModels } from '../../src/foundation/projections/read-models.js';
import { openPodiumApp, type PodiumApp, temporaryFolder } from '../support/podium-app.js';
import { until } from '../support/until.js';
import {
  makeWholeInstallation,
  readWholeInstallation,
  type Told,
  type WholeInstallation,
} from '../support/whole-installation.js';

jest.setTimeout(3_600_000);

const SEED = Number(process.env.PODIUM_TEST_SEED ?? 1);
const MAX_FLIPS = 40;

interface Tried {
  readonly name: string;
  readonly ofKilled?: boolean;
  /** All of it is answered again in the end. */
  readonly heals?: boolean;
  /** Where a file with as many as the others would seldom open. */
  readonly maxFlips?: number;
}

const FILES = [
  { name: 'events.sqlite' },
  { name: 'events.sqlite-wal', ofKilled: true },
  { name: 'operational.sqlite', maxFlips: 4 },
  { name: 'read-models.sqlite', heals: true },
  { name: 'read-models.sqlite-lock', heals: true },
  { name: 'read-models.sqlite-results', heals: true },
  { name: 'read-models.sqlite-snapshots', heals: true },
  { name: 'logs.duckdb' },
] satisfies Tried[];
const TRIES = Math.ceil(Number(process.env.PODIUM_TEST_DAMAGES ?? 16) / FILES.length);

const isSqlite = (name: string): boolean => /\.sqlite(-results|-snapshots)?$/.test(name);

let stopped: string;
let killed: string;
let installation: WholeInstallation;
let expected: Told;

/** All rows as they are in the file, past every check. Null: the engine cannot read them. */
const rowsIn = (file: string): string | null => {
  const db = new SqliteDatabase(file, { readonly: true });
  try {
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all();
    return JSON.stringify(tables.map((name) => db.prepare(`SELECT * FROM "${name}" NOT INDEXED`).all()));
  } catch {
    return null;
  } finally {
    db.close();
  }
};

const copyOf = async (folder: string): Promise<string> => {
  const copy = await temporaryFolder();
  await cp(folder, copy, { recursive: true, filter: (path) => !/(-shm|\.sock)$/.test(path) });
  return copy;
};

beforeAll(async () => {
  stopped = await temporaryFolder();
  const app = await openPodiumApp(stopped);
  installation = await makeWholeInstallation(app);
  // The witness follows within a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  killed = await copyOf(stopped);
  expected = await readWholeInstallation(app, installation);
  await app.close();
  expect(expected.refused).toEqual([]);
});
afterAll(async () => {
  for (const folder of [stopped, killed]) await rm(folder, { recursive: true, force: true });
});

const damage = async (file: string, random: Random, maxFlips: number): Promise<string> => {
  const { size } = await stat(file);
  if (random.chance(0.2)) {
    const length = random.integer(0, size - 1);
    await truncate(file, length);
    return `cut to ${length} of ${size} bytes`;
  }
  const handle = await open(file, 'r+');
  const places = Array.from({ length: random.integer(1, maxFlips) }, () => random.integer(0, size - 1));
  for (const place of places) {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, place);
    buffer[0] = (buffer[0] ?? 0) ^ (1 << random.integer(0, 7));
    await handle.write(buffer, 0, 1, place);
  }
  await handle.close();
  return `bits flipped in bytes ${places.join()}`;
};

interface Start extends Told {
  /** Whether the start, or a read, has said that something is wrong. */
  readonly isNamed: boolean;
}

const NOTHING: Start = { answers: new Map(), refused: [], isNamed: true };

/** Null: the application does not start, and says why. Throws what no client may get. */
const started = async (dataDir: string): Promise<PodiumApp | null> => {
  try {
    return await openPodiumApp(dataDir, {}, 'server');
  } catch (error) {
    if (isOutage(error)) return null;
    throw error;
  }
};

/** Read models that stop before a damaged event never do. */
const caughtUp = async (app: PodiumApp): Promise<void> => {
  const head = await app
    .get<EventStore>(EVENT_STORE)
    .head()
    .catch(() => 0);
  const readModels = app.get<ReadModels>(READ_MODELS);
  await until(
    async () => (await readModels.waitFor(head, 500)) || app.get(DamageLog).first !== null,
    (isOver) => isOver,
  );
};

const startOn = async (dataDir: string): Promise<Start> => {
  const app = await started(dataDir);
  if (!app) return NOTHING;
  try {
    if (app.get(LossGuard).reason === null) await caughtUp(app);
    const told = await readWholeInstallation(app, installation);
    const isNamed = app.get(LossGuard).reason !== null || app.get(DamageLog).first !== null;
    return { ...told, isNamed };
  } finally {
    await app.close();
  }
};

const missingOf = ({ answers }: Told): readonly string[] =>
  [...expected.answers.keys()].filter((question) => !answers.has(question));

const isVerified = async (dataDir: string): Promise<boolean> => {
  const verdicts = await verify(cliWiring, loadConfig({ PODIUM_DATA: dataDir }), () => undefined);
  return verdicts.every(({ state }) => state === 'sound' || state === 'opened');
};

describe.each(FILES)('$name with random damage', (tried) => {
  const { name, heals = false, ofKilled = false, maxFlips = MAX_FLIPS }: Tried = tried;
  const random = new Random(SEED, FILES.indexOf(tried));

  it.each(Array.from({ length: TRIES }, (_, number) => number))('never shows (%i)', async (number) => {
    const original = ofKilled ? killed : stopped;
    const dataDir = await copyOf(original);
    try {
      const file = join(dataDir, name);
      const what = `seed ${SEED}, ${name} ${number}: ${await damage(file, random, maxFlips)}`;
      const isChanged = isSqlite(name) && rowsIn(file) !== rowsIn(join(original, name));
      const isSound = await isVerified(dataDir);
      if (isChanged) expect({ what, isSound }).toEqual({ what, isSound: false });
      let isNamed = !isSound;
      const told = await until(
        async () => {
          const start = await startOn(dataDir);
          isNamed ||= start.isNamed;
          const wrong = [...start.answers].filter(
            ([question, answer]) => expected.answers.get(question) !== answer,
          );
          expect({ what, wrong }).toEqual({ what, wrong: [] });
          return start;
        },
        (start) => !heals || missingOf(start).every((question) => question.startsWith('cached result')),
      );
      const missing = missingOf(told);
      if (missing.length > 0) expect({ what, missing, isNamed }).toEqual({ what, missing, isNamed: true });
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
