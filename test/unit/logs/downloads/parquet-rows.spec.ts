/** Rows as Parquet, read back by another program: the type of each column, each value, and parts of any size. Records and arrays are JSON texts. */
import { describe, expect, it } from '@jest/globals';
import type { JsonRecord } from '../../../../src/foundation/log-store/sources.js';
import { fittingColumns, parquetEncoder } from '../../../../src/logs/downloads/parquet-rows.js';
import type { ResultColumn } from '../../../../src/logs/sql/compile.js';
import { readParquet } from '../../../support/parquet.js';

const written = async (columns: readonly ResultColumn[], ...parts: readonly (readonly JsonRecord[])[]) => {
  const encoder = parquetEncoder(columns);
  return readParquet(Buffer.concat([...parts.map((rows) => encoder.rows(rows)), encoder.end()]));
};

const value = (type: ResultColumn['type'], ...values: readonly JsonRecord[string][]) =>
  written(
    [{ name: 'v', type }],
    values.map((v) => ({ v })),
  );

describe('a column', () => {
  it.each<[ResultColumn['type'], string, readonly JsonRecord[string][], readonly unknown[]]>([
    ['boolean', 'BOOLEAN', [true, null, false], [true, null, false]],
    [
      'integer',
      'BIGINT',
      [1, null, -7, '9223372036854775807', '-9223372036854775808'],
      ['1', null, '-7', '9223372036854775807', '-9223372036854775808'],
    ],
    ['number', 'DOUBLE', [1.5, null, -2, '1e3', 'NaN'], [1.5, null, -2, 1_000, 'NaN']],
    ['string', 'VARCHAR', ['a', null, '', 'ü 🏆 "x"'], ['a', null, '', 'ü 🏆 "x"']],
    ['date', 'DATE', ['2026-03-17', null, '1969-12-31'], ['2026-03-17', null, '1969-12-31']],
    [
      'timestamp',
      'TIMESTAMP WITH TIME ZONE',
      ['2026-03-17T14:47:02.123456Z', null, '1969-12-31T23:59:59.999999Z'],
      ['2026-03-17 14:47:02.123456+00', null, '1969-12-31 23:59:59.999999+00'],
    ],
    [
      'record',
      'VARCHAR',
      [JSON.parse('{"a":[1,"x"],"b.c":null,"__proto__":{"d":1}}'), null],
      ['{"a":[1,"x"],"b.c":null,"__proto__":{"d":1}}', null],
    ],
    ['array', 'VARCHAR', [[1, 2], null], ['[1,2]', null]],
    ['json', 'VARCHAR', ['text', 5, null], ['"text"', '5', null]],
  ])('of type %s is %s', async (type, engineType, values, expected) => {
    const { types, rows } = await value(type, ...values);
    expect(types).toEqual({ v: engineType });
    expect(rows.map(({ v }) => v)).toEqual(expected);
  });

  it('refuses a value that its type cannot hold', async () => {
    await expect(value('integer', 'many')).rejects.toThrow('a value of v is no integer');
    await expect(value('timestamp', 'infinity')).rejects.toThrow('a value of v is no timestamp');
  });

  it.each<[ResultColumn['type'], JsonRecord[string]]>([
    ['integer', '9223372036854775808'],
    ['integer', 1.5],
    ['number', 'many'],
    ['boolean', 'true'],
    ['timestamp', 'infinity'],
    ['date', '10000-01-01'],
  ])('of type %s is text when it has the value %j', (type, odd) => {
    const columns = [{ name: 'v', type }];
    expect(fittingColumns(columns, [{ v: null }, { v: odd }])).toEqual([{ name: 'v', type: 'string' }]);
    expect(fittingColumns(columns, [{ v: null }, {}])).toEqual(columns);
  });
});

describe('a file', () => {
  const columns: readonly ResultColumn[] = [
    { name: 'n', type: 'integer' },
    { name: 'message', type: 'string' },
  ];
  const rows = Array.from({ length: 2_500 }, (_, n) => ({ n, message: `message ${n % 7}` }));

  it('has the rows of all parts in their order', async () => {
    const file = await written(columns, rows.slice(0, 1), rows.slice(1, 1_700), rows.slice(1_700));
    expect(file.rows).toEqual(rows.map(({ n, message }) => ({ n: String(n), message })));
  });

  it('without rows has the columns', async () =>
    expect(await written(columns)).toEqual({ types: { n: 'BIGINT', message: 'VARCHAR' }, rows: [] }));
});
