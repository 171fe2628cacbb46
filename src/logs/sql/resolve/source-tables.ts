/** The nine sources as tables, with the columns of an entry and the project filter of a tied token. */
import type { FieldCatalogue } from '../../../foundation/log-store/field-catalogue.js';
import {
  isLogSource,
  LOG_SOURCES,
  type LogSource,
  type ProjectMatch,
} from '../../../foundation/log-store/sources.js';
import { type EngineSql, identifier, sql, textLiteral } from '../engine-sql.js';
import { placedMetadata } from '../values/places.js';
import { typeOfField, type ValueType } from '../values/values.js';
import type { CompileContext, Table, TableScope } from './context.js';
import type { Column } from './scope.js';

const TIME = sql`"timestamp"`;

const columnsOf = (source: LogSource, catalogue: FieldCatalogue): readonly Column[] => [
  { name: 'id', sql: sql`id`, type: { kind: 'string' }, certain: true },
  { name: 'timestamp', sql: TIME, type: { kind: 'timestamp' }, certain: true },
  { name: 'event_message', sql: sql`event_message`, type: { kind: 'string' } },
  { name: 'metadata', sql: sql`metadata`, type: metadataOf(source, catalogue), certain: true },
  { name: 'project', sql: sql`project`, type: { kind: 'string' } },
];

const metadataOf = (source: LogSource, { ofAll, sources }: FieldCatalogue): ValueType =>
  ofAll ? placedMetadata(source, sources[source]) : typeOfField(sources[source]);

/** Same rule as `projectOf`: only a text names a project. */
const ownEntries = (match: ProjectMatch, project: string): EngineSql => {
  const wanted = textLiteral(project);
  switch (match) {
    case 'project':
      return sql`project = ${wanted}`;
    case 'metadata.project':
      return first(
        sql`json_extract_string(metadata, '/project') = ${wanted} AND json_type(metadata, '/project') = 'VARCHAR'`,
      );
    case 'metadata.project_ref':
      return first(
        sql`json_extract_string(metadata, '/project_ref') = ${wanted} AND json_type(metadata, '/project_ref') = 'VARCHAR'`,
      );
  }
};

/**
 * Keeps the project filter before the conditions of the query. Below a join, the engine moves other conditions in front of
 * a comparison with a constant. A condition that fails on an entry of another project would then reveal that entry. The
 * engine does not reorder a TRY.
 */
const first = (condition: EngineSql): EngineSql => sql`TRY(${condition})`;

const printSource = (source: LogSource, onlyProject: string | null): EngineSql => {
  const columns = sql`CAST(id AS VARCHAR) AS id, "timestamp", event_message, metadata, project`;
  const all = sql`SELECT ${columns} FROM ${identifier(source)}`;
  if (onlyProject === null) return sql`(${all})`;
  return sql`(${all} WHERE ${ownEntries(LOG_SOURCES[source], onlyProject)})`;
};

export const sourceTables = ({ catalogue, onlyProject }: CompileContext): TableScope => {
  const tables = new Map<string, Table>();
  for (const source of Object.keys(LOG_SOURCES).filter(isLogSource))
    tables.set(source, {
      name: source,
      columns: columnsOf(source, catalogue),
      time: TIME,
      print: () => printSource(source, onlyProject),
    });
  return { parent: null, tables };
};
