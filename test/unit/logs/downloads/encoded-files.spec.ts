/** What the thread that writes files answers: bytes when a row group is full, several files in turn, and errors for one file alone. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonRecord } from '../../../../src/foundation/log-store/sources.js';
import type { ColumnSlice } from '../../../../src/logs/downloads/column-slices.js';
import { EncodedFiles } from '../../../../src/logs/downloads/encoded-files.js';
import type { ResultColumn } from '../../../../src/logs/sql/compile.js';
import { readParquet } from '../../../support/parquet.js';

const COLUMNS: readonly ResultColumn[] = [
  { name: 'n', type: 'integer' },
  { name: 'text', type: 'string' },
];
const HALF_A_GROUP = 2_097_152;

let files: EncodedFiles;
beforeEach(() => {
  files = new EncodedFiles();
});

const begin = (file: number) => files.answer({ kind: 'begin', file, columns: COLUMNS });
const rows = (file: number, slice: ColumnSlice) => files.answer({ kind: 'rows', file, slice });
const end = (file: number) => files.answer({ kind: 'end', file });
const slice = (n: ColumnSlice['values'][number][number], characters = 20): ColumnSlice => ({
  values: [[n], ['a']],
  characters,
});
const numbersIn = async (parts: readonly Uint8Array[]) =>
  (await readParquet(Buffer.concat(parts))).rows.map(({ n }) => n);

describe('a file', () => {
  it('has its bytes when a row group is full, and the rest at the end', async () => {
    expect(await begin(1)).toEqual([]);
    expect(await rows(1, slice(1, HALF_A_GROUP))).toEqual([]);
    const [first = new Uint8Array(), ...others] = await rows(1, slice(2, HALF_A_GROUP));
    expect(others).toEqual([]);
    expect(await rows(1, slice(3))).toEqual([]);
    const rest = await end(1);
    expect(rest).toHaveLength(2);
    expect(await numbersIn([first, ...rest])).toEqual(['1', '2', '3']);
  });

  it('is written beside others', async () => {
    await begin(1);
    await begin(2);
    await rows(1, slice(1));
    await rows(2, slice(20));
    await rows(1, slice(2));
    expect(await numbersIn(await end(2))).toEqual(['20']);
    expect(await numbersIn(await end(1))).toEqual(['1', '2']);
  });

  it('is gone when it is let go of, and was never there in a thread that did not begin it', async () => {
    await begin(1);
    files.observe({ kind: 'drop', file: 1 });
    await expect(rows(1, slice(1))).rejects.toThrow('the thread that began this file has ended');
    await expect(end(7)).rejects.toThrow('the thread that began this file has ended');
  });

  it('names the column of a value that does not fit', async () => {
    await begin(1);
    await rows(1, slice('many'));
    await expect(end(1)).rejects.toThrow('a value of n is no integer');
  });
});

describe('a reply', () => {
  const replyOf = (result: readonly JsonRecord[]) => Buffer.from(JSON.stringify({ result }));
  const fileOf = async (result: readonly JsonRecord[], format: 'csv' | 'ndjson' | 'parquet') =>
    files.answer({ kind: 'reply', reply: replyOf(result), columns: COLUMNS, format });

  it('is a file with a part for each row group, and text for a column whose type cannot hold a value', async () => {
    const large = Array.from({ length: 5 }, (_, n) => ({ n, text: 'x'.repeat(1_500_000) }));
    const parts = await fileOf([...large, { n: 'none', text: '' }], 'parquet');
    expect(parts).toHaveLength(4);
    expect(await numbersIn(parts)).toEqual(['0', '1', '2', '3', '4', 'none']);
  });

  it('lets other files have their turn between its groups', async () => {
    const large = Array.from({ length: 5 }, (_, n) => ({ n, text: 'x'.repeat(3_000_000) }));
    const ends: string[] = [];
    const whole = fileOf(large, 'ndjson').then(() => ends.push('reply'));
    await new Promise(setImmediate);
    await begin(1);
    await end(1);
    ends.push('other');
    await whole;
    expect(ends).toEqual(['other', 'reply']);
  });

  it.each([
    ['csv', 'n,text\r\n1,a\r\n'],
    ['ndjson', '{"n":1,"text":"a"}\n'],
  ] as const)('is %s', async (format, text) =>
    expect(Buffer.concat(await fileOf([{ n: 1, text: 'a' }], format)).toString()).toBe(text),
  );
});
