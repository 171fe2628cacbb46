/** Formats of format_timestamp and parse_timestamp: texts and elements of the dialect. */
import {
  READABLE_TIME_ELEMENTS,
  TIME_ELEMENTS,
  type TimeElement,
} from '../../../foundation/log-store/query-operations.js';
import type { TimeFormat } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
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

/** Returns the parts of a format by which a text is read. Throws Refusal at `span`. */
export const parsingFormat = (format: string, span: Span): TimeFormat => {
  const parts = timeFormat(format, span);
  for (const part of parts)
    if ('element' in part && !READABLE.has(part.element))
      refuse(span, `%${part.element} cannot be read back from a text`);
  return parts;
};
