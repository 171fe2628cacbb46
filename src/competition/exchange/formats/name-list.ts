/**
 * Several names in one cell, joined by `; `. A name that holds a semicolon, or begins with a quote, stands in quotes with its own
 * quotes doubled.
 */

export const joinNames = (names: readonly string[]): string =>
  names.map((name) => (/^"|;/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join('; ');

const NAME = /\s*"((?:[^"]|"")*)"\s*(?:;|$)|([^;]*)(?:;|$)/g;

export const splitNames = (text: string): readonly string[] =>
  [...text.matchAll(NAME)]
    .map(([, quoted, plain = '']) => (quoted?.replaceAll('""', '"') ?? plain).trim())
    .filter((name) => name !== '');
