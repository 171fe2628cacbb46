import { expect, it } from '@jest/globals';
import { cutList, jsonList } from '../../../../src/http/replies/json-list.js';

const ENTRIES = [{ name: 'Zoë 漢字 👍' }, 'a "quoted" text', 3, null];
const listed = jsonList(ENTRIES.map((entry) => JSON.stringify(entry)));

it('cut anywhere, is the JSON of its first entries', () => {
  for (const length of [1, 2, 3, 4, 9])
    expect(cutList(listed, length).toString()).toBe(JSON.stringify(ENTRIES.slice(0, length)));
});

it('without entries, is the empty list', () => {
  expect(cutList(jsonList([]), 5).toString()).toBe('[]');
});

it('has memory of its own', () => {
  expect(listed.bytes.byteLength).toBe(listed.bytes.buffer.byteLength);
});
