import { expect, it } from '@jest/globals';
import { readText, rowsText } from '../../../../web/src/dashboard/areas/logs/read-text.js';

it.each([
  [0, 0, '0 entries (0 B)'],
  [1, 999, '1 entry (999 B)'],
  [1_204, 642_100, '1,204 entries (642 kB)'],
  [127_469, 61_449_800, '127,469 entries (61.4 MB)'],
  [2, 1_234_000_000_000_000, '2 entries (1,230 TB)'],
])('what a query reads: %i entries, %i bytes', (entries, bytes, text) =>
  expect(readText({ entries, bytes })).toBe(text),
);

it.each([
  [0, '0 rows'],
  [1, '1 row'],
  [1_204, '1,204 rows'],
])('%i rows', (count, text) => expect(rowsText(count)).toBe(text));
