/** A result as CSV: what spreadsheets read as the same text, and never as a formula. */
import { describe, expect, it } from '@jest/globals';
import { columnNames, toCsv, toNdjson } from '../../../../web/src/dashboard/areas/logs/exports.js';

it('columns are those of all rows, in the order in which they come', () =>
  expect(columnNames([{ b: 1, a: 2 }, { c: 3, b: 4 }, {}])).toEqual(['b', 'a', 'c']));

describe('CSV', () => {
  it.each([
    ['plain', 'plain'],
    [12.5, '12.5'],
    [-3, '-3'],
    [true, 'true'],
    [null, ''],
    [undefined, ''],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['carriage\rreturn', '"carriage\rreturn"'],
    [{ a: [1, 'x'] }, '"{""a"":[1,""x""]}"'],
    ['=1+1', "'=1+1"],
    ['+44 1', "'+44 1"],
    ['-2', "'-2"],
    ['@sum(a,b)', `"'@sum(a,b)"`],
    ['\t=1', "'\t=1"],
    [' =1', ' =1'],
  ])('of %j is %j', (value, cell) => expect(toCsv([{ column: value }])).toBe(`column\r\n${cell}\r\n`));

  it('has a place for what a row does not have, and guards the names of columns too', () =>
    expect(toCsv([{ a: 1 }, { '=b': 2 }])).toBe("a,'=b\r\n1,\r\n,2\r\n"));

  it('of nothing is an empty line, and NDJSON nothing', () =>
    expect([toCsv([]), toNdjson([])]).toEqual(['\r\n', '']));
});
