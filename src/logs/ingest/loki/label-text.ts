/**
 * The labels of a stream as text, as a push in protobuf has them: `{job="web", path="C:\\logs"}`. Values are texts as Go
 * writes them.
 */

const PAIR = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*("(?:[^"\\\n]|\\.)*"|`[^`]*`)\s*(,|$)/y;
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))/g;

const CONTROLS: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};
const NO_CHARACTER = '\ufffd';
const LAST_CODE_POINT = 0x10_ffff;

/** Returns the labels by name; null when the text is none. */
export const labelsOf = (text: string): ReadonlyMap<string, string> | null => {
  const inside = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1];
  if (inside === undefined) return null;
  const labels = new Map<string, string>();
  const end = inside.trimEnd().length;
  let at = 0;
  while (at < end) {
    PAIR.lastIndex = at;
    const [whole = '', name, quoted = ''] = PAIR.exec(inside) ?? [];
    if (name === undefined) return null;
    labels.set(name, unquoted(quoted));
    at += whole.length;
  }
  return labels;
};

const unquoted = (quoted: string): string => {
  const text = quoted.slice(1, -1);
  return quoted.startsWith('`') ? text : text.replace(ESCAPE, unescaped);
};

/** `\x` and octal numbers are bytes; those beyond ASCII are no text of their own. */
const unescaped = (
  _: string,
  byte: string | undefined,
  short: string | undefined,
  long: string | undefined,
  octal: string | undefined,
  letter = '',
): string => {
  if (byte !== undefined) return asciiOf(Number.parseInt(byte, 16));
  if (octal !== undefined) return asciiOf(Number.parseInt(octal, 8));
  const point = short ?? long;
  if (point === undefined) return CONTROLS[letter] ?? letter;
  const code = Number.parseInt(point, 16);
  return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : NO_CHARACTER;
};

const asciiOf = (byte: number): string => (byte < 0x80 ? String.fromCharCode(byte) : NO_CHARACTER);
