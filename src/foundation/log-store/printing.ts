/** What the printers of all engines write alike: windows, and texts of times piece by piece. */
import { type EngineSql, joined, sql } from './engine-sql.js';
import type { TimeElement } from './query-operations.js';
import type { Frame, FrameEdge, OrderKey, Term, TimeFormat, Window } from './query-tree.js';

type Print = (term: Term) => EngineSql;

/** The years 1 to 9999 at the beginning of a text, in a pattern: engines take others, each its own. */
export const YEARS = String.raw`(?:\d{3}[1-9]|\d{2}[1-9]\d|\d[1-9]\d{2}|[1-9]\d{3})`;

/** What stands in the parentheses of OVER. */
export const windowSql = ({ partitionBy, orderBy, frame }: Window, print: Print): EngineSql => {
  const partition =
    partitionBy.length === 0 ? sql`` : sql`PARTITION BY ${joined(partitionBy.map(print), ', ')}`;
  return sql`${partition}${orderSql(orderBy, print)}${frame === null ? sql`` : frameSql(frame, print)}`;
};

/** ` ORDER BY …`, or nothing. */
export const orderSql = (keys: readonly OrderKey[], print: Print): EngineSql => {
  if (keys.length === 0) return sql``;
  const printed = keys.map(({ term, descending, nullsFirst }) => {
    const way = descending ? sql`DESC` : sql`ASC`;
    return sql`${print(term)} ${way} ${nullsFirst ? sql`NULLS FIRST` : sql`NULLS LAST`}`;
  });
  return sql` ORDER BY ${joined(printed, ', ')}`;
};

/** ` ROWS BETWEEN …` */
const frameSql = ({ unit, start, end }: Frame, print: Print): EngineSql => {
  const rows = unit === 'rows' ? sql`ROWS` : sql`RANGE`;
  return sql` ${rows} BETWEEN ${edgeSql(start, print)} AND ${edgeSql(end, print)}`;
};

const edgeSql = (edge: FrameEdge, print: Print): EngineSql => {
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

type ElementNames = Readonly<Partial<Record<TimeElement, string>>>;

/** How an engine formats and reads times, beside the elements that every engine has. */
export interface TimeFormatter {
  /** Elements that the engine has too, with its names. */
  readonly same: ElementNames;
  /** The names of those that it reads by another name than it writes. */
  readonly read: ElementNames;
  /** Elements that it does not have. */
  readonly computed: Readonly<Partial<Record<TimeElement, (times: PrintedTimes) => EngineSql>>>;
  /** Formats a time by a format of the engine. */
  readonly formatted: (local: EngineSql, format: string) => EngineSql;
}

/** Elements that every engine has, with the names that all of them use. */
const COMMON_ELEMENTS: ElementNames = {
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
    if (own === undefined)
      run += 'text' in part ? part.text : (same[part.element] ?? COMMON_ELEMENTS[part.element] ?? '');
    else {
      endRun();
      pieces.push(own(times));
    }
  }
  endRun();
  return pieces;
};

/** The format of the engine by which it reads a time from a text. */
export const readFormat = (format: TimeFormat, { read, same }: TimeFormatter): string =>
  format
    .map((part) => {
      if ('text' in part) return part.text;
      const { element } = part;
      return read[element] ?? same[element] ?? COMMON_ELEMENTS[element] ?? '';
    })
    .join('');
