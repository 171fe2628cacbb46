/** A table of records. A phone hides its wide columns. */
import type { ReactNode } from 'react';

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** Aligned to the right. */
  readonly isNumber?: boolean;
  /** Hidden on a phone. */
  readonly isWide?: boolean;
  /** Never broken into lines. */
  readonly isWhole?: boolean;
  /** Has the buttons of the row; only screen readers get its title. */
  readonly isActions?: boolean;
}

interface DataTableProps<T> {
  /** The table's caption, for screen readers. */
  readonly label: string;
  /** The cells of the first column are the row headers. */
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
  /** On a phone, shows wide columns below the rest of their row instead of hiding them. */
  readonly isStacked?: boolean;
  /** Greys out rows of records that are no longer valid. */
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
