/**
 * Reads the text of imported files. Bytes that are not UTF-8 are a fault with a place; the encoding is never guessed.
 */
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { fileProblem } from '../../../foundation/basics/file-problem.js';
import { FaultError, fail } from './contest-file.js';

const LINE_FEED = 0x0a;
const REPLACEMENT = '\uFFFD';

/** Throws FaultError. */
export const readText = async (file: string): Promise<string> => {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  return textOf(file, bytes);
};

export const unreadable = (file: string, error: unknown): FaultError =>
  new FaultError({ file, line: null, column: null, reason: `cannot be read: ${fileProblem(error)}` });

/** Throws FaultError at the first character that is not UTF-8. */
export const textOf = (file: string, bytes: Buffer): string => {
  if (isUtf8(bytes)) return bytes.toString();
  let line = 1;
  let begin = 0;
  let end = endOfLine(bytes, begin);
  while (isUtf8(bytes.subarray(begin, end))) {
    line += 1;
    begin = end;
    end = endOfLine(bytes, begin);
  }
  const column = bytes.toString('utf8', begin, end).indexOf(REPLACEMENT) + 1;
  return fail({ file, line, column }, 'is not UTF-8 here; save the file as UTF-8');
};

/** Returns the index after the line that starts here. */
const endOfLine = (bytes: Buffer, begin: number): number => {
  const at = bytes.indexOf(LINE_FEED, begin);
  return at === -1 ? bytes.length : at + 1;
};
