/**
 * The baseline of a rebuild: the work that every rebuild needs. It reads the log in order and parses the JSON
 * of each event. Then it inserts the rows of the read models in large transactions and builds their indexes.
 * The rows are read from finished read models outside the measured time.
 */
import { rmSync } from 'node:fs';
import { SqliteDatabase } from '../../dist/engines/sqlite/sqlite.js';

const ROWS_AT_ONCE = 20_000;

const readLog = (path) => {
  const database = new SqliteDatabase(path, { readonly: true });
  const began = performance.now();
  let events = 0;
  let fields = 0;
  const columns = 'position, stream, revision, id, type, data, metadata, recorded_at';
  for (const row of database.prepare(`SELECT ${columns} FROM events ORDER BY position`).raw().iterate()) {
    events += 1;
    fields += Object.keys(JSON.parse(row[5])).length + JSON.parse(row[6]).length;
  }
  const seconds = (performance.now() - began) / 1000;
  database.close();
  if (fields === 0) throw new Error('the log is empty');
  return { events, seconds };
};

const insertRows = (sourcePath, targetPath) => {
  rmSync(targetPath, { force: true });
  const source = new SqliteDatabase(sourcePath, { readonly: true });
  const target = new SqliteDatabase(targetPath);
  target.pragma('journal_mode = WAL');
  target.pragma('synchronous = NORMAL');
  target.pragma('cache_size = -65536');
  const live =
    "SELECT name FROM generation_tables JOIN generations ON number = generation WHERE state = 'live'";
  const sqlOf = source
    .prepare('SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND type = ? AND sql IS NOT NULL')
    .pluck();
  let seconds = 0;
  let rows = 0;
  const timed = (work) => {
    const began = performance.now();
    work();
    seconds += (performance.now() - began) / 1000;
  };
  for (const table of source.prepare(live).pluck().all()) {
    timed(() => target.exec(sqlOf.get(table, 'table')));
    const columns = source.pragma(`table_info("${table}")`).map(({ name }) => name);
    const insert = target.prepare(`INSERT INTO "${table}" VALUES (${columns.map(() => '?').join(', ')})`);
    const page = source
      .prepare(`SELECT * FROM "${table}" WHERE id > ? ORDER BY id LIMIT ${ROWS_AT_ONCE}`)
      .raw();
    for (let after = ''; ; ) {
      const some = page.all(after);
      if (some.length === 0) break;
      after = some.at(-1)[0];
      rows += some.length;
      timed(() => {
        target.exec('BEGIN');
        for (const row of some) insert.run(row);
        target.exec('COMMIT');
      });
    }
    for (const index of sqlOf.all(table, 'index')) timed(() => target.exec(index));
  }
  timed(() => target.pragma('wal_checkpoint(TRUNCATE)'));
  source.close();
  target.close();
  rmSync(targetPath, { force: true });
  return { rows, seconds };
};

process.once('message', ({ events, readModels, target }) => {
  process.send({ log: readLog(events), insert: insertRows(readModels, target) }, () => process.exit(0));
});
