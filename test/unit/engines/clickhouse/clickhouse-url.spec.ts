/** What LOG_STORE_URL says of a ClickHouse server, and that no message of it holds a password. */
import { expect, it } from '@jest/globals';
import { readClickhouseUrl } from '../../../../src/engines/clickhouse/clickhouse-url.js';
import { ConfigError } from '../../../../src/foundation/config-error.js';
import { shownLogStore } from '../../../../src/foundation/log-store/log-owner.js';

it('names the server, the database and the user, with defaults for what is left out', () => {
  expect(readClickhouseUrl('clickhouse://db')).toEqual({
    url: 'http://db:8123',
    database: 'podium',
    writer: { username: 'default', password: '' },
    reader: { username: 'default', password: '' },
    cluster: null,
    shown: 'clickhouse://db:8123/podium',
  });
  expect(
    readClickhouseUrl('clickhouses://us%40er:p%2Fw@db:9443/logs?reader=r:a%3Ab%26c&cluster=logs-1'),
  ).toEqual({
    url: 'https://db:9443',
    database: 'logs',
    writer: { username: 'us@er', password: 'p/w' },
    reader: { username: 'r', password: 'a:b&c' },
    cluster: 'logs-1',
    shown: 'clickhouses://db:9443/logs',
  });
});

it.each([
  ['clickhouse://', 'is not clickhouse://USER:PASSWORD@HOST'],
  ['clickhouse://u:%zzsecret@db/a', 'LOG_STORE_URL is not percent-encoded'],
  ['clickhouse://u:secret@db/a-b', 'letters, digits and underscores'],
  ['clickhouse://u:secret@db/a/b', 'letters, digits and underscores'],
  ['clickhouse://u:secret@db/a?readers=x:secret', 'unknown parameter readers'],
  ['clickhouse://u:secret@db/a?reader=secret', 'USER:PASSWORD'],
  ['clickhouse://u:secret@db/a?cluster=', 'the name of a cluster'],
  ['clickhouse://u:secret@db/a?cluster=a`b', 'the name of a cluster'],
])('is refused with its fault, and without its password: %s', (url, fault) => {
  const read = (): unknown => readClickhouseUrl(url);
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(fault);
  expect(read).not.toThrow('secret');
});

it('is shown without what it holds of users', () => {
  expect(shownLogStore('clickhouse://u:secret@db:1/a?reader=r:secret')).toBe('clickhouse://db:1/a');
  expect(shownLogStore('clickhouse://u:sec/ret@db:1/a?reader=r:secret')).toBe('clickhouse://…');
  expect(shownLogStore('clickhouse://u:secret@db:x/a?reader=r:secret')).toBe('clickhouse://db:x/a');
  expect(shownLogStore('duckdb:a/b')).toBe('duckdb:a/b');
});
