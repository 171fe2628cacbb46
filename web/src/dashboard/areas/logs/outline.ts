/** Finds tables and fields in the outline of an endpoint's query; see src/logs/sql/outline.ts. */
import type {
  FieldOutline as Field,
  ParameterOutline as Parameter,
  QueryOutline,
  TableOutline as Table,
} from '../../../../../src/logs/sql/outline.js';

export type { EndpointOutline } from '../../../../../src/logs/query/outline-views.js';
export type { Field, Parameter, QueryOutline };

export const tableNamed = ({ tables }: QueryOutline, name: string | null): Table | null =>
  tables.find((table) => table.name.toLowerCase() === name?.toLowerCase()) ?? null;

const fieldNamed = (fields: readonly Field[], name: string): Field | null =>
  fields.find((field) => field.name === name) ??
  fields.find((field) => field.name.toLowerCase() === name.toLowerCase()) ??
  null;

/** The fields at the end of a path; empty when the path does not exist. */
export const fieldsAt = (fields: readonly Field[], path: readonly string[]): readonly Field[] =>
  path.reduce<readonly Field[]>((within, name) => fieldNamed(within, name)?.fields ?? [], fields);

/** The parameter that names a project; null when the endpoint has none, or takes a pattern. */
export const projectParameter = ({ parameters }: Pick<QueryOutline, 'parameters'>): Parameter | null =>
  parameters.find(({ name, use }) => name === 'project' && use === 'text') ?? null;
