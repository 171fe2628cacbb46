/** Whatever rows of the requests beside a snapshot are lost or changed, none is forgotten and none is made up: it is found, or the lineage is gone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SqliteSnapshotsFile } from '../../../../src/engines/sqlite/read-models/sqlite-snapshots-file.js';
import { scrubSnapshots } from '../../../../src/engines/sqlite/read-models/sqlite-snapshots-scrub.js';
import { SqliteDatabase } from '../../../../src/engines/sqlite/sqlite.js';
import { propertyRuns } from '../../../support/property-runs.js';

const folder = mkdtempSync(join(tmpdir(), 'podium-snapshots-'));
afterAll(() => rmSync(folder, { recursive: true }));

const KEY = { stream: 's', version: 1 };
const keys = fc.uniqueArray(fc.string({ unit: fc.constantFrom('0', '1', 'f'), minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 12,
});
const damage = fc.oneof(
  fc.constant('DELETE FROM requests WHERE key = @key'),
  fc.constant("UPDATE requests SET fingerprint = 'x' WHERE key = @key"),
  fc.constant("UPDATE requests SET next = '1' WHERE key = @key AND next <> '1'"),
  fc.constant("UPDATE OR IGNORE requests SET key = key || '0' WHERE key = @key"),
);

let files = 0;

it('no request is forgotten and none is made up', () => {
  fc.assert(
    fc.property(
      keys,
      keys,
      fc.array(fc.record({ statement: damage, at: fc.nat(12) }), { minLength: 1, maxLength: 3 }),
      (used, others, damages) => {
        files += 1;
        const path = join(folder, `${files}.sqlite-snapshots`);
        const lost: unknown[] = [];
        const file = new SqliteSnapshotsFile(path, (one) => lost.push(one));
        const save = (revision: number, lineage: number | null, some: readonly string[]) =>
          file.save({
            ...KEY,
            ...{ revision, eventId: 'e', body: '{}', lineage },
            used: some.flatMap((key) => [key, `print ${key}`]),
          });
        const half = Math.ceil(used.length / 2);
        const lineage = save(1, null, used.slice(0, half)) ?? 0;
        expect(save(2, lineage, used.slice(half))).toBe(lineage);
        const db = new SqliteDatabase(path);
        const rows = ['', ...used];
        for (const { statement, at } of damages) db.prepare(statement).run({ key: rows[at % rows.length] });
        db.close();
        for (const key of [...used, ...others]) {
          // As the next process meets it: this one knows that the lineage is damaged.
          const fresh = new SqliteSnapshotsFile(path, (one) => lost.push(one));
          const found = fresh.find(KEY, lineage, [key]);
          fresh.close();
          if (found === null) continue;
          expect([...found]).toEqual(used.includes(key) ? [[key, `print ${key}`]] : []);
        }
        file.close();
      },
    ),
    propertyRuns(150),
  );
});

it('a scrub comes to its end where damage has put the rows into another order', () => {
  const path = join(folder, 'disordered.sqlite-snapshots');
  const file = new SqliteSnapshotsFile(path, () => undefined);
  const used = Array.from({ length: 600 }, (_, number) => [`k${String(number).padStart(5, '0')}`, 'print']);
  file.save({ ...KEY, revision: 1, eventId: 'e', body: '{}', lineage: null, used: used.flat() });
  file.close();
  const db = new SqliteDatabase(path);
  db.unsafeMode();
  // The rows lie in the order of one key, and the schema says that it is that of another.
  db.exec(`
    CREATE TABLE others (lineage INTEGER NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, next TEXT NOT NULL,
      checksum INTEGER NOT NULL, PRIMARY KEY (lineage, key DESC)) STRICT, WITHOUT ROWID;
    INSERT INTO others SELECT * FROM requests;
    DROP TABLE requests;
    ALTER TABLE others RENAME TO requests;
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'key DESC', 'key') WHERE name = 'requests';
  `);
  db.close();
  const disordered = new SqliteDatabase(path, { readonly: true });
  const damaged = new Set<number>();
  let steps = 0;
  for (const _ of scrubSnapshots(disordered, (lineage) => damageOf(damaged.add(lineage)))) {
    steps += 1;
    expect(steps).toBeLessThan(20);
  }
  disordered.close();
  expect(damaged.size).toBe(1);
});

const damageOf = ({ size }: Set<number>) =>
  ({ store: 'read-models', place: `lineage ${size}`, reason: 'damaged' }) as const;
