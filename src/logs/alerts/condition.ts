/** When an alert fires. Pure. */

export const COMPARISONS = ['>', '>=', '<', '<=', '='] as const;

/** Compares the number of rows, or a column's value in any row. */
export interface Condition {
  /** Null: the number of rows. */
  readonly column: string | null;
  readonly is: (typeof COMPARISONS)[number];
  readonly value: number;
}

export interface Outcome {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Whether there were more rows than the endpoint returns. */
  readonly truncated: boolean;
}

/** Why it cannot be told whether the condition holds. */
export interface Undecided {
  readonly problem: string;
}

/** `condition` null: it fires on any row. */
export const fires = (condition: Condition | null, { rows, truncated }: Outcome): boolean | Undecided => {
  if (condition === null) return rows.length > 0;
  const { column, is, value } = condition;
  if (column !== null) return columnFires(column, condition, rows);
  if (!truncated) return compares(rows.length, is, value);
  // There is at least one more.
  if (rows.length < value)
    return { problem: `the endpoint returns ${rows.length} rows at most, and there are more` };
  return is === '>' || is === '>=';
};

const columnFires = (
  column: string,
  { is, value }: Condition,
  rows: Outcome['rows'],
): boolean | Undecided => {
  for (const row of rows) {
    if (!Object.hasOwn(row, column)) return { problem: `the result has no column ${column}` };
    const found = row[column];
    if (found === null) continue;
    const number = typeof found === 'string' && found.trim() !== '' ? Number(found) : found;
    if (typeof number !== 'number' || Number.isNaN(number))
      return { problem: `the column ${column} holds a value that is no number` };
    if (compares(number, is, value)) return true;
  }
  return false;
};

const compares = (found: number, is: Condition['is'], value: number): boolean => {
  switch (is) {
    case '>':
      return found > value;
    case '>=':
      return found >= value;
    case '<':
      return found < value;
    case '<=':
      return found <= value;
    case '=':
      return found === value;
    default:
      return is satisfies never;
  }
};
