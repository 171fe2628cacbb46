/**
 * The parser library, from the one file of its package that has all of it. Its modules and those of its dependencies are hundreds
 * of files, and to read them took longer than the first query itself.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as library from 'chevrotain';

const modules = pathToFileURL(createRequire(import.meta.url).resolve('chevrotain'));

export const { createToken, EmbeddedActionsParser, EOF, Lexer, tokenMatcher }: typeof library = await import(
  new URL('../chevrotain.mjs', modules).href
);
