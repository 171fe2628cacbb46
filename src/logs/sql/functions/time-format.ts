/** Formats of format_timestamp and parse_timestamp: texts and elements of the dialect. */
import {
  READABLE_TIME_ELEMENTS,
  TIME_ELEMENTS,
  type TimeElement,
} from '../../../foundation/log-store/query-operations.js';
import type { TimeFormat } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import { escapedPattern } from '../texts/patterns.js';
import type { Span } from '../tree.js';

const ELEMENT = /%(E4Y|E\*S|E[0-6]S|E?[A-Za-z%])/g;

const isElement = (name: string): name is TimeElement => TIME_ELEMENTS.some((known) => known === name);

/** Returns the parts of a format. Throws Refusal at `span`. */
export const timeFormat = (format: string, span: Span): TimeFormat => {
  const parts: TimeFormat[number][] = [];
  const addText = (text: string) => {
    if (text.includes('%')) refuse(span, 'a % in a time format is followed by an element, or doubled');
    if (text !== '') parts.push({ text });
  };
  let end = 0;
  for (const match of format.matchAll(ELEMENT)) {
    addText(format.slice(end, match.index));
    const element = match[1] ?? '';
    if (!isElement(element)) return refuse(span, `%${element} is no element of a time format`);
    parts.push({ element });
    end = match.index + match[0].length;
  }
  addText(format.slice(end));
  return parts;
};

const READABLE: ReadonlySet<string> = new Set(READABLE_TIME_ELEMENTS);

const HAS_YEAR = /%(E4)?[YyFDxGg]/;

interface ParsingFormats {
  /** A text is read by the first that it has. */
  readonly formats: readonly TimeFormat[];
  /** Before the text; empty: nothing. */
  readonly prefix: string;
  readonly endsWithOffset: boolean;
  /** Digits of a second beyond microseconds, between the groups 1 and 2; null: the text has none. */
  readonly beyondMicroseconds: string | null;
}

/** Returns the formats by which a text is read. Throws Refusal at `span`. */
export const parsingFormats = (format: string, span: Span): ParsingFormats => {
  // As in the dialect, a time without a year is of 1970.
  const prefix = HAS_YEAR.test(format.replaceAll('%%', '')) ? '' : '1970 ';
  const parts = timeFormat(prefix === '' ? format : `%Y ${format}`, span);
  const readAs = (seconds: TimeElement): TimeFormat =>
    parts.map((part) => ('element' in part && part.element === 'E*S' ? { element: seconds } : part));
  const formats = isIn(parts, 'E*S') ? [readAs('E6S'), readAs('S')] : [parts];
  for (const part of formats[0] ?? [])
    if ('element' in part && !READABLE.has(part.element))
      refuse(span, `%${part.element} cannot be read back from a text`);
  const last = parts.slice(-1);
  return {
    formats,
    prefix,
    endsWithOffset: isIn(last, 'z') || isIn(last, 'Ez'),
    beyondMicroseconds: beyondMicroseconds(parts),
  };
};

/** The dialect takes a second of any number of digits with %E*S, and cuts it to microseconds. */
const beyondMicroseconds = (parts: TimeFormat): string | null => {
  const at = parts.findLastIndex((part) => 'element' in part && part.element === 'E*S');
  if (at === -1) return null;
  const rest = parts.slice(at + 1).map((part) => ('text' in part ? escapedPattern(part.text) : '.*'));
  return `(\\.[0-9]{6})[0-9]+(${rest.join('')})$`;
};

const isIn = (parts: TimeFormat, element: TimeElement): boolean =>
  parts.some((part) => 'element' in part && part.element === element);
