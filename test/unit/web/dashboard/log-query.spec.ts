/** A question to the logs: its time as two moments, the parameters of its call, and the line that a shell reads as it was meant. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import {
  absoluteRange,
  callParameters,
  curlText,
  hasTimeRange,
  type LogQuery,
  parseSearch,
  RELATIVE_RANGES,
  toSearch,
} from '../../../../web/src/dashboard/areas/logs/log-query.js';

/** In the hour that clocks in Ireland show twice. */
const NOW = Date.parse('2026-10-25T01:30:00Z');

const ASKED: LogQuery = {
  endpoint: 'logs.all',
  language: 'stored',
  query: '',
  parameters: {},
  range: { kind: 'all' },
  redact: false,
};

describe('its time', () => {
  it.each([
    ['15m', '2026-10-25T01:15:00.000Z'],
    ['24h', '2026-10-24T01:30:00.000Z'],
    ['30d', '2026-09-25T01:30:00.000Z'],
  ])('of the last %s goes from so long ago up to now, whatever clocks have done meanwhile', (last, from) => {
    const fixed = absoluteRange({ kind: 'last', last }, NOW);
    expect(fixed).toEqual({ kind: 'between', from, to: '2026-10-25T01:30:00.000Z' });
  });

  it('that is two moments, or any, stays as it is', () => {
    const between = { kind: 'between', from: '2026-01-01T00:00:00Z', to: '' } as const;
    expect([absoluteRange(between, NOW), absoluteRange({ kind: 'all' }, NOW)]).toEqual([
      between,
      { kind: 'all' },
    ]);
  });

  it('has no length that an address could not name', () => {
    for (const { name } of RELATIVE_RANGES)
      expect(parseSearch(`endpoint=a&last=${name}`)?.range).toEqual({ kind: 'last', last: name });
    expect(parseSearch('endpoint=a&last=2h')?.range).toEqual({ kind: 'all' });
  });

  it('is asked for where the endpoint takes one', () => {
    const taking = (name: string) => hasTimeRange({ parameters: [{ name, use: 'timestamp', among: [] }] });
    expect([taking('iso_timestamp_start'), taking('since'), hasTimeRange({ parameters: [] })]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('its call', () => {
  it('has what was filled in, and nothing of a query that is blank', () => {
    const asked: LogQuery = {
      ...ASKED,
      language: 'lql',
      query: ' \n',
      parameters: { project: 'a b', table: '' },
      range: { kind: 'between', from: '', to: '2026-03-17T15:00:00Z' },
    };
    expect(callParameters(asked, NOW)).toEqual({ project: 'a b', iso_timestamp_end: '2026-03-17T15:00:00Z' });
  });

  it('has the query under the name of its language, as it was written', () => {
    const asked: LogQuery = {
      ...ASKED,
      language: 'sql',
      query: ' select 1 ',
      range: { kind: 'last', last: '1h' },
    };
    expect(callParameters(asked, NOW)).toEqual({
      iso_timestamp_start: '2026-10-25T00:30:00.000Z',
      iso_timestamp_end: '2026-10-25T01:30:00.000Z',
      sql: ' select 1 ',
    });
  });
});

describe('its address', () => {
  it('asks nothing without an endpoint', () =>
    expect([parseSearch(''), parseSearch('sql=select+1&redact=true')]).toEqual([null, null]));

  it('keeps apart what a parameter and what the page itself is called', () => {
    const asked: LogQuery = { ...ASKED, parameters: { endpoint: 'x', redact: 'no', last: '1h', sql: 'y' } };
    expect(parseSearch(toSearch(asked))).toEqual(asked);
  });

  it('with both languages means SQL, and redacts only on a plain yes', () => {
    expect(parseSearch('endpoint=a&lql=x&sql=y&redact=1')).toMatchObject({
      language: 'sql',
      query: 'y',
      redact: false,
    });
  });
});

describe('its line for a shell', () => {
  /** What curl gets from a shell that reads the line. */
  const wordsOf = (line: string): readonly string[] => {
    const script = `TOKEN=secret; curl() { printf '%s\\0' "$@"; }; ${line}`;
    return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
  };
  const ORIGIN = 'https://results.example.org';

  it('has address, token and each parameter as one word, whatever is in it', () => {
    const query = `select 'it''s' as "a", \`b\`, $HOME, $(id), "\\n" -- ;\nfrom edge_logs where x > '!'`;
    const asked: LogQuery = {
      ...ASKED,
      endpoint: 'errors by/path',
      language: 'sql',
      query,
      parameters: { project: "o'clock & more" },
      redact: true,
    };
    expect(wordsOf(curlText(asked, { origin: ORIGIN, now: NOW }))).toEqual([
      '-G',
      `${ORIGIN}/api/endpoints/query/errors%20by%2Fpath`,
      '-H',
      'X-API-KEY: secret',
      '-H',
      'Content-Type: application/json; charset=utf-8',
      '-H',
      'SVC-ENDPOINT-REDACT-PII: true',
      '--data-urlencode',
      `project=o'clock & more`,
      '--data-urlencode',
      `sql=${query}`,
    ]);
  });

  it('names the moments, so that it finds the same tomorrow', () => {
    const asked: LogQuery = { ...ASKED, range: { kind: 'last', last: '15m' } };
    expect(wordsOf(curlText(asked, { origin: ORIGIN, now: NOW }))).toEqual(
      expect.arrayContaining([
        'iso_timestamp_start=2026-10-25T01:15:00.000Z',
        'iso_timestamp_end=2026-10-25T01:30:00.000Z',
      ]),
    );
  });
});
