/** Finds a project that alone has several fields, among the stored fields of all projects, by one aggregate over them. */
import { type DuckDBConnection, type DuckDBType, type DuckDBValue, INTEGER, VARCHAR } from '@duckdb/node-api';
import type { FieldPlace } from '../../foundation/log-store/field-catalogue.js';
import type { FieldPlaces } from '../../foundation/log-store/log-store.js';

/** As LogStore.projectWith. */
export const projectWith = async (
  connection: DuckDBConnection,
  candidates: readonly FieldPlaces[],
  atLeast: number,
): Promise<readonly number[] | null> => {
  const values: Record<string, DuckDBValue> = { atLeast };
  const types: Record<string, DuckDBType> = { atLeast: INTEGER };
  const bound = (value: string): string => {
    const name = `p${Object.keys(values).length}`;
    values[name] = value;
    types[name] = VARCHAR;
    return `$${name}`;
  };
  const has = candidates.map((places, at) => {
    const isIn = places.map(
      ({ source, path }) => `(source = ${bound(source)} AND json_exists(fields, ${bound(pointerTo(path))}))`,
    );
    return `CAST(bool_or(${isIn.join(' OR ')}) AS INTEGER) AS c${at}`;
  });
  const all = candidates.map((_, at) => `c${at}`);
  const result = await connection.runAndReadAll(
    `SELECT ${all.join(', ')} FROM (
       SELECT ${has.join(', ')} FROM _podium.fields WHERE starts_with(owner, '=') GROUP BY owner
     ) WHERE ${all.join(' + ')} >= $atLeast LIMIT 1`,
    values,
    types,
  );
  const [found] = result.getRows();
  return found === undefined ? null : [...found.keys()].filter((at) => found[at] === 1);
};

/** The JSON pointer of a field in the text of a RecordType. */
const pointerTo = (path: FieldPlace['path']): string =>
  path
    .map((step) => (step === null ? '/items' : `/fields/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`))
    .join('');
