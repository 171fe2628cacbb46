/**
 * Random flips and cuts of the files of a stopped server. What is damaged is answered rightly or not at all, read models heal,
 * and every change of a stored row is named by `podium verify`. PODIUM_TEST_DAMAGES sets how many are tried, and
 * PODIUM_TEST_SEED which.
 */
import { cp, open, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { cliWiring } from '../../src/app/cli-wiring.js';
import { Random } from '../../src/app/generators/world/random.js';
import { verify } from '../../src/cli/verification.js';
import { SqliteDatabase } from '../../src/engines/sqlite/sqlite.js';
import { StoreUnavailableError } from '../../src/foundation/basics/store-unavailable.js';
import { loadConfig } from '../../src/foundation/config.js';
import { makeApiWorld, SPACE } from '../support/api-world.js';
import { openPodiumApp, temporaryFolder } from '../support/podium-app.js';
import { readEverything } from '../support/read-everything.js';
import { until } from '../support/until.js';

jest.setTimeout(3_600_000);

const TRIES = Number(process.env.PODIUM_TEST_DAMAGES ?? 4);
const SEED = Number(process.env.PODIUM_TEST_SEED ?? 1);
const FILES = ['read-models.sqlite', 'operational.sqlite'] as const;
const MAX_FLIPS = 40;

let original: string;
let personIds: readonly number[];
let expected: ReadonlyMap<string, string>;
let stored: string;

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

beforeAll(async () => {
  original = await temporaryFolder();
  const app = await openPodiumApp(original);
  ({ personIds } = await makeApiWorld(app.commands));
  expected = await readEverything(app.queries, [{ spaceId: SPACE, personIds }]);
  await app.close();
  stored = String(rowsIn(join(original, 'operational.sqlite')));
});
afterAll(() => rm(original, { recursive: true, force: true }));

const damage = async (file: string, random: Random): Promise<string> => {
  const { size } = await stat(file);
  if (random.chance(0.2)) {
    const length = random.integer(0, size - 1);
    await truncate(file, length);
    return `cut to ${length} of ${size} bytes`;
  }
  const handle = await open(file, 'r+');
  const places = Array.from({ length: random.integer(1, MAX_FLIPS) }, () => random.integer(0, size - 1));
  for (const place of places) {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, place);
    buffer[0] = (buffer[0] ?? 0) ^ (1 << random.integer(0, 7));
    await handle.write(buffer, 0, 1, place);
  }
  await handle.close();
  return `bits flipped in bytes ${places.join()}`;
};

/** Null: refused. Throws what no client may get. */
const answers = async (dataDir: string): Promise<ReadonlyMap<string, string> | null> => {
  let app: Awaited<ReturnType<typeof openPodiumApp>> | null = null;
  try {
    app = await openPodiumApp(dataDir);
    const { queries } = app;
    return await readEverything(queries, [{ spaceId: SPACE, personIds }]);
  } catch (error) {
    if (error instanceof StoreUnavailableError) return null;
    throw error;
  } finally {
    await app?.close();
  }
};

describe.each(FILES)('%s with random damage', (name) => {
  const random = new Random(SEED, FILES.indexOf(name));

  it.each(Array.from({ length: TRIES }, (_, number) => number))('never shows (%i)', async (number) => {
    const dataDir = await temporaryFolder();
    try {
      await cp(original, dataDir, { recursive: true });
      const file = join(dataDir, name);
      const what = `seed ${SEED}, ${name} ${number}: ${await damage(file, random)}`;
      const config = loadConfig({ PODIUM_DATA: dataDir });
      if (name === 'operational.sqlite' && rowsIn(file) !== stored) {
        const verdicts = await verify(cliWiring, config, () => undefined);
        const verdict = verdicts.find(({ store }) => store === 'operational');
        expect({ what, state: verdict?.state }).not.toEqual({ what, state: 'sound' });
      }
      const isDisposable = name === 'read-models.sqlite';
      const read = await until(
        () => answers(dataDir),
        (found) => found !== null || !isDisposable,
      );
      const wrong = [...(read ?? [])].filter(([question, answer]) => expected.get(question) !== answer);
      expect({ what, wrong }).toEqual({ what, wrong: [] });
      if (read) expect({ what, answers: read.size }).toEqual({ what, answers: expected.size });
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
