/** The memory of packed entries: the caller's until they are appended, and then free. */
import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { readPacked } from '../../../../src/foundation/log-store/packed-entries.js';
import { EntryReader } from '../../../../src/logs/ingest/entry-reader.js';
import { LearnedFields } from '../../../../src/logs/ingest/learned-fields.js';
import { readEntries } from '../../../../src/logs/ingest/read-entries.js';

const scope = { source: 'auth_logs', onlyProject: null, now: 0 } as const;
const text = Buffer.from(JSON.stringify([{ event_message: 'one' }, { event_message: 'two' }]));

it('frees entries when they were appended', async () => {
  const reader = new EntryReader();
  const body = { bytes: text, coding: 'identity', form: 'json' } as const;
  const read = await reader.read({ body, scope });
  if (!read?.packed) throw new Error('the body was refused');
  expect(Buffer.from(readPacked(read.packed.bytes).messages).toString()).toBe('onetwo');
  reader.release(read.packed);
  expect(read.packed.bytes).toHaveLength(0);
});

it('leaves the bytes of a compressed body, and reads it again', () => {
  const bytes = gzipSync(text);
  const again = () =>
    readEntries({ body: { bytes, coding: 'gzip', form: 'json' }, scope }, new LearnedFields())?.packed?.count;
  expect([again(), again()]).toEqual([2, 2]);
});
