/**
 * The rows of a result as a table. The user can sort by any column, change the width of each column, and expand a row to see
 * its nested values.
 */
import { Fragment, memo, useMemo, useState } from 'react';
import { ColumnHead, type SortOrder } from './column-head.js';
import { isTime } from './counts.js';
import { columnNames } from './exports.js';
import type { LogRow } from './log-query.js';
import { isNested } from './paths.js';
import { ValueTree } from './value-tree.js';

interface Order {
  readonly column: string;
  readonly descending: boolean;
}

export const RowsTable = ({ rows }: { readonly rows: readonly LogRow[] }) => {
  const [order, setOrder] = useState<Order | null>(null);
  const columns = useMemo(() => columnNames(rows), [rows]);
  const sorted = useMemo(() => (order === null ? rows : sortedBy(rows, order)), [rows, order]);
  const keys = useMemo(() => new Map(rows.map((row, index) => [row, index])), [rows]);
  const sort = (column: string): void =>
    setOrder((before) => ({ column, descending: before?.column === column && !before.descending }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach an element that scrolls.
    <section className="rows" aria-label="Rows" tabIndex={0}>
      <table className="results">
        <caption className="hidden">Rows of the result</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="hidden">Expand</span>
            </th>
            {columns.map((column) => (
              <ColumnHead
                key={column}
                column={column}
                sort={sortOf(order, column)}
                onSort={() => sort(column)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <Line key={keys.get(row)} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </section>
  );
};

const sortOf = (order: Order | null, column: string): SortOrder => {
  if (order?.column !== column) return 'none';
  return order.descending ? 'descending' : 'ascending';
};

const Line = memo(({ row, columns }: { readonly row: LogRow; readonly columns: readonly string[] }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Fragment>
      <tr>
        <td>
          <button
            type="button"
            className="unfold"
            aria-expanded={isOpen}
            aria-label="Expand the row"
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? '▾' : '▸'}
          </button>
        </td>
        {columns.map((column) => (
          <td key={column} className={kindOf(row[column])}>
            <Cell value={row[column]} />
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr className="unfolded">
          <td />
          <td colSpan={columns.length}>
            <ValueTree value={row} />
          </td>
        </tr>
      )}
    </Fragment>
  );
});

const kindOf = (value: unknown): string | undefined => {
  if (typeof value === 'number') return 'number';
  return isTime(value) ? 'time' : undefined;
};

const MAX_CELL_CHARACTERS = 300;

const Cell = ({ value }: { readonly value: unknown }) => {
  if (value === null || value === undefined) return <span className="nothing">NULL</span>;
  const text = isNested(value) ? JSON.stringify(value) : String(value);
  return <span className={isNested(value) ? 'nested' : undefined}>{text.slice(0, MAX_CELL_CHARACTERS)}</span>;
};

/** Sorts numbers by size and other values by their text. Missing values come last. */
const sortedBy = (rows: readonly LogRow[], { column, descending }: Order): readonly LogRow[] => {
  const direction = descending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [left, right] = [one[column] ?? null, other[column] ?? null];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return direction * compared(left, right);
  });
};

const compared = (left: unknown, right: unknown): number => {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [one, other] = [left, right].map((value) =>
    isNested(value) ? JSON.stringify(value) : String(value),
  );
  return one === other ? 0 : (one ?? '') < (other ?? '') ? -1 : 1;
};
