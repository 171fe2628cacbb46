/** Rows of like things as a table, with the columns that a phone has no room for left out there. */
import type { ReactNode } from 'react';

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** Numbers stand under each other. */
  readonly isNumber?: boolean;
  /** Left out where there is little room. */
  readonly isWide?: boolean;
  /** Short, and hard to read when it is broken into lines. */
  readonly isWhole?: boolean;
  /** What can be done with the row: its title is for screen readers only. */
  readonly isActions?: boolean;
}

interface DataTableProps<T> {
  /** What the table is of, for screen readers. */
  readonly label: string;
  /** The first names the row. */
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
  readonly empty: ReactNode;
  /** On a phone, what is wide stands below the rest of its row and is not left out. */
  readonly isStacked?: boolean;
  /** Greys a row out: what it stands for is over. */
  readonly isOver?: (row: T) => boolean;
}

export const DataTable = <T,>(props: DataTableProps<T>) => {
  const { label, columns, rows, keyOf, empty, isOver, isStacked = false } = props;
  if (rows.length === 0) return <p className="empty">{empty}</p>;
  return (
    <table className={`results data${isStacked ? ' stacks' : ''}`}>
      <caption className="hidden">{label}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" className={classOf(column)}>
              {column.isActions ? <span className="hidden">{column.title}</span> : column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className={isOver?.(row) ? 'over' : undefined}>
            {columns.map((column, index) =>
              index === 0 ? (
                <th key={column.title} scope="row" className={classOf(column)}>
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.title} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const classOf = <T,>({ isNumber, isWide, isWhole, isActions }: Column<T>): string | undefined =>
  [isNumber && 'value secondary', isWide && 'wide', isWhole && 'whole', isActions && 'row-actions']
    .filter(Boolean)
    .join(' ') || undefined;
