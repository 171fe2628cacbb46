/**
 * The table of the fields of each project and source. A row replaces an older one of the same source and owner; one without fields
 * removes it. Written in the writer's turn.
 */
import { type FieldPlace, NO_FIELDS, type RecordType } from '../../foundation/log-store/field-catalogue.js';
import { FieldObserver } from '../../foundation/log-store/field-observer.js';
import {
  catalogueOwner,
  type FieldOwner,
  ownerOf,
  projectIn,
  type StoredFields,
} from '../../foundation/log-store/field-owners.js';
import type { FieldTable } from '../../foundation/log-store/kept-fields.js';
import { knownFieldsOf } from '../../foundation/log-store/known-fields.js';
import type { FieldPlaces } from '../../foundation/log-store/log-store.js';
import type { JsonRecord, LogSource } from '../../foundation/log-store/sources.js';
import { type ClickhouseConnection, LONG_STATEMENT } from './connection.js';
import { identifier, textLiteral } from './sql/clickhouse-sql.js';
import { textList } from './sql-text.js';

/** Owners that one statement names, and entries that are read at once. */
const AT_ONCE = 1_000;

/** `nextVersion`: larger with each call, also over turns of other nodes. */
export const fieldTable = (connection: ClickhouseConnection, nextVersion: () => number): FieldTable => {
  const put = async (source: LogSource, rows: Iterable<readonly [FieldOwner, string]>): Promise<void> => {
    const version = nextVersion();
    const lines = [...rows].map(([owner, fields]) => JSON.stringify({ source, owner, fields, version }));
    if (lines.length === 0) return;
    await connection.insert('INSERT INTO _fields FORMAT JSONEachRow', [Buffer.from(lines.join('\n'))], {});
  };
  return {
    readRows: (source, owners) => readRows(connection, source, [...owners]),
    writeRows: (source, rows) =>
      put(
        source,
        [...rows].map(([owner, fields]) => [owner, JSON.stringify(fields)] as const),
      ),
    removeRows: (source, owners) =>
      put(
        source,
        [...owners].map((owner) => [owner, ''] as const),
      ),
    storedOwners: () =>
      connection.rows<[LogSource, FieldOwner]>("SELECT source, owner FROM _fields FINAL WHERE fields != ''"),
    ownersOfEntries: async (source) => {
      const rows = await connection.rows<[string]>(`SELECT DISTINCT _owner FROM ${identifier(source)}`);
      return new Set(rows.map(([project]) => ownerOf(project === '' ? null : project)));
    },
    derivedFields: (source, owners) => derivedFields(connection, source, [...owners]),
  };
};

const readRows = async (
  connection: ClickhouseConnection,
  source: LogSource,
  owners: readonly FieldOwner[],
): Promise<Map<FieldOwner, RecordType>> => {
  const found = new Map<FieldOwner, RecordType>();
  for (let from = 0; from < owners.length; from += AT_ONCE) {
    const rows = await connection.rows<[FieldOwner, string]>(
      `SELECT owner, fields FROM _fields FINAL
       WHERE source = {source:String} AND fields != '' AND owner IN ${textList(owners.slice(from, from + AT_ONCE))}`,
      { source },
      LONG_STATEMENT,
    );
    for (const [owner, fields] of rows) found.set(owner, JSON.parse(fields));
  }
  return found;
};

/** By reading the metadata of all their entries. */
const derivedFields = async (
  connection: ClickhouseConnection,
  source: LogSource,
  owners: readonly FieldOwner[],
): Promise<Map<FieldOwner, RecordType>> => {
  const found = new Map<FieldOwner, RecordType>();
  for (const owner of owners) {
    const observer = new FieldObserver(knownFieldsOf(source));
    for (let after = 0; ; ) {
      const rows = await connection.rows<[number, string]>(
        `SELECT _position, metadata FROM ${identifier(source)}
         WHERE _owner = {project:String} AND _position > {after:Int64} ORDER BY _position LIMIT ${AT_ONCE}`,
        { project: projectIn(owner) ?? '', after },
      );
      for (const [, metadata] of rows) observer.observe(JSON.parse(metadata) as JsonRecord);
      const last = rows.at(-1);
      if (last === undefined) break;
      [after] = last;
    }
    found.set(owner, observer.unknown() ?? NO_FIELDS);
  }
  return found;
};

/** The fields of a project in each source that has some; null: those of all projects. */
export const fieldsOf = async (
  connection: ClickhouseConnection,
  project: string | null,
): Promise<StoredFields> => {
  const rows = await connection.rows<[LogSource, string]>(
    "SELECT source, fields FROM _fields FINAL WHERE owner = {owner:String} AND fields != ''",
    { owner: catalogueOwner(project) },
  );
  return Object.fromEntries(rows.map(([source, fields]) => [source, JSON.parse(fields)]));
};

/** As LogStore.projectWith, by one aggregate over the fields of all projects. */
export const projectWith = async (
  connection: ClickhouseConnection,
  candidates: readonly FieldPlaces[],
  atLeast: number,
): Promise<readonly number[] | null> => {
  const has = candidates.map((places, at) => {
    const isIn = places.map(
      ({ source, path }) => `(source = ${textLiteral(source)} AND JSONHas(fields, ${stepsTo(path)}))`,
    );
    return `max(${isIn.join(' OR ')}) AS c${at}`;
  });
  const all = candidates.map((_, at) => `c${at}`);
  const [found] = await connection.rows<number[]>(
    `SELECT ${all.join(', ')} FROM (
       SELECT ${has.join(', ')} FROM _fields FINAL WHERE startsWith(owner, '=') AND fields != '' GROUP BY owner
     ) WHERE ${all.join(' + ')} >= {atLeast:Int64} LIMIT 1`,
    { atLeast },
    LONG_STATEMENT,
  );
  return found === undefined ? null : [...found.keys()].filter((at) => found[at] === 1);
};

/** Where a field is in the JSON of a RecordType. */
const stepsTo = (path: FieldPlace['path']): string =>
  path.map((step) => (step === null ? "'items'" : `'fields', ${textLiteral(step)}`)).join(', ');
