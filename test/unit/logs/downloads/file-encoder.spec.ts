/** Files of rows from the thread: whole, read no faster than their reader, and broken off with the thread or its reader. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonRecord } from '../../../../src/foundation/log-store/sources.js';
import { FileEncoder } from '../../../../src/logs/downloads/file-encoder.js';
import type { ResultColumn } from '../../../../src/logs/sql/compile.js';
import { readParquet } from '../../../support/parquet.js';

const COLUMNS: readonly ResultColumn[] = [
  { name: 'n', type: 'integer' },
  { name: 'text', type: 'string' },
  { name: 'metadata', type: 'record' },
];
const MEGABYTE = 1_048_576;

let files: FileEncoder;
beforeEach(() => {
  files = new FileEncoder();
});
afterEach(() => files.onApplicationShutdown());

const row = (n: number, text = ''): JsonRecord => ({
  ...{ n, text },
  metadata: JSON.parse(`{"n":${n},"__proto__":null}`),
});

/** Pages of one row of a megabyte each. */
class LargePages {
  read = 0;
  isClosed = false;

  async *pages(most: number): AsyncGenerator<readonly JsonRecord[]> {
    try {
      while (this.read < most) {
        this.read += 1;
        yield [row(this.read, 'x'.repeat(MEGABYTE))];
      }
    } finally {
      this.isClosed = true;
    }
  }
}

const partsOf = async (file: AsyncIterable<Uint8Array>) => {
  const parts: Uint8Array[] = [];
  for await (const part of file) parts.push(part);
  return parts;
};
const rowsIn = async (parts: readonly Uint8Array[]) => (await readParquet(Buffer.concat(parts))).rows;
const upTo = (last: number): readonly string[] => Array.from({ length: last }, (_, at) => String(at + 1));

describe('a file of Parquet', () => {
  it('has the rows of all pages, in the types of the columns; records are texts', async () => {
    const parts = await partsOf(files.ofRows([[row(1), row(2, 'ü 🏆')], [], [row(3)]], COLUMNS, 'parquet'));
    const { types, rows } = await readParquet(Buffer.concat(parts));
    expect(types).toEqual({ n: 'BIGINT', text: 'VARCHAR', metadata: 'VARCHAR' });
    expect(rows.map(({ n }) => n)).toEqual(['1', '2', '3']);
    expect(rows[1]).toEqual({ n: '2', text: 'ü 🏆', metadata: '{"n":2,"__proto__":null}' });
  });

  it('reads no page before its reader wants the next part', async () => {
    const source = new LargePages();
    const file = files.ofRows(source.pages(20), COLUMNS, 'parquet');
    const first = await file.next();
    expect(first.done).toBe(false);
    // A row group has 4 MB.
    expect(source.read).toBe(4);
    const rest = await partsOf(file);
    expect(source.read).toBe(20);
    expect((await rowsIn([first.value, ...rest])).map(({ n }) => n)).toEqual(upTo(20));
  });

  it('is written while others are', async () => {
    const all = await Promise.all(
      [3, 9, 6].map(async (count) =>
        rowsIn(await partsOf(files.ofRows(new LargePages().pages(count), COLUMNS, 'parquet'))),
      ),
    );
    expect(all.map((rows) => rows.map(({ n }) => n))).toEqual([upTo(3), upTo(9), upTo(6)]);
  });

  it('ends with its reader', async () => {
    const source = new LargePages();
    const file = files.ofRows(source.pages(20), COLUMNS, 'parquet');
    await file.next();
    await file.return(undefined);
    expect(source).toMatchObject({ read: 4, isClosed: true });
    expect(await file.next()).toEqual({ done: true, value: undefined });
  });

  it('breaks off at a value that does not fit, and others go on', async () => {
    const other = files.ofRows(new LargePages().pages(6), COLUMNS, 'parquet');
    const first = await other.next();
    const odd = files.ofRows([[{ n: 'many', text: '' }]], COLUMNS, 'parquet');
    await expect(partsOf(odd)).rejects.toThrow('a value of n is no integer');
    const rows = await rowsIn([first.value, ...(await partsOf(other))]);
    expect(rows).toHaveLength(6);
  });

  it('breaks off with the thread, which writes it; the next has another thread', async () => {
    const source = new LargePages();
    const file = files.ofRows(source.pages(20), COLUMNS, 'parquet');
    await file.next();
    await files.onApplicationShutdown();
    const next = partsOf(files.ofRows([[row(1)]], COLUMNS, 'parquet'));
    await expect(partsOf(file)).rejects.toThrow('the thread that began this file has ended');
    expect(source.isClosed).toBe(true);
    expect((await rowsIn(await next)).map(({ n }) => n)).toEqual(['1']);
  });

  it('breaks off when the thread ends in the middle of its work', async () => {
    const file = files.ofRows(new LargePages().pages(20), COLUMNS, 'parquet');
    const part = file.next();
    const failed = expect(part).rejects.toThrow('the thread has ended');
    await files.onApplicationShutdown();
    await failed;
  });
});

describe.each(['csv', 'ndjson'] as const)('a file of %s', (format) => {
  it('lets the event loop have a turn after each slice', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const rows = Array.from({ length: 5 }, (_, n) => row(n, 'x'.repeat(200_000)));
    const seen: number[] = [];
    for await (const _ of files.ofRows([rows], COLUMNS, format)) seen.push(turns);
    isOver = true;
    // Slices of half a megabyte, and the end.
    expect(seen).toHaveLength(4);
    expect(new Set(seen).size).toBe(4);
  });
});

it('makes a file of a reply without using it up', async () => {
  // Large enough for memory of its own, which could be transferred.
  const reply = Buffer.from(JSON.stringify({ result: [row(1), row(2, 'x'.repeat(100_000))] }));
  const parts = await files.ofReply(reply, COLUMNS, 'parquet');
  expect(await rowsIn(parts)).toHaveLength(2);
  expect(Buffer.concat(await files.ofReply(reply, COLUMNS, 'csv')).toString()).toContain(
    'n,text,metadata\r\n1,',
  );
});
