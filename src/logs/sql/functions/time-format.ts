/** Formats of format_timestamp and parse_timestamp. Translates each element of the dialect to the engine's. */
import { type EngineSql, joined, sql, textLiteral } from '../engine-sql.js';
import { refuse } from '../query-problem.js';
import type { Span } from '../tree.js';

/** Elements that the engine has too, with the engine's names. */
const SAME: Readonly<Record<string, string>> = {
  A: '%A',
  a: '%a',
  B: '%B',
  b: '%b',
  h: '%b',
  D: '%m/%d/%y',
  d: '%d',
  F: '%Y-%m-%d',
  G: '%G',
  H: '%H',
  I: '%I',
  j: '%j',
  M: '%M',
  m: '%m',
  n: '\n',
  p: '%p',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  S: '%S',
  T: '%H:%M:%S',
  t: '\t',
  U: '%U',
  u: '%u',
  V: '%V',
  W: '%W',
  w: '%w',
  X: '%H:%M:%S',
  x: '%m/%d/%y',
  Y: '%Y',
  y: '%y',
  '%': '%%',
  E4Y: '%Y',
  E6S: '%S.%f',
  E3S: '%S.%g',
};

type Computed = (local: EngineSql) => EngineSql;

const padded = (local: EngineSql, format: EngineSql): EngineSql =>
  sql`lpad(ltrim(strftime(${local}, ${format}), '0'), 2, ' ')`;

/** Elements that the engine does not have. */
const COMPUTED: Readonly<Record<string, Computed>> = {
  C: (local) => sql`lpad(CAST(year(${local}) // 100 AS VARCHAR), 2, '0')`,
  c: (local) =>
    sql`(strftime(${local}, '%a %b ') || ${padded(local, sql`'%d'`)} || strftime(${local}, ' %H:%M:%S %Y'))`,
  e: (local) => padded(local, sql`'%d'`),
  g: (local) => sql`right(strftime(${local}, '%G'), 2)`,
  k: (local) => sql`lpad(CAST(hour(${local}) AS VARCHAR), 2, ' ')`,
  l: (local) => padded(local, sql`'%I'`),
  P: (local) => sql`lower(strftime(${local}, '%p'))`,
  Q: (local) => sql`CAST(quarter(${local}) AS VARCHAR)`,
  // All significant digits.
  'E*S': (local) => sql`rtrim(rtrim(strftime(${local}, '%S.%f'), '0'), '.')`,
  E0S: (local) => sql`strftime(${local}, '%S')`,
  E1S: (local) => sql`left(strftime(${local}, '%S.%f'), 4)`,
  E2S: (local) => sql`left(strftime(${local}, '%S.%f'), 5)`,
  E4S: (local) => sql`left(strftime(${local}, '%S.%f'), 7)`,
  E5S: (local) => sql`left(strftime(${local}, '%S.%f'), 8)`,
};

const ELEMENT = /%(E4Y|E\*S|E[0-6]S|E?[A-Za-z%])/g;

/** `local`: the time in the zone; `utc`: the same time in UTC, needed for `%s`, `%z` and `%Z`. */
export const formatted = (
  { local, utc, zoneName }: { local: EngineSql; utc: EngineSql; zoneName: string },
  format: string,
  span: Span,
): EngineSql => {
  const pieces: EngineSql[] = [];
  let run = '';
  const endRun = () => {
    if (run !== '') pieces.push(sql`strftime(${local}, ${textLiteral(run)})`);
    run = '';
  };
  for (const part of elementsOf(format, span)) {
    const computed = part.element === null ? undefined : zoned(part.element, { local, utc, zoneName });
    if (computed === undefined) run += part.text;
    else {
      endRun();
      pieces.push(computed);
    }
  }
  endRun();
  if (pieces.length === 0) return sql`CASE WHEN ${local} IS NOT NULL THEN '' END`;
  return sql`(${joined(pieces, ' || ')})`;
};

const zoned = (
  element: string,
  { local, utc, zoneName }: { local: EngineSql; utc: EngineSql; zoneName: string },
): EngineSql | undefined => {
  switch (element) {
    case 's':
      return sql`CAST(epoch_us(${utc}) // 1000000 AS VARCHAR)`;
    case 'z':
      return offsetText(local, utc, sql`''`);
    case 'Ez':
      return offsetText(local, utc, sql`':'`);
    case 'Z':
      return textLiteral(zoneName);
    default:
      return COMPUTED[element]?.(local);
  }
};

const offsetText = (local: EngineSql, utc: EngineSql, between: EngineSql): EngineSql => {
  const minutes = sql`((epoch_us(${local}) - epoch_us(${utc})) // 60000000)`;
  const two = (value: EngineSql) => sql`lpad(CAST(${value} AS VARCHAR), 2, '0')`;
  return sql`(CASE WHEN ${minutes} < 0 THEN '-' ELSE '+' END || ${two(sql`abs(${minutes}) // 60`)} || ${between} || ${two(sql`abs(${minutes}) % 60`)})`;
};

interface Part {
  /** The engine's format; as written when the engine does not have the element. */
  readonly text: string;
  readonly element: string | null;
}

const elementsOf = (format: string, span: Span): readonly Part[] => {
  const parts: Part[] = [];
  let end = 0;
  for (const match of format.matchAll(ELEMENT)) {
    parts.push({ text: plain(format.slice(end, match.index), span), element: null });
    const element = match[1] ?? '';
    const known = SAME[element];
    if (known === undefined && COMPUTED[element] === undefined && !['s', 'z', 'Z', 'Ez'].includes(element))
      return refuse(span, `%${element} is no element of a time format`);
    parts.push(known === undefined ? { text: match[0], element } : { text: known, element: null });
    end = match.index + match[0].length;
  }
  parts.push({ text: plain(format.slice(end), span), element: null });
  return parts;
};

const plain = (text: string, span: Span): string =>
  text.includes('%') ? refuse(span, 'a % in a time format is followed by an element, or doubled') : text;

/** Returns the engine's format for parsing a text. */
export const parsingFormat = (format: string, span: Span): EngineSql => {
  const parts = elementsOf(format, span).map(({ text, element }) => {
    if (element === 'z' || element === 'Ez') return '%z';
    if (element === 'e') return '%d';
    if (element !== null) return refuse(span, `%${element} cannot be read back from a text`);
    return text;
  });
  return textLiteral(parts.join(''));
};
