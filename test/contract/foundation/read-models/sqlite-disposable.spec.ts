/** What the embedded store does with damage of what stands beside its read models: cached results, and snapshots with requests. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type SqliteReadModelOptions,
  SqliteReadModelStore,
} from '../../../../src/engines/sqlite/read-models/sqlite-read-model-store.js';
import { SqliteDatabase } from '../../../../src/engines/sqlite/sqlite.js';
import type { Damage } from '../../../../src/foundation/integrity/damage.js';
import type { CachedResult } from '../../../../src/foundation/read-models/cached-results.js';
import type { UsedRequest } from '../../../../src/foundation/read-models/state-snapshots.js';
import { collect } from '../../../support/events.js';
import { until } from '../../../support/until.js';

let folder: string;
let path: string;
let damages: Damage[];
let stores: SqliteReadModelStore[];
let healed: number;

const open = (options: SqliteReadModelOptions = {}): SqliteReadModelStore => {
  const store = new SqliteReadModelStore(path, {
    onDamage: (damage) => damages.push(damage),
    onHealed: () => {
      healed += 1;
    },
    ...options,
  });
  stores.push(store);
  return store;
};

/** Also where the engine would not let a text become bytes: a flipped bit does. */
const spoil = (end: string, statement: string): void => {
  const db = new SqliteDatabase(path + end);
  db.unsafeMode(true);
  const tables = db
    .prepare<[], { readonly name: string; readonly sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE sql LIKE '%STRICT%'",
    )
    .all();
  const redefine = (name: string, sql: string): void => {
    db.pragma('writable_schema = ON');
    db.prepare('UPDATE sqlite_schema SET sql = ? WHERE name = ?').run(sql, name);
    db.pragma('writable_schema = RESET');
  };
  for (const { name, sql } of tables) redefine(name, sql.replace(/ STRICT,?/, ''));
  db.exec(statement);
  for (const { name, sql } of tables) redefine(name, sql);
  db.close();
};

const named = async (store: SqliteReadModelStore): Promise<readonly string[]> =>
  (await collect(store.scrub())).flatMap((step) => step.damages.map(({ place }) => place));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podium-disposable-'));
  path = join(folder, 'read-models.sqlite');
  damages = [];
  stores = [];
  healed = 0;
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true });
});

describe('damage of cached results', () => {
  const result = (key: string): CachedResult => ({
    key,
    tenant: 'a',
    recipe: `recipe of ${key}`,
    body: '{"result":[1200]}',
    truncated: false,
    madeAt: 1_000,
    usedAt: 2_000,
    keepUntil: 9_000,
    warmAt: 3_000,
  });
  let store: SqliteReadModelStore;
  beforeEach(async () => {
    store = open();
    for (const key of ['a', 'b']) await store.resultCache.put(result(key));
  });

  const changes = [
    "body = replace(body, '1200', '1300')",
    'body = CAST(body AS BLOB)',
    'body_sum = body_sum + 1',
    "recipe = 'recipe of b'",
    'made_at = 1008',
    'used_at = 2064',
    'keep_until = 9001',
    'warm_at = 2999',
    'warm_at = NULL',
    'truncated = 1',
    'bytes = bytes + 1',
    'checksum = checksum + 1',
  ];

  it.each(changes)('is never served: %s', async (change) => {
    spoil('-results', `UPDATE results SET ${change} WHERE key = 'a'`);
    expect(await store.resultCache.get('a')).toBeNull();
    const damage = { store: 'read-models', place: 'cached results, a' };
    expect(damages).toMatchObject([damage]);
    expect(await store.resultCache.get('b')).toEqual(result('b'));
    // It is made anew.
    await store.resultCache.put(result('a'));
    expect(await store.resultCache.get('a')).toEqual(result('a'));
    expect(healed).toBe(0);
    expect(await named(store)).toEqual([]);
    expect(healed).toBe(1);
  });

  it.each(changes)('is named by a scrub, which a server follows by removing it: %s', async (change) => {
    spoil('-results', `UPDATE results SET ${change} WHERE key = 'a'`);
    const reader = open({ readOnly: true });
    expect(await named(reader)).toEqual(['cached results, a']);
    expect(await named(reader)).toEqual(['cached results, a']);
    expect(await named(store)).toEqual(['cached results, a']);
    expect(await named(store)).toEqual([]);
    expect(healed).toBe(1);
  });

  it('is no longer renewed, claimed, used or due', async () => {
    const { resultCache } = store;
    const spoiled = () => spoil('-results', "UPDATE results SET recipe = 'x' WHERE key = 'a'");
    for (const use of [
      () => resultCache.due('a', 4_000, 10),
      () => resultCache.claim({ key: 'a', warmAt: 3_000 }, 5_000),
      () => resultCache.touch([{ key: 'a', usedAt: 5_000, keepUntil: 9_500 }]),
      () => resultCache.renew({ key: 'a', body: 'new', truncated: false, madeAt: 1_500, warmAt: null }),
    ]) {
      await resultCache.put(result('a'));
      spoiled();
      const answer = await use();
      if (Array.isArray(answer)) expect(answer.map(({ key }) => key)).toEqual(['b']);
      else expect(answer).not.toBe(true);
      expect(await resultCache.get('a')).toBeNull();
    }
    expect(damages).toHaveLength(4);
  });

  it('begins a file anew that SQLite finds damaged, while it is used and at the start', async () => {
    const beginsAnew = async (): Promise<void> => {
      expect(await store.resultCache.get('a')).toBeNull();
      expect(damages.at(-1)).toMatchObject({ place: `file ${path}-results` });
      await store.resultCache.put(result('a'));
      expect(await store.resultCache.get('a')).toEqual(result('a'));
    };
    const db = new SqliteDatabase(`${path}-results`).unsafeMode(true);
    db.pragma('writable_schema = ON');
    db.exec("UPDATE sqlite_schema SET rootpage = 90000 WHERE name = 'results'");
    db.pragma('schema_version = 1000');
    db.close();
    await beginsAnew();
    await store.close();
    await writeFile(`${path}-results`, 'no database '.repeat(1_000));
    store = open();
    await beginsAnew();
    expect(damages).toHaveLength(2);
    expect(await named(store)).toEqual([]);
  });

  it('leaves what older code has cached behind', async () => {
    await store.close();
    spoil('-results', 'DROP TABLE results; CREATE TABLE cached_results (key TEXT PRIMARY KEY, body TEXT)');
    store = open();
    expect(await named(store)).toEqual([]);
    expect(await store.resultCache.get('a')).toBeNull();
    await store.resultCache.put(result('a'));
    expect(await store.resultCache.get('a')).toEqual(result('a'));
    expect(damages).toEqual([]);
  });
});

