import { expect, it } from '@jest/globals';
import type { ValueFormat } from '../../../src/domain/attempts.js';
import { encodeMulti } from '../../../src/domain/scoring.js';
import { averageText, resultText } from '../../../src/domain/value-text.js';

const multi = encodeMulti({ solved: 11, missed: 1, centiseconds: 273_200, dnf: false });

it.each<[number, ValueFormat, string]>([
  [0, 'time', ''],
  [-1, 'time', 'DNF'],
  [-2, 'time', 'DNS'],
  [987, 'time', '9.87'],
  [6_000, 'time', '1:00.00'],
  [6_234, 'time', '1:02.34'],
  [372_345, 'time', '1:02:03.45'],
  [8_640_000, 'time', 'Solved'],
  [25, 'number', '25'],
  [0, 'multi', ''],
  [multi, 'multi', '11/12 45:32'],
])('the result %d of a %s event is “%s”', (value, format, text) => {
  expect(resultText(value, format)).toBe(text);
});

it.each<[number, ValueFormat, string]>([
  [0, 'number', ''],
  [-1, 'number', 'DNF'],
  [2_533, 'number', '25.33'],
  [6_234, 'time', '1:02.34'],
])('the average %d of a %s event is “%s”', (value, format, text) => {
  expect(averageText(value, format)).toBe(text);
});
