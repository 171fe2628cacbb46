/** Prints the SELECT list, and returns its columns for the enclosing query. */
import { type EngineSql, identifier, joined, sql } from '../../engine-sql.js';
import type { Place } from '../lowered-query.js';
import type { Column } from '../scope.js';
import type { OutputItem } from './resolve-items.js';

export class SelectPrinter {
  readonly list: EngineSql;
  readonly columns: readonly Column[];
  readonly time: EngineSql | null;

  constructor({
    place,
    items,
    time,
  }: { place: Place; items: readonly OutputItem[]; time: EngineSql | null }) {
    const names = new Set<string>();
    const named = items.map(({ name, value }) => {
      const called = place.role === 'result' ? identifier(unique(name, names)) : place.context.fresh('k');
      return { name, called, value };
    });
    const hidden = time !== null && place.role === 'table' ? place.context.fresh('k') : null;
    const printed = named.map(({ called, value }) => sql`${value.sql} AS ${called}`);
    this.list = joined(
      hidden === null || time === null ? printed : [...printed, sql`${time} AS ${hidden}`],
      ', ',
    );
    this.columns = named.map(({ name, called, value }) => ({
      name,
      sql: called,
      type: value.type.kind === 'null' ? { kind: 'string' } : value.type,
      ...(value.certain === undefined ? {} : { certain: value.certain }),
    }));
    this.time = hidden;
  }
}

const unique = (name: string, taken: Set<string>): string => {
  let free = name;
  for (let at = 1; taken.has(free.toLowerCase()); at++) free = `${name}_${at}`;
  taken.add(free.toLowerCase());
  return free;
};
