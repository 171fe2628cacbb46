/** The sources as tables, with the columns of an entry and the project filter of a tied token. */
import type { FieldCatalogue } from '../../../foundation/log-store/field-catalogue.js';
import { isLogSource, LOG_SOURCES, type LogSource } from '../../../foundation/log-store/sources.js';
import { placedMetadata } from '../values/places.js';
import { typeOfField, type ValueType } from '../values/values.js';
import type { CompileContext, Table, TableScope } from './context.js';
import type { GivenColumn } from './scope.js';

const columnsOf = (source: LogSource, catalogue: FieldCatalogue): readonly GivenColumn[] => [
  { name: 'id', called: 'id', type: { kind: 'string' }, certain: true },
  { name: 'timestamp', called: 'timestamp', type: { kind: 'timestamp' }, certain: true },
  { name: 'event_message', called: 'event_message', type: { kind: 'string' } },
  { name: 'metadata', called: 'metadata', type: metadataOf(source, catalogue), certain: true },
  { name: 'project', called: 'project', type: { kind: 'string' } },
];

const metadataOf = (source: LogSource, { ofAll, sources }: FieldCatalogue): ValueType =>
  ofAll ? placedMetadata(source, sources[source]) : typeOfField(sources[source]);

export const sourceTables = ({ catalogue, onlyProject: project }: CompileContext): TableScope => {
  const tables = new Map<string, Table>();
  for (const source of Object.keys(LOG_SOURCES).filter(isLogSource))
    tables.set(source, {
      name: source,
      columns: columnsOf(source, catalogue),
      time: 'timestamp',
      from: (as) => ({ kind: 'source', source, project, as }),
    });
  return { parent: null, tables };
};
