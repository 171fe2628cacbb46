/** What is listed of an entry that broke a rule: its project, and the start of it without addresses. */
import { describe, expect, it } from '@jest/globals';
import type { EntryScope } from '../../../../src/logs/ingest/entry-rules.js';
import { refusedEntry } from '../../../../src/logs/ingest/refused-entry.js';

const SCOPE: EntryScope = { source: 'edge_logs', onlyProject: null, now: 0 };

const listed = (value: unknown, scope: Partial<EntryScope> = {}) =>
  refusedEntry(
    { value, place: 'batch[3]' },
    { index: 3, reason: 'id must be a UUID', scope: { ...SCOPE, ...scope } },
  );

describe('a refused entry', () => {
  it('is listed with its place and the reason', () => {
    expect(listed({ id: 1, project: 'p' })).toEqual({
      index: 3,
      place: 'batch[3]',
      project: 'p',
      reason: 'id must be a UUID',
      entry: '{"id":1,"project":"p"}',
    });
  });

  it.each<[string, unknown, Partial<EntryScope>, string | null]>([
    ['the token, whatever the entry names', { project: 'other' }, { onlyProject: 'p' }, 'p'],
    ['the field of its source', { metadata: { project: 'p' } }, { source: 'storage_logs' }, 'p'],
    ['a field beside metadata', { project_ref: 'p' }, { source: 'function_logs' }, 'p'],
    ['none that can be one', { project: 'x'.repeat(201) }, {}, null],
    ['nothing that is no text', { project: { a: 1 } }, {}, null],
    ['nothing that is no object', 'p', {}, null],
  ])('belongs to the project of %s', (_, value, scope, project) => {
    expect(listed(value, scope).project).toBe(project);
  });

  it('shows no address, not even a part of one at its end', () => {
    const message = `from 203.0.113.9 and\nfe80::1 ${'x'.repeat(940)} 203.0.113.10`;
    const { entry } = listed({ event_message: message, list: ['::1'] });
    expect(entry).toHaveLength(1_000);
    expect(entry).toContain('from REDACTED and\\nREDACTED');
    expect(entry).not.toMatch(/203|fe80|::1/);
    expect(listed(['203.0.113.9']).entry).toBe('["REDACTED"]');
  });

  it.each<[string, unknown, string]>([
    ['a number', 1, '1'],
    ['nanoseconds', { timestamp: 5n }, '{"timestamp":"5"}'],
    ['null', null, 'null'],
    ['nothing', undefined, ''],
    ['what nests without end', JSON.parse(`${'['.repeat(90_000)}${']'.repeat(90_000)}`), ''],
  ])('may be %s', (_, value, entry) => {
    expect(listed(value).entry).toBe(entry);
  });
});
