/**
 * The fields of each project and source, as a table beside the entries. A row is widened in the commit of the entries that
 * have new fields. The fields are derived data: a file of before has none, and gets them from its entries.
 */
import { type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import {
  type FieldType,
  isFieldName,
  learned,
  type NewFields,
  NO_FIELDS,
  type RecordType,
} from '../../foundation/log-store/field-catalogue.js';
import { LOG_SOURCES, type LogSource, type ProjectMatch } from '../../foundation/log-store/sources.js';

/** The fields of a project's entries in each source that has some. */
export type StoredFields = Readonly<Partial<Record<LogSource, RecordType>>>;

/** Limit of the catalogues that `fieldsWith` returns. */
const MAX_CATALOGUES = 100;

/** The key of a project's rows. Entries without a project count only among those of all. */
export const ownerKey = (project: string | null): string => (project === null ? ALL : `=${project}`);

const ALL = '*';

export const makeFieldsTable = async (writer: DuckDBConnection): Promise<void> => {
  await writer.run(
    'CREATE TABLE IF NOT EXISTS _podium.fields (owner VARCHAR, source VARCHAR, fields VARCHAR)',
  );
};

/** Widens the stored fields in the caller's transaction. Returns the projects whose fields changed; null: those of all. */
export const widenStored = async (
  writer: DuckDBConnection,
  source: LogSource,
  found: readonly NewFields[],
): Promise<readonly (string | null)[]> => {
  const before = await storedOf(writer, source, [null, ...found.map(({ project }) => project)]);
  const after = new Map<string | null, RecordType>();
  const learn = (project: string | null, fields: RecordType): void => {
    const known = after.get(project) ?? before.get(ownerKey(project)) ?? NO_FIELDS;
    const wider = learned(known, fields);
    if (wider !== known) after.set(project, wider);
  };
  for (const { project, fields } of found) {
    if (project !== null) learn(project, fields);
    learn(null, fields);
  }
  if (after.size === 0) return [];
  const owners = listValue([...after.keys()].map(ownerKey));
  const values = { source, owners };
  const types = { source: VARCHAR, owners: LIST(VARCHAR), fields: LIST(VARCHAR) };
  const { fields: _, ...keyTypes } = types;
  await writer.run(
    'DELETE FROM _podium.fields WHERE source = $source AND owner IN (SELECT unnest($owners))',
    values,
    keyTypes,
  );
  const fields = listValue([...after.values()].map((type) => JSON.stringify(type)));
  await writer.run(
    'INSERT INTO _podium.fields SELECT unnest($owners), $source, unnest($fields)',
    { ...values, fields },
    types,
  );
  return [...after.keys()];
};

const storedOf = async (
  writer: DuckDBConnection,
  source: LogSource,
  projects: readonly (string | null)[],
): Promise<Map<string, RecordType>> => {
  const result = await writer.runAndReadAll(
    'SELECT owner, fields FROM _podium.fields WHERE source = $source AND owner IN (SELECT unnest($owners))',
    { source, owners: listValue([...new Set(projects.map(ownerKey))]) },
    { source: VARCHAR, owners: LIST(VARCHAR) },
  );
  return new Map(result.getRows().map(([owner, fields]) => [String(owner), JSON.parse(String(fields))]));
};

export const fieldsOf = async (
  connection: DuckDBConnection,
  project: string | null,
): Promise<StoredFields> => {
  const result = await connection.runAndReadAll(
    'SELECT source, fields FROM _podium.fields WHERE owner = $owner',
    { owner: ownerKey(project) },
    { owner: VARCHAR },
  );
  return Object.fromEntries(result.getRows().map(([source, fields]) => [source, JSON.parse(String(fields))]));
};

/** Returns the fields of single projects that have a field of this name, in any case, at any depth: of 100 projects at most. */
export const fieldsWith = async (
  connection: DuckDBConnection,
  name: string,
): Promise<readonly StoredFields[]> => {
  const result = await connection.runAndReadAll(
    `SELECT owner, source, fields FROM _podium.fields WHERE owner IN (
       SELECT DISTINCT owner FROM _podium.fields WHERE owner <> $all AND contains(lower(fields), $name) LIMIT ${MAX_CATALOGUES})`,
    { all: ALL, name: `${JSON.stringify(name)}:`.toLowerCase() },
    { all: VARCHAR, name: VARCHAR },
  );
  const byOwner = new Map<string, Partial<Record<LogSource, RecordType>>>();
  for (const [owner, source, fields] of result.getRows()) {
    const one = byOwner.get(String(owner)) ?? {};
    byOwner.set(String(owner), { ...one, [String(source)]: JSON.parse(String(fields)) });
  }
  return [...byOwner.values()];
};

const OWNERS: Readonly<Record<ProjectMatch, string>> = {
  project: 'project',
  'metadata.project': "CASE WHEN json_type(metadata, '/project') = 'VARCHAR' THEN metadata->>'/project' END",
  'metadata.project_ref':
    "CASE WHEN json_type(metadata, '/project_ref') = 'VARCHAR' THEN metadata->>'/project_ref' END",
};

/** Derives the fields of a source from all its entries. Runs in the caller's transaction. */
export const deriveFields = async (writer: DuckDBConnection, source: LogSource): Promise<void> => {
  const found = new Map<string | null, RecordType>();
  const result = await writer.stream(
    `SELECT DISTINCT ${OWNERS[LOG_SOURCES[source]]}, CAST(json_structure(metadata) AS VARCHAR) FROM ${source}`,
  );
  for await (const chunk of result) {
    for (const [owner, structure] of chunk.getRows()) {
      const project = typeof owner === 'string' ? owner : null;
      const fields = typeOfStructure(JSON.parse(String(structure)));
      if (fields?.kind === 'record') found.set(project, learned(found.get(project) ?? NO_FIELDS, fields));
    }
  }
  const all = [...found].map(([project, fields]) => ({ project, fields }));
  if (all.length > 0) await widenStored(writer, source, all);
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