describe('damage of snapshots and the requests beside them', () => {
  const KEY = { stream: 'podium/round/s/C/333/1', version: 1 };
  const OTHER = { stream: 'podium/round/s/C/333/2', version: 1 };
  const KEYS = Array.from({ length: 9 }, (_, at) => `key ${at}`);
  const used: readonly UsedRequest[] = KEYS.map((key) => [key, `print of ${key}`]);
  const snapshot = (revision: number) => ({ revision, eventId: `event ${revision}`, body: '{"state":1200}' });
  let store: SqliteReadModelStore;
  let lineage: number;
  let other: number;

  const save = async (key: typeof KEY, of: number | null, requests = used, revision = 9): Promise<number> => {
    const saved = await store.snapshots.save(key, snapshot(revision), { lineage: of, used: requests });
    return saved ?? 0;
  };
  const find = (...keys: readonly string[]) => store.snapshots.find(KEY, lineage, keys);

  beforeEach(async () => {
    store = open();
    other = await save(OTHER, null);
    // In two snapshots, so that keys are linked in between others.
    lineage = await save(KEY, null, used.toReversed().slice(0, 4), 8);
    await save(KEY, lineage, used, 9);
    expect((await find(...KEYS))?.size).toBe(9);
  });

  const isGone = async (): Promise<void> => {
    expect(damages).toMatchObject([{ store: 'read-models', place: `snapshots, stream ${KEY.stream}` }]);
    expect(await store.snapshots.load(KEY)).toBeNull();
    expect(await find('key 1')).toBeNull();
    expect(await save(KEY, lineage, [], 19)).toBe(0);
    const next = await save(KEY, null);
    expect(next).not.toBe(0);
    expect(await store.snapshots.find(KEY, next, KEYS)).toEqual(new Map(used));
    expect(await store.snapshots.load(KEY)).toEqual({ ...snapshot(9), lineage: next });
    expect(await store.snapshots.find(OTHER, other, KEYS)).toEqual(new Map(used));
    expect(await named(store)).toEqual([]);
    expect(healed).toBe(1);
  };

  const inLineage = () => `lineage = ${lineage}`;

  it.each([
    ["DELETE FROM requests WHERE key = 'key 4'", 'key 4'],
    ["DELETE FROM requests WHERE key IN ('key 2', 'key 3', 'key 4')", 'key 4'],
    ["DELETE FROM requests WHERE key = 'key 8'", 'key 8'],
    ["DELETE FROM requests WHERE key = ''", 'a'],
    ['DELETE FROM requests WHERE true', 'key 4'],
    ["UPDATE requests SET fingerprint = 'x' WHERE key = 'key 4'", 'key 4'],
    ["UPDATE requests SET fingerprint = CAST(fingerprint AS BLOB) WHERE key = 'key 4'", 'key 4'],
    ["UPDATE requests SET next = CAST(next AS BLOB) WHERE key = 'key 4'", 'key 4x'],
    ["UPDATE requests SET key = CAST(key AS BLOB) WHERE key = 'key 4'", 'key 4'],
    ["UPDATE requests SET checksum = 0 WHERE key = 'key 4'", 'key 4'],
    ["UPDATE requests SET next = 'key 6' WHERE key = 'key 4'", 'key 4x'],
    ["UPDATE requests SET key = 'key 4x' WHERE key = 'key 4'", 'key 4'],
    ["UPDATE requests SET key = 'key 3x' WHERE key = 'key 4'", 'key 4'],
  ])('no request is forgotten: %s', async (statement, asked) => {
    spoil('-snapshots', `${statement} AND ${inLineage()}`);
    expect(await find(asked)).toBeNull();
    await isGone();
  });

  it.each([
    "body = replace(body, '1200', '1300')",
    'body = CAST(body AS BLOB)',
    "event_id = 'event 8'",
    'event_id = CAST(event_id AS BLOB)',
    'revision = 8',
    'checksum = 1',
  ])('no state is taken for what was saved: %s', async (change) => {
    spoil('-snapshots', `UPDATE states SET ${change} WHERE ${inLineage()}`);
    expect(await store.snapshots.load(KEY)).toBeNull();
    await isGone();
  });

  it('no state is loaded of another stream, which an index out of order leads to', async () => {
    for (const last of ['3', '4']) await save({ ...KEY, stream: `podium/round/s/C/333/${last}` }, null);
    await store.close();
    const file = `${path}-snapshots`;
    const db = new SqliteDatabase(file, { readonly: true });
    const page = db
      .prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_states_1'")
      .pluck()
      .get();
    db.close();
    const bytes = await readFile(file);
    // Where the first entry says what it has: a text of 22 characters. It becomes 22 bytes, which are behind every text.
    const kind = bytes.indexOf(KEY.stream, (Number(page) - 1) * 4_096) - 3;
    expect(bytes[kind]).toBe(57);
    bytes[kind] = 56;
    await writeFile(file, bytes);
    store = open();
    expect(await store.snapshots.load(OTHER)).toBeNull();
    expect(damages).toMatchObject([{ place: `snapshots, stream ${OTHER.stream}` }]);
  });

  it('is noticed by what is saved, too', async () => {
    spoil('-snapshots', `DELETE FROM requests WHERE key = 'key 4' AND ${inLineage()}`);
    expect(await save(KEY, lineage, [['key 4x', 'print']], 19)).toBe(0);
    await isGone();
  });

  it.each([
    ["DELETE FROM requests WHERE key = 'key 4' AND LINEAGE", true],
    ["UPDATE requests SET next = 'key 6' WHERE key = 'key 4' AND LINEAGE", true],
    ["UPDATE requests SET fingerprint = CAST(fingerprint AS BLOB) WHERE key = 'key 4' AND LINEAGE", true],
    [
      "UPDATE requests SET next = '' WHERE key = 'key 8' AND LINEAGE; DELETE FROM requests WHERE key = 'key 8'",
      true,
    ],
    ['DELETE FROM requests WHERE LINEAGE', true],
    ["UPDATE states SET body = 'x' WHERE LINEAGE", true],
    ['DELETE FROM states WHERE LINEAGE', false],
  ])(
    'is named by a scrub, which a server follows by removing the lineage: %s',
    async (statement, isKnown) => {
      spoil('-snapshots', statement.replaceAll('LINEAGE', inLineage()));
      const place = isKnown ? `snapshots, stream ${KEY.stream}` : `snapshots, lineage ${lineage}`;
      const reader = open({ readOnly: true });
      expect(await named(reader)).toContain(place);
      expect(await named(reader)).toContain(place);
      expect(await named(store)).toContain(place);
      await until(
        () => named(store),
        (places) => places.length === 0,
      );
      expect(await store.snapshots.load(KEY)).toBeNull();
    },
  );

  it('a scrub of many requests finds them sound, page by page', async () => {
    const many = Array.from(
      { length: 2_600 },
      (_, at): UsedRequest => [`many ${at % 97} ${at}`, `print ${at}`],
    );
    for (let at = 0; at < many.length; at += 650) await save(KEY, lineage, many.slice(at, at + 650), 20 + at);
    expect((await find(...many.map(([key]) => key)))?.size).toBe(2_600);
    const steps = await collect(store.scrub());
    expect(steps.flatMap((step) => step.damages)).toEqual([]);
    expect(steps.reduce((sum, { checked }) => sum + checked, 0)).toBe(2 + 2 + 9 + 9 + 2_600);
    expect(steps.at(-1)?.progress).toBeCloseTo(1);
  });

  it('leaves what older code has saved behind', async () => {
    await store.close();
    spoil('-snapshots', 'DROP TABLE states; DROP TABLE requests; CREATE TABLE snapshots (stream TEXT)');
    store = open();
    expect(await named(store)).toEqual([]);
    expect(await store.snapshots.load(KEY)).toBeNull();
    expect(await save(KEY, null)).not.toBe(0);
    expect(damages).toEqual([]);
  });
});
