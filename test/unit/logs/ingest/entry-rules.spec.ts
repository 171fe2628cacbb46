/** How the fields of an entry are read: other names that senders use, fields beside them, and who may name a project. */
import { describe, expect, it } from '@jest/globals';
import { checkEntry, type EntryScope } from '../../../../src/logs/ingest/entry-rules.js';

const GROUND: EntryScope = { source: 'edge_logs', onlyProject: null, now: 5 };
const read = (given: unknown, ground: Partial<EntryScope> = {}) =>
  checkEntry(given, '', { ...GROUND, ...ground });

describe('the message', () => {
  it.each([
    ['is event_message', { event_message: 'a' }, 'a', {}],
    ['or message', { message: 'a' }, 'a', {}],
    ['or message beside an event_message of null', { event_message: null, message: 'a' }, 'a', {}],
    ['and another field when both are there', { event_message: 'a', message: 'b' }, 'a', { message: 'b' }],
  ])('%s', (_, given, eventMessage, metadata) => {
    expect(read(given).entry).toMatchObject({ eventMessage, metadata });
    expect(read(given).entry?.metadata).toEqual(metadata);
  });

  it('has two names, which a sender of neither is told', () =>
    expect(read({ msg: 'a' }).faults).toMatchObject([
      { message: 'event_message must be given, also as message: text of at most 65536 characters' },
    ]));

  it.each([{}, { event_message: 5, message: 'a' }, { message: 5 }])('is missing in %j', (given) => {
    expect(read(given).faults).toMatchObject([{ field: 'event_message', rule: 'text' }]);
  });
});

describe('fields beside those of an entry', () => {
  it.each<[string, string, object]>([
    ['go under metadata', '{"host":"a","level":3}', { host: 'a', level: 3 }],
    ['give way to metadata', '{"host":"a","x":1,"metadata":{"host":"b"}}', { host: 'b', x: 1 }],
    ['go under metadata of null', '{"host":"a","metadata":null}', { host: 'a' }],
    ['may have any name', '{"__proto__":{"a":1}}', JSON.parse('{"__proto__":{"a":1}}')],
  ])('%s', (_, text, metadata) => {
    expect(read({ event_message: 'a', ...JSON.parse(text) }).entry?.metadata).toEqual(metadata);
  });

  it('may not name another project', () => {
    const { faults } = read({ message: 'a', project_ref: 'two' }, { onlyProject: 'one' });
    expect(faults).toMatchObject([{ field: 'metadata.project_ref', rule: 'tokenProject', foreign: true }]);
  });

  it('nest as deep as metadata may', () => {
    const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });
    expect(read({ message: 'a', ...deep(50) }).faults).toMatchObject([{ field: 'metadata', rule: 'depth' }]);
    expect(read({ message: 'a', ...deep(49) }).faults).toBeNull();
  });
});
