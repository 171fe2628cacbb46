/** The keypad does in a field what the keys of a keyboard do. */
import { expect, it } from '@jest/globals';
import { textAfterKey } from '../../../../web/src/dashboard/areas/entry/keypad-text.js';

it.each([
  ['7', '12', 2, 2, '127'],
  ['7', '12', 1, 1, '172'],
  ['7', '9.34', 0, 4, '7'],
  ['DNF', '12', 2, 2, 'DNF'],
  ['DNS', '', 0, 0, 'DNS'],
  ['delete', '123', 3, 3, '12'],
  ['delete', '123', 0, 3, ''],
  ['delete', '123', 1, 1, '23'],
  ['delete', '123', 0, 0, '123'],
  ['delete', '', 0, 0, ''],
] as const)('%s in %j from %d to %d gives %j', (key, text, from, to, after) =>
  expect(textAfterKey(key, { text, from, to })).toBe(after),
);
