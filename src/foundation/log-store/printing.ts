/** What the printers of all engines write alike: windows, and texts of times piece by piece. */
import { type EngineSql, sql } from './engine-sql.js';
import type { TimeElement } from './query-operations.js';
import type { Frame, FrameEdge, Term, TimeFormat } from './query-tree.js';

/** ` ROWS BETWEEN …`; `print` prints a term. */
export const frameSql = ({ unit, start, end }: Frame, print: (term: Term) => EngineSql): EngineSql => {
  const rows = unit === 'rows' ? sql`ROWS` : sql`RANGE`;
  return sql` ${rows} BETWEEN ${edgeSql(start, print)} AND ${edgeSql(end, print)}`;
};

const edgeSql = (edge: FrameEdge, print: (term: Term) => EngineSql): EngineSql => {
  switch (edge.kind) {
    case 'current-row':
      return sql`CURRENT ROW`;
    case 'unbounded-preceding':
      return sql`UNBOUNDED PRECEDING`;
    case 'unbounded-following':
      return sql`UNBOUNDED FOLLOWING`;
    case 'preceding':
      return sql`${print(edge.by)} PRECEDING`;
    case 'following':
      return sql`${print(edge.by)} FOLLOWING`;
    default:
      return edge satisfies never;
  }
};

/** A time that is formatted. */
export interface PrintedTimes {
  readonly local: EngineSql;
  readonly utc: EngineSql;
  readonly zoneName: string;
}

/** How an engine formats times. */
export interface TimeFormatter {
  /** Elements that the engine has too, with its names. */
  readonly same: Readonly<Partial<Record<TimeElement, string>>>;
  /** Elements that it does not have. */
  readonly computed: Readonly<Partial<Record<TimeElement, (times: PrintedTimes) => EngineSql>>>;
  /** Formats a time by a format of the engine. */
  readonly formatted: (local: EngineSql, format: string) => EngineSql;
}

/** Elements that every engine has, with the names that all of them use. */
export const COMMON_ELEMENTS: Readonly<Partial<Record<TimeElement, string>>> = {
  a: '%a',
  b: '%b',
  h: '%b',
  D: '%m/%d/%y',
  d: '%d',
  F: '%Y-%m-%d',
  G: '%G',
  H: '%H',
  I: '%I',
  j: '%j',
  m: '%m',
  n: '\n',
  p: '%p',
  S: '%S',
  t: '\t',
  u: '%u',
  V: '%V',
  w: '%w',
  x: '%m/%d/%y',
  Y: '%Y',
  y: '%y',
  '%': '%%',
  E4Y: '%Y',
  E6S: '%S.%f',
};

/** The pieces of a formatted time, as few as there can be. */
export const timePieces = (
  times: PrintedTimes,
  format: TimeFormat,
  { same, computed, formatted }: TimeFormatter,
): readonly EngineSql[] => {
  const pieces: EngineSql[] = [];
  let run = '';
  const endRun = () => {
    if (run !== '') pieces.push(formatted(times.local, run));
    run = '';
  };
  for (const part of format) {
    const own = 'element' in part ? computed[part.element] : undefined;
    if (own === undefined) run += 'text' in part ? part.text : (same[part.element] ?? '');
    else {
      endRun();
      pieces.push(own(times));
    }
  }
  endRun();
  return pieces;
};
