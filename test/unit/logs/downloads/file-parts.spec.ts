/** Files of many rows: the event loop has turns in between, and the file is whole. */
import { expect, it } from '@jest/globals';
import type { JsonRecord } from '../../../../src/foundation/log-store/sources.js';
import { fileParts } from '../../../../src/logs/downloads/file-parts.js';
import type { ResultColumn } from '../../../../src/logs/sql/compile.js';
import { readParquet } from '../../../support/parquet.js';

const COLUMNS: readonly ResultColumn[] = [
  { name: 'n', type: 'integer' },
  { name: 'text', type: 'string' },
];

const rowsOf = (count: number, text = ''): readonly JsonRecord[] =>
  Array.from({ length: count }, (_, n) => ({ n, text }));

/** The parts, with the turns of the event loop before each. */
const partsOf = async (rows: readonly JsonRecord[], columns = COLUMNS) => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const parts: { readonly bytes: Buffer; readonly turns: number }[] = [];
  for await (const bytes of fileParts(columns, rows, 'parquet')) parts.push({ bytes, turns });
  isOver = true;
  return parts;
};

it.each([
  ['many rows', rowsOf(3_500), 4],
  ['large rows', rowsOf(5, 'x'.repeat(200_000)), 3],
  ['a row that is larger than a slice', rowsOf(2, 'x'.repeat(600_000)), 2],
  ['no row', [], 0],
])('have a turn of the event loop after each slice of %s', async (_, rows, slices) => {
  const parts = await partsOf(rows);
  expect(parts).toHaveLength(slices + 1);
  for (const [at, { turns }] of parts.entries())
    if (at > 0) expect(turns).toBeGreaterThan(parts[at - 1]?.turns ?? 0);
  const read = await readParquet(Buffer.concat(parts.map(({ bytes }) => bytes)));
  expect(read.rows).toHaveLength(rows.length);
});

it('are text in a column whose type cannot hold a value of the last slice', async () => {
  const rows = [...rowsOf(2_000), { n: 'none', text: '' }];
  const parts = await partsOf(rows);
  const read = await readParquet(Buffer.concat(parts.map(({ bytes }) => bytes)));
  expect(read.rows.at(0)).toMatchObject({ n: '0' });
  expect(read.rows.at(-1)).toMatchObject({ n: 'none' });
});
