/** The facets of a result: which fields, and the queries of their values. */
import { describe, expect, it } from '@jest/globals';
import { addable, type Facet, facetsOf, valuesIn } from '../../../../web/src/dashboard/areas/logs/facets.js';
import type { LogQuery, QueryResult } from '../../../../web/src/dashboard/areas/logs/log-query.js';
import { logsOutline } from '../../../support/log-outline.js';

const ASKED: LogQuery = {
  endpoint: 'logs.all',
  language: 'lql',
  query: 'heron',
  parameters: { project: 'one' },
  range: { kind: 'last', last: '1h' },
  redact: false,
};
const RESULT: QueryResult = {
  rows: [],
  isTruncated: false,
  ageSeconds: null,
  durationMs: 1,
  at: Date.UTC(2026, 1, 3, 4),
  followedFrom: null,
  read: null,
};
const table = (name: string) => ({ name, columns: [] });
const outline = logsOutline({ tables: [table('edge_logs'), table('postgrest_logs')], reads: 'edge_logs' });
const facets = (part: Partial<LogQuery>, added: readonly string[] = []): readonly Facet[] =>
  facetsOf({ asked: { ...ASKED, ...part }, result: RESULT, outline, facets: added });
const facet = (title: string, part: Partial<LogQuery> = {}): Facet => {
  const found = facets(part).find((one) => one.title === title);
  if (!found) throw new Error(`there is no facet ${title}`);
  return found;
};

it('are the tables, then the fields of the source', () => {
  expect(facets({}).map(({ title }) => title)).toEqual(['source', 'status', 'method', 'path']);
  expect(facets({ query: 'f:postgrest_logs' }).map(({ title }) => title)).toEqual(['source', 'host']);
});

it('are none for SQL, columns and aggregates, but those of a quoted text that looks like one', () => {
  const of = (part: Partial<LogQuery>): number => facets(part).length;
  expect([
    of({ language: 'sql', query: 'select 1' }),
    of({ query: 's:id' }),
    of({ query: 'c:count(*)' }),
  ]).toEqual([0, 0, 0]);
  expect(of({ query: '"a c:count"' })).toBe(4);
});

it('of an unknown table are its first fields that can be counted', () => {
  const field = (name: string, type: 'string' | 'record' | 'integer') => ({ name, type, fields: [] });
  const metadata = {
    ...field('metadata', 'record'),
    fields: [
      field('a', 'string'),
      field('deep', 'record'),
      field('b c', 'string'),
      ...['d', 'e', 'f', 'g'].map((name) => field(name, 'integer')),
    ],
  };
  const unknown = logsOutline({ tables: [{ name: 'mine', columns: [metadata] }], reads: 'mine' });
  const titles = facetsOf({
    asked: ASKED,
    result: RESULT,
    outline: unknown,
    facets: [],
  }).map(({ title }) => title);
  expect(titles).toEqual(['a', 'd', 'e', 'f']);
});

describe('an added field', () => {
  it('comes last, is counted in the metadata, and narrows as the others do', () => {
    const added = facets({}, ['client', 'request.protocol']).slice(-2);
    expect(added.map(({ title, part, isAdded }) => [title, part, isAdded])).toEqual([
      ['client', '/values?field=metadata.client', true],
      ['request.protocol', '/values?field=metadata.request.protocol', true],
    ]);
    expect(added[1]?.only('h2')?.query).toBe('heron m.request.protocol:"h2"');
  });

  it('is not there twice when the source has it', () =>
    expect(facets({}, ['request.path']).map(({ title }) => title)).toEqual([
      'source',
      'status',
      'method',
      'path',
    ]));

  it('is proposed while it is not shown', () =>
    expect(
      addable(['client', 'request.path', 'request.protocol'], { asked: ASKED, outline, facets: ['client'] }),
    ).toEqual(['request.protocol']));
});

describe('a field', () => {
  it('is counted in the time of the result, whatever the time is now', () => {
    const { query, part } = facet('status');
    expect(query.range).toEqual({
      kind: 'between',
      from: '2026-02-03T03:00:00.000Z',
      to: '2026-02-03T04:00:00.000Z',
    });
    expect(part).toBe('/values?field=metadata.response.status_code');
  });

  it.each([
    [503, 'heron m.response.status_code:503', 'heron -m.response.status_code:503'],
    [null, 'heron m.response.status_code:NULL', 'heron -m.response.status_code:NULL'],
    ['a "b"', 'heron m.response.status_code:"a \\"b\\""', 'heron -m.response.status_code:"a \\"b\\""'],
  ])('leads to the entries with %j, and to all others', (value, only, without) => {
    const { only: with_, without: all } = facet('status');
    expect(with_(value)).toEqual({ ...ASKED, query: only });
    expect(all(value)).toEqual({ ...ASKED, query: without });
  });

  it('has no filter for a record, nor for a redacted value', () => {
    const { only, without } = facet('path');
    expect([{ a: 1 }, 'from REDACTED'].flatMap((value) => [only(value), without(value)])).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('drops the value that the filter has', () => {
    const chosen = facet('status', { query: 'heron m.response.status_code:50 crane' });
    expect([chosen.isChosen(50), chosen.isChosen(5)]).toEqual([true, false]);
    expect(chosen.only(50)?.query).toBe('heron crane');
    expect(chosen.without(50)).toBeNull();
  });
});

describe('the source', () => {
  it('is counted without the filter, and leads to another table', () => {
    const { query, only, isChosen } = facet('source');
    expect([query.language, query.query]).toEqual([
      'sql',
      "select 'edge_logs' as value, count(*) as count from edge_logs\nunion all select 'postgrest_logs' as value, count(*) as count from postgrest_logs",
    ]);
    expect([isChosen('edge_logs'), only('edge_logs'), only('postgrest_logs')?.query]).toEqual([
      true,
      null,
      'f:postgrest_logs',
    ]);
    expect(facet('source', { query: 'f:postgrest_logs' }).only('edge_logs')?.query).toBe('');
  });
});

it('values that redaction made equal are one, the most frequent first, and none is empty', () => {
  const row = (value: unknown, count: number) => ({ value, count });
  expect(valuesIn([row('b', 2), row('REDACTED', 1), row('REDACTED', 4), row(null, 3), row('c', 0)])).toEqual([
    row('REDACTED', 5),
    row(null, 3),
    row('b', 2),
  ]);
});
