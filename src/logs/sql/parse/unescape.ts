/** Replaces the escapes of a text literal: those of the BigQuery dialect, and no others. */
import { C_ESCAPES } from '../../../foundation/basics/escapes.js';
import { refuse } from '../query-problem.js';

const SIMPLE: Readonly<Record<string, string>> = { ...C_ESCAPES, '?': '?', '`': '`' };

const ESCAPE =
  /\\(?:x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S])|$)/g;

/** `start`: offset of `body` in the query. Throws Refusal. */
export const unescapeText = (body: string, start: number): string =>
  body.replace(ESCAPE, (written: string, ...found: unknown[]) => {
    const [x, upperX, u, upperU, octal, simple] = found.slice(0, 6);
    const span = { start: start + Number(found[6]), end: start + Number(found[6]) + written.length };
    const hex = [x, upperX, u, upperU].find((digits) => typeof digits === 'string');
    if (typeof hex === 'string') return character(Number.parseInt(hex, 16), span);
    if (typeof octal === 'string') return character(Number.parseInt(octal, 8), span);
    const plain = typeof simple === 'string' ? SIMPLE[simple] : undefined;
    return (
      plain ??
      refuse(span, `${written} is no escape; write \\\\ for a backslash, or r'...' for a regular expression`)
    );
  });

const character = (code: number, span: { start: number; end: number }): string => {
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code > 0x10ffff || surrogate) return refuse(span, 'there is no character of this code');
  return String.fromCodePoint(code);
};
