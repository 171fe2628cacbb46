/** Entries of a result, the terms that find their values, and what belongs to the same request. */
import { describe, expect, it } from '@jest/globals';
import { parseLql } from '../../../../src/logs/lql/parse-lql.js';
import {
  correlationsOf,
  entriesIn,
  termOf,
  withTerm,
} from '../../../../web/src/dashboard/areas/logs/entries.js';
import {
  columnsOf,
  severityOf,
  severityTerms,
} from '../../../../web/src/dashboard/areas/logs/source-fields.js';

const entry = (metadata: unknown) => ({
  id: '5d6c0f3e-0000-4000-8000-000000000001',
  timestamp: '2026-02-03T04:05:06.000001Z',
  event_message: 'call',
  metadata,
});

describe('entries', () => {
  it('are rows with an id, a time, a message and metadata', () => {
    const rows = [entry({}), entry(null)];
    expect(entriesIn(rows)).toBe(rows);
    expect(entriesIn([entry({}), { timestamp: '2026-02-03T04:05:06Z', count: 3 }])).toBeNull();
  });
});

describe('the term of a value', () => {
  it.each([
    [['metadata', 'response', 'status_code'], 503, 'm.response.status_code:503'],
    [['metadata', 'request', 'path'], 'a "b" \\c', 'm.request.path:"a \\"b\\" \\\\c"'],
    [['metadata', 'level'], null, 'm.level:NULL'],
    [['metadata', 'is_admin'], true, 'm.is_admin:true'],
    [['event_message'], 'two words', '"two words"'],
    [['id'], 'x', 'id:"x"'],
    [['timestamp'], '2026-02-03T04:05:06.000001Z', 't:2026-02-03T04:05:06.000001Z'],
  ])('at %j that is %j is LQL', (path, value, term) => {
    expect(termOf(path, value)).toBe(term);
    expect(parseLql(term).filters).toHaveLength(1);
  });

  it.each([
    [['metadata', 'a name with spaces'], 1],
    [['metadata', 'request'], { path: '/' }],
  ])('at %j that is %j does not exist', (path, value) => expect(termOf(path, value)).toBeNull());

  it('is added to a filter once', () => {
    expect(withTerm('', 'm.a:1')).toBe('m.a:1');
    expect(withTerm('word', 'm.a:1')).toBe('word m.a:1');
    expect(withTerm('word m.a:1', 'm.a:1')).toBe('word m.a:1');
    expect(withTerm('m.a:12', 'm.a:1')).toBe('m.a:12 m.a:1');
  });
});

describe('the ids of requests and traces', () => {
  it('are found at any depth up to a limit', () => {
    const deep = { a: { b: { c: { d: { trace_id: 'too deep' } } } } };
    expect(
      correlationsOf(entry({ request_id: 'r', context: { trace_id: 't', span_id: 's' }, ...deep })),
    ).toEqual([
      { path: ['metadata', 'request_id'], value: 'r' },
      { path: ['metadata', 'context', 'trace_id'], value: 't' },
    ]);
    expect(correlationsOf(entry({ request_id: '', trace_id: 7 }))).toEqual([]);
    expect(correlationsOf(entry(null))).toEqual([]);
  });
});

describe('the severity of an entry', () => {
  it.each([
    ['edge_logs', { response: { status_code: 503 } }, 'error'],
    ['edge_logs', { response: { status_code: 499 } }, 'warning'],
    ['edge_logs', { response: { status_code: 302 } }, 'other'],
    ['edge_logs', {}, 'other'],
    ['postgres_logs', { parsed: { error_severity: 'FATAL' } }, 'error'],
    ['function_logs', { level: 'warn' }, 'warning'],
    ['auth_logs', { level: 'info' }, 'other'],
    ['otel_logs', { severity_number: 17 }, 'error'],
    ['otel_logs', { severity_number: 16 }, 'warning'],
    ['otel_logs', { severity_number: 12 }, 'other'],
    ['pgbouncer_logs', { level: 'error' }, 'other'],
    ['toString', { level: 'error' }, 'other'],
  ])('of %s with %j is %s', (table, metadata, severity) =>
    expect(severityOf(table, metadata)).toBe(severity),
  );

  it('is found by LQL, too', () => {
    expect(severityTerms('storage_logs')).toEqual({
      error: 'm.res.statusCode:>=500',
      warning: 'm.res.statusCode:400..499',
    });
    const terms = severityTerms('postgres_logs');
    expect(terms?.warning).toBe('m.parsed.error_severity:~(?i)^(warn|warning)$');
    for (const term of Object.values(terms ?? {})) expect(parseLql(term).filters).toHaveLength(1);
    expect([severityTerms('postgrest_logs'), severityTerms('constructor'), columnsOf('mine')]).toEqual([
      null,
      null,
      [],
    ]);
  });
});
