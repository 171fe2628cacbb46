/**
 * Reads the rows of a printed query from JSONCompactEachRowWithNamesAndTypes: a line with the names, one with ClickHouse's types,
 * and one for each row. The name of a column begins with the type of its values, which ClickHouse's own does not tell: JSON
 * is a text there, and a list an array in an array.
 */

import { LogQueryFailedError, type LogRows } from '../../../foundation/log-store/log-store.js';
import { nestingFault } from '../../../foundation/log-store/nested-json.js';
import type { Json } from '../../../foundation/log-store/sources.js';
import type { NamedColumn } from './names.js';
import type { Type } from './printed.js';

/** `string name`, `list json name`. */
export const resultName = ({ name, type }: NamedColumn): string => `${typeName(type)}:${name}`;

const typeName = (type: Type): string => (type.kind === 'list' ? `list ${typeName(type.items)}` : type.kind);

type Reader = (value: Json) => Json;

interface ReadColumn {
  readonly name: string;
  readonly read: Reader;
}

const columnOf = (called: string): ReadColumn => {
  const end = called.indexOf(':');
  const kinds = called.slice(0, end).split(' ');
  return { name: called.slice(end + 1), read: readerOf(kinds) };
};

const readerOf = ([kind = '', ...rest]: readonly string[]): Reader => {
  switch (kind) {
    case 'list': {
      const read = readerOf(rest);
      return (value) => {
        const list = Array.isArray(value) ? value[0] : undefined;
        return Array.isArray(list) ? list.map(read) : null;
      };
    }
    case 'json':
      return (value) => (typeof value === 'string' ? parsed(value) : value);
    case 'timestamp':
      return (value) => (typeof value === 'string' ? `${value.replace(' ', 'T')}Z` : value);
    case 'integer':
      return (value) => {
        if (typeof value !== 'string') return value;
        const whole = Number(value);
        return Number.isSafeInteger(whole) ? whole : value;
      };
    case 'number':
      return (value) =>
        typeof value === 'string'
          ? value.replace(/^(-?)inf$/, '$1Infinity').replace(/^-?nan$/, 'NaN')
          : value;
    default:
      return (value) => value;
  }
};

const parsed = (json: string): Json => {
  const fault = nestingFault(json);
  if (fault !== null) throw new LogQueryFailedError('value', fault);
  return JSON.parse(json);
};

/** `maxRows`: there are one more at most. Throws LogQueryFailedError when a value nests too deep. */
export const readRows = (text: string, maxRows: number): LogRows => {
  const [names = '[]', , ...lines] = text.split('\n').filter((line) => line !== '');
  const columns = (JSON.parse(names) as string[]).map(columnOf);
  const rows = lines.slice(0, maxRows).map((line) => {
    const values = JSON.parse(line) as Json[];
    return Object.fromEntries(columns.map(({ name, read }, at) => [name, read(values[at] ?? null)]));
  });
  return { columns: columns.map(({ name }) => name), rows, truncated: lines.length > maxRows };
};
