/** The sources as tables, with the columns of an entry and the project filter of a tied token. */
import type { RecordType } from '../../../foundation/log-store/field-catalogue.js';
import type { Term } from '../../../foundation/log-store/query-tree.js';
import { type LogSource, projectMatchOf } from '../../../foundation/log-store/sources.js';
import { apply, column as columnTerm, read } from '../terms.js';
import { placedMetadata } from '../values/places.js';
import { typeOfField, type ValueType } from '../values/values.js';
import type { CompileContext, Table } from './context.js';
import type { GivenColumn } from './scope.js';

const columnsOf = (metadata: ValueType): readonly GivenColumn[] => [
  { name: 'id', called: 'id', type: { kind: 'string' }, certain: true },
  { name: 'timestamp', called: 'timestamp', type: { kind: 'timestamp' }, certain: true },
  { name: 'event_message', called: 'event_message', type: { kind: 'string' } },
  { name: 'metadata', called: 'metadata', type: metadata, certain: true },
  { name: 'project', called: 'project', type: { kind: 'string' } },
];

/** What has sent an entry: `metadata.identifier`, else the project. A column that `*` leaves out. */
const identifierOf = (source: LogSource, as: string): Term => {
  const metadata = columnTerm(as, 'metadata');
  const field = (name: string): Term => read('text', { base: metadata, path: [name] });
  const match = projectMatchOf(source);
  const project = match === 'project' ? columnTerm(as, 'project') : field(match.slice('metadata.'.length));
  return apply('coalesce', field('identifier'), project);
};

/** By their name. */
export const sourceTables = ({
  catalogue,
  onlyProject: project,
  readsIdentifier,
}: CompileContext): Map<string, Table> => {
  const { ofAll, sources } = catalogue;
  const typeOf = (source: LogSource, fields: RecordType): ValueType =>
    ofAll ? placedMetadata(source, fields) : typeOfField(fields);
  const tables = new Map<string, Table>();
  for (const [source, fields] of Object.entries(sources))
    tables.set(source, {
      name: source,
      columns: columnsOf(typeOf(source, fields)),
      time: 'timestamp',
      ...(readsIdentifier && { identifier: (as: string) => identifierOf(source, as) }),
      from: (as) => ({ kind: 'source', source, project, as }),
    });
  return tables;
};
