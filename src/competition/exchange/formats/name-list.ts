/**
 * Several names in one cell, separated by `; `. A name that contains a semicolon or starts with a quote is quoted,
 * and its own quotes are doubled.
 */

export const joinNames = (names: readonly string[]): string =>
  names.map((name) => (/^"|;/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join('; ');

const NAME = /\s*"((?:[^"]|"")*)"\s*(?:;|$)|([^;]*)(?:;|$)/g;

export const splitNames = (text: string): readonly string[] =>
  [...text.matchAll(NAME)]
    .map(([, quoted, plain = '']) => (quoted?.replaceAll('""', '"') ?? plain).trim())
    .filter((name) => name !== '');
