/** What is typed for an attempt, as a table, and the law that what is shown reads back as what it is. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DNF, DNS, type ValueFormat } from '../../../../src/domain/attempts.js';
import { encodeMulti } from '../../../../src/domain/scoring.js';
import { parseAttempt } from '../../../../web/src/dashboard/areas/entry/typed-attempt.js';
import { resultText } from '../../../../web/src/format.js';

const multi = (solved: number, tried: number, seconds: number, dnf = false): number =>
  encodeMulti({ solved, missed: tried - solved, centiseconds: seconds * 100, dnf });

const values: readonly (readonly [ValueFormat, string, number])[] = [
  ['time', '12345', 8_345],
  ['time', '934', 934],
  ['time', '5', 5],
  ['time', '100', 100],
  ['time', '7500', 7_500],
  ['time', '10000', 6_000],
  ['time', '1020345', 372_345],
  ['time', '00934', 934],
  ['time', '1:23.45', 8_345],
  ['time', '9.3', 930],
  ['time', '9,345', 934],
  ['time', '12', 12],
  ['time', '12.', 1_200],
  ['time', '1:02:03.45', 372_345],
  ['time', 'd', DNF],
  ['time', '/', DNF],
  ['time', ' DNF ', DNF],
  ['time', 's', DNS],
  ['time', '*', DNS],
  ['number', '28', 28],
  ['number', '028', 28],
  ['number', 'd', DNF],
  ['multi', '11124532', multi(11, 12, 2_732)],
  ['multi', '111210000', multi(11, 12, 3_600)],
  ['multi', '0203959', multi(2, 3, 599)],
  ['multi', '11/12 45:32', multi(11, 12, 2_732)],
  ['multi', '105/120 10000', multi(105, 120, 3_600)],
  ['multi', '0405959', multi(4, 5, 599)],
  ['multi', '01025959', multi(1, 2, 3_599, true)],
  ['multi', '02055959', multi(2, 5, 3_599, true)],
  ['multi', 's', DNS],
];

const refused: readonly (readonly [ValueFormat, string, 'wrong' | 'unfinished' | 'empty'])[] = [
  ['time', '', 'empty'],
  ['time', '  ', 'empty'],
  ['time', '0', 'wrong'],
  ['time', '17500', 'wrong'],
  ['time', '1:75.00', 'wrong'],
  ['time', '1750000', 'wrong'],
  ['time', '123456789', 'wrong'],
  ['time', '12d', 'wrong'],
  ['time', '-5', 'wrong'],
  ['time', '1e3', 'wrong'],
  ['number', '0', 'wrong'],
  ['number', '28.5', 'wrong'],
  ['multi', '1', 'unfinished'],
  ['multi', '11', 'unfinished'],
  ['multi', '1112', 'unfinished'],
  ['multi', '11/12', 'unfinished'],
  ['multi', '13124532', 'wrong'],
  ['multi', '01014532', 'wrong'],
  ['multi', '11124575', 'wrong'],
];

describe('what is typed for an attempt', () => {
  it.each(values)('in a %s event %j is %d', (format, text, value) =>
    expect(parseAttempt(text, format)).toEqual({ kind: 'value', value }),
  );

  it.each(refused)('in a %s event %j is %s', (format, text, kind) =>
    expect(parseAttempt(text, format).kind).toBe(kind),
  );

  it('reads every time as it is written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 35_999_999 }), (value) => {
        fc.pre(value !== 8_640_000);
        const written = resultText(value, 'time');
        expect(parseAttempt(written, 'time')).toEqual({ kind: 'value', value });
        expect(parseAttempt(written.replace(/\D/g, ''), 'time')).toEqual({ kind: 'value', value });
      }),
    );
  });

  it('reads every multi result as it is written', () => {
    const counts = fc.tuple(
      fc.integer({ min: 2, max: 150 }),
      fc.nat(150),
      fc.integer({ min: 1, max: 7_200 }),
    );
    fc.assert(
      fc.property(counts, ([solved, missed, seconds]) => {
        fc.pre(missed <= solved);
        const value = multi(solved, solved + missed, seconds);
        // Under a minute a time is written in seconds alone, `7` for `0:07`.
        expect(parseAttempt(resultText(value, 'multi'), 'multi')).toEqual({ kind: 'value', value });
      }),
    );
  });
});
