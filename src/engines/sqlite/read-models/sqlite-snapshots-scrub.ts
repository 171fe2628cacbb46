/**
 * Reads all snapshots and the requests beside them, and finds the lineages that are damaged: a row that does not fit its
 * checksum, a request that the one before it does not name, a snapshot without requests, requests without their snapshot.
 * Each page is one read, so what is saved meanwhile counts as no damage.
 */
import type Database from 'better-sqlite3';
import type { Damage, ScrubStep } from '../../../foundation/integrity/damage.js';
import { pagesInOrder } from '../pages-in-order.js';
import {
  isRequestWhole,
  isStateWhole,
  type RequestRow,
  STATE_COLUMNS,
  type StateRow,
} from './sqlite-snapshot-rows.js';

const STATES_AT_ONCE = 20;
const REQUESTS_AT_ONCE = 500;

/** `stream`: null when it is not known. */
export type OnDamagedLineage = (lineage: number, stream: string | null) => Damage;

interface Page {
  readonly rows: number;
  /** May name one several times. */
  readonly damaged: readonly number[];
}

export function* scrubSnapshots(db: Database.Database, damageOf: OnDamagedLineage): Iterable<ScrubStep> {
  const count = (table: string): number =>
    db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  const total = Math.max(1, count('states') + count('requests'));
  const streams = new Map<number, string>();
  const damaged = new Set<number>();
  let checked = 0;
  const step = (page: Page): ScrubStep => {
    const fresh = [...new Set(page.damaged)].filter((lineage) => !damaged.has(lineage));
    for (const lineage of fresh) damaged.add(lineage);
    checked += page.rows;
    const damages = fresh.map((lineage) => damageOf(lineage, streams.get(lineage) ?? null));
    return { checked: page.rows, unverified: 0, damages, progress: Math.min(1, checked / total) };
  };
  for (const page of statePages(db, streams)) yield step(page);
  const linked = new Set<number>();
  for (const page of requestPages(db, linked)) yield step(page);
  const alone = [...new Set([...streams.keys(), ...linked])].filter(
    (lineage) => streams.has(lineage) !== linked.has(lineage),
  );
  yield step({ rows: 0, damaged: alone.filter((lineage) => isAlone(db, lineage)) });
}

function* statePages(db: Database.Database, streams: Map<number, string>): Iterable<Page> {
  const next = db.prepare<[number, number], StateRow & { readonly place: number }>(
    `SELECT rowid AS place, ${STATE_COLUMNS} FROM states WHERE rowid > ? ORDER BY rowid LIMIT ?`,
  );
  const pages = pagesInOrder(
    (after: number) => next.all(after, STATES_AT_ONCE),
    ({ place }) => place,
    0,
  );
  for (const rows of pages) {
    for (const { lineage, stream } of rows) streams.set(lineage, stream);
    yield {
      rows: rows.length,
      damaged: rows.filter((row) => !isStateWhole(row)).map(({ lineage }) => lineage),
    };
  }
}

/** Each page begins with the last row of the one before, which may name another row by now. */
function* requestPages(db: Database.Database, linked: Set<number>): Iterable<Page> {
  const next = db.prepare<[number, string, number], RequestRow>(
    `SELECT lineage, key, fingerprint, next, checksum FROM requests WHERE (lineage, key) >= (?, ?)
     ORDER BY lineage, key LIMIT ?`,
  );
  let from: Pick<RequestRow, 'lineage' | 'key'> = { lineage: Number.MIN_SAFE_INTEGER, key: '' };
  for (;;) {
    const rows = next.all(from.lineage, from.key, REQUESTS_AT_ONCE);
    const first = rows.findIndex(({ lineage, key }) => lineage !== from.lineage || key !== from.key);
    const isLast = rows.length < REQUESTS_AT_ONCE;
    const damaged = rows.flatMap((row, at) => damagedIn(row, rows[at + 1], isLast));
    const [begin] = rows;
    if (begin && first === 0 && begin.key !== '') damaged.push(begin.lineage);
    for (const { lineage, key } of rows) if (key === '') linked.add(lineage);
    yield { rows: first === -1 ? 0 : rows.length - first, damaged };
    const last = rows.at(-1);
    // In a damaged file a page may end before it begins: it would come again without end.
    if (!last || isLast || !isBehind(last, from)) return;
    from = last;
  }
}

const isBehind = (row: Pick<RequestRow, 'lineage' | 'key'>, other: typeof row): boolean =>
  row.lineage === other.lineage
    ? Buffer.compare(Buffer.from(row.key), Buffer.from(other.key)) > 0
    : row.lineage > other.lineage;

/** `after`: the row behind it; undefined at the end of the page. */
const damagedIn = (
  row: RequestRow,
  after: RequestRow | undefined,
  isLastPage: boolean,
): readonly number[] => {
  const { lineage, next } = row;
  if (!isRequestWhole(row)) return [lineage];
  if (!after) return isLastPage && next !== '' ? [lineage] : [];
  if (after.lineage === lineage) return after.key === next ? [] : [lineage];
  return [...(next === '' ? [] : [lineage]), ...(after.key === '' ? [] : [after.lineage])];
};

const isAlone = (db: Database.Database, lineage: number): boolean =>
  db.transaction(() => {
    const has = (sql: string): boolean => db.prepare(sql).get(lineage) !== undefined;
    return (
      has('SELECT 1 FROM states WHERE lineage = ?') !==
      has("SELECT 1 FROM requests WHERE lineage = ? AND key = ''")
    );
  })();
