/**
 * The table of the fields of each project and source, beside the entries that they come from. It has a row for each project
 * that has entries in a source, one for the entries without a project, and one for all of them together.
 */
import { type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import {
  type FieldType,
  isFieldName,
  learned,
  NO_FIELDS,
  type RecordType,
} from '../../foundation/log-store/field-catalogue.js';
import {
  catalogueOwner,
  type FieldOwner,
  NO_PROJECT,
  type StoredFields,
} from '../../foundation/log-store/field-owners.js';
import { type FieldTable, KeptFields } from '../../foundation/log-store/kept-fields.js';
import { type LogSource, type ProjectMatch, projectMatchOf } from '../../foundation/log-store/sources.js';
import { tableOf } from './source-tables.js';
import { setSetting, settingIn } from './stored-settings.js';

/** The form of the rows. Raise it when rows of older code are not what this code would derive. */
const FORM = '2';

export const makeFieldsTable = async (writer: DuckDBConnection): Promise<void> => {
  await writer.run(
    'CREATE TABLE IF NOT EXISTS _podium.fields (owner VARCHAR, source VARCHAR, fields VARCHAR)',
  );
};

const KEYS = { source: VARCHAR, owners: LIST(VARCHAR) };

/** Returns the rows of these owners that there are. */
const readRows = async (
  connection: DuckDBConnection,
  source: LogSource,
  owners: Iterable<FieldOwner>,
): Promise<Map<FieldOwner, RecordType>> => {
  const result = await connection.runAndReadAll(
    'SELECT owner, fields FROM _podium.fields WHERE source = $source AND owner IN (SELECT unnest($owners))',
    { source, owners: listValue([...owners]) },
    KEYS,
  );
  return new Map(result.getRows().map(([owner, fields]) => [String(owner), JSON.parse(String(fields))]));
};

const removeRows = async (
  writer: DuckDBConnection,
  source: LogSource,
  owners: Iterable<FieldOwner>,
): Promise<void> => {
  await writer.run(
    'DELETE FROM _podium.fields WHERE source = $source AND owner IN (SELECT unnest($owners))',
    { source, owners: listValue([...owners]) },
    KEYS,
  );
};

/** Makes or replaces rows. */
const writeRows = async (
  writer: DuckDBConnection,
  source: LogSource,
  rows: ReadonlyMap<FieldOwner, RecordType>,
): Promise<void> => {
  if (rows.size === 0) return;
  await removeRows(writer, source, rows.keys());
  const fields = listValue([...rows.values()].map((type) => JSON.stringify(type)));
  await writer.run(
    'INSERT INTO _podium.fields SELECT unnest($owners), $source, unnest($fields)',
    { source, owners: listValue([...rows.keys()]), fields },
    { ...KEYS, fields: LIST(VARCHAR) },
  );
};

/** Returns the owners that have a row, by source. */
const storedOwners = async (
  connection: DuckDBConnection,
): Promise<readonly (readonly [LogSource, FieldOwner])[]> => {
  const result = await connection.runAndReadAll('SELECT source, owner FROM _podium.fields');
  return result.getRows().map(([source, owner]) => [String(source), String(owner)]);
};

export const fieldsOf = async (
  connection: DuckDBConnection,
  project: string | null,
): Promise<StoredFields> => {
  const result = await connection.runAndReadAll(
    'SELECT source, fields FROM _podium.fields WHERE owner = $owner',
    { owner: catalogueOwner(project) },
    { owner: VARCHAR },
  );
  return Object.fromEntries(result.getRows().map(([source, fields]) => [source, JSON.parse(String(fields))]));
};

const PROJECTS: Readonly<Record<ProjectMatch, string>> = {
  project: 'project',
  'metadata.project': "CASE WHEN json_type(metadata, '/project') = 'VARCHAR' THEN metadata->>'/project' END",
  'metadata.project_ref':
    "CASE WHEN json_type(metadata, '/project_ref') = 'VARCHAR' THEN metadata->>'/project_ref' END",
};

/** The owner of an entry, as SQL. */
const ownerSql = (source: LogSource): string =>
  `coalesce('=' || ${PROJECTS[projectMatchOf(source)]}, '${NO_PROJECT}')`;

/** Whether an entry belongs to one of the projects of a list, as SQL; false: it belongs to none. */
export const isOwnerAmong = (source: LogSource, projects: string): string =>
  `coalesce(list_contains(${projects}, ${PROJECTS[projectMatchOf(source)]}), false)`;

/** Returns the owners of the entries. */
const ownersOfEntries = async (
  connection: DuckDBConnection,
  source: LogSource,
): Promise<ReadonlySet<FieldOwner>> => {
  const result = await connection.runAndReadAll(
    `SELECT DISTINCT ${ownerSql(source)} FROM ${tableOf(source)}`,
  );
  return new Set(result.getRows().map(([owner]) => String(owner)));
};

/** Derives the fields of these owners from all their entries. */
const derivedFields = async (
  connection: DuckDBConnection,
  source: LogSource,
  owners: Iterable<FieldOwner>,
): Promise<Map<FieldOwner, RecordType>> => {
  const found = new Map<FieldOwner, RecordType>();
  const result = await connection.stream(
    `SELECT DISTINCT owner, CAST(json_structure(metadata) AS VARCHAR)
     FROM (SELECT ${ownerSql(source)} AS owner, metadata FROM ${tableOf(source)})
     WHERE owner IN (SELECT unnest($owners))`,
    { owners: listValue([...owners]) },
    { owners: LIST(VARCHAR) },
  );
  for await (const chunk of result) {
    for (const [owner, structure] of chunk.getRows()) {
      const fields = typeOfStructure(JSON.parse(String(structure)));
      const known = found.get(String(owner)) ?? NO_FIELDS;
      if (fields?.kind === 'record') found.set(String(owner), learned(known, fields));
    }
  }
  return found;
};

/** The type of what `json_structure` says of a value: the name of a type, `[items]` or `{name: …}`; null: it has none. */
const typeOfStructure = (structure: unknown): FieldType | null => {
  if (Array.isArray(structure)) {
    // JSON are items of several types; elsewhere it is an empty record.
    const items = structure[0] === 'JSON' ? MIXED : typeOfStructure(structure[0]);
    return items === null ? null : { kind: 'array', items };
  }
  if (typeof structure === 'object' && structure !== null) {
    const fields = Object.entries(structure).flatMap(([name, of]) => {
      const type = isFieldName(name) ? typeOfStructure(of) : null;
      return type === null ? [] : [[name, type] as const];
    });
    return { kind: 'record', fields: Object.fromEntries(fields) };
  }
  return SCALARS[String(structure)] ?? null;
};

const MIXED: FieldType = { kind: 'json' };

const SCALARS: Readonly<Record<string, FieldType>> = {
  BOOLEAN: { kind: 'boolean' },
  UBIGINT: { kind: 'integer' },
  BIGINT: { kind: 'integer' },
  HUGEINT: { kind: 'number' },
  DOUBLE: { kind: 'number' },
  VARCHAR: { kind: 'string' },
  JSON: NO_FIELDS,
};

/** The table, read and written by this connection. */
export const fieldTable = (connection: DuckDBConnection): FieldTable => ({
  readRows: (source, owners) => readRows(connection, source, owners),
  writeRows: (source, rows) => writeRows(connection, source, rows),
  removeRows: (source, owners) => removeRows(connection, source, owners),
  storedOwners: () => storedOwners(connection),
  ownersOfEntries: (source) => ownersOfEntries(connection, source),
  derivedFields: (source, owners) => derivedFields(connection, source, owners),
});

/** Derives the rows of a file that has none, or those of older code. */
export const openKeptFields = async (
  writer: DuckDBConnection,
  sources: readonly LogSource[],
  maxProjects: number,
): Promise<KeptFields> => {
  const asOne = (work: () => Promise<void>): Promise<void> => inTransaction(writer, work);
  const fields = new KeptFields({ table: fieldTable(writer), maxProjects, asOne });
  if ((await settingIn(writer, 'fields')) !== FORM) {
    await asOne(async () => {
      await writer.run('DELETE FROM _podium.fields');
      await fields.deriveAll(sources);
      await setSetting(writer, 'catalogue', null);
      await setSetting(writer, 'fields', FORM);
    });
  }
  await fields.load(sources);
  return fields;
};

const inTransaction = async (writer: DuckDBConnection, work: () => Promise<unknown>): Promise<void> => {
  await writer.run('BEGIN');
  try {
    await work();
    await writer.run('COMMIT');
  } catch (error) {
    await writer.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
};
