/** What Logpush of Cloudflare uploads as entries: records of its documentation, and the upload that tests a destination. */
import { describe, expect, it } from '@jest/globals';
import { cloudflareEntries } from '../../../../src/logs/ingest/cloudflare-entries.js';

const read = (...lines: readonly unknown[]) =>
  cloudflareEntries(Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')));

const REQUEST = {
  ClientIP: '203.0.113.9',
  ClientRequestHost: 'testing.example.com',
  ClientRequestMethod: 'GET',
  ClientRequestURI: '/var/www?a=b',
  EdgeEndTimestamp: '2018-12-18T17:38:49Z',
  EdgeResponseBytes: 1935,
  EdgeResponseStatus: 403,
  EdgeStartTimestamp: '2018-12-18T17:38:49Z',
  RayID: '48b371889c489b2c',
};

describe('an upload', () => {
  it('that tests the destination has no entries', () => {
    expect(read({ content: 'tests' })).toEqual([]);
  });

  it('of requests has a line for each, with all of its fields', () => {
    expect(read(REQUEST)).toEqual([
      {
        place: '',
        value: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          timestamp: '2018-12-18T17:38:49Z',
          event_message: 'GET | 403 | 203.0.113.9 | testing.example.com/var/www?a=b',
          metadata: REQUEST,
        },
      },
    ]);
  });

  it('has the same ids when it is sent again', () => {
    const other = { ...REQUEST, RayID: '48b371889c489b2d' };
    expect(read(REQUEST, other)).toEqual(read(REQUEST, other));
    const [one, two] = read(REQUEST, other).map(({ value }) => JSON.stringify(value));
    expect(one?.slice(0, 45)).not.toBe(two?.slice(0, 45));
  });

  it.each([
    ['firewall events', { Datetime: '2026-03-17T14:47:02Z', Action: 'block' }, '2026-03-17T14:47:02Z'],
    ['DNS logs in Unix time', { Timestamp: 1_710_683_222, QueryName: 'a' }, 1_710_683_222],
    ['Workers', { EventTimestampMs: 1_710_683_222_123, ScriptName: 'a' }, 1_710_683_222_123],
    ['audit logs', { When: '2026-03-17T14:47:02Z', ID: 'a' }, '2026-03-17T14:47:02Z'],
    ['records without a time', { Name: 'a' }, null],
  ])('of %s has its time, and JSON as message', (_, record, timestamp) => {
    expect(read(record)).toEqual([
      {
        place: '',
        value: { id: null, timestamp, event_message: JSON.stringify(record), metadata: record },
      },
    ]);
  });

  it('of a long record has as much of it in the message as it may', () => {
    const [entry] = read({ Logs: 'x'.repeat(100_000) });
    expect(entry?.value).toMatchObject({ event_message: expect.stringMatching(/^.{65536}$/) });
  });

  it('of a record that nests without end is left to the rules', () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    expect(cloudflareEntries(Buffer.from(`${deep}\n{"When":1}`))).toMatchObject([
      { value: { event_message: '' } },
      { value: { metadata: { When: 1 } } },
    ]);
  });
});
