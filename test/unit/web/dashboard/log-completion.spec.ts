/** What the log editor proposes where the user writes, in both languages. */
import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from '@jest/globals';
import {
  completionFor,
  type EditorLanguage,
} from '../../../../web/src/dashboard/areas/logs/editor/completion.js';
import { namesInSql } from '../../../../web/src/dashboard/areas/logs/editor/names-in-sql.js';
import {
  type Field,
  fieldsAt,
  type QueryOutline,
  tableNamed,
} from '../../../../web/src/dashboard/areas/logs/outline.js';

const field = (name: string, type: Field['type'], fields: readonly Field[] = []): Field => ({
  name,
  type,
  fields,
});
const METADATA = field('metadata', 'array', [
  field('request', 'array', [field('path', 'string'), field('method', 'string')]),
  field('response', 'array', [field('status_code', 'number')]),
]);
const OUTLINE: QueryOutline = {
  parameters: [{ name: 'project', use: 'text', among: [] }],
  tables: [
    { name: 'edge_logs', columns: [field('id', 'string'), field('timestamp', 'timestamp'), METADATA] },
    { name: 'auth_logs', columns: [field('user_id', 'string')] },
  ],
  reads: 'edge_logs',
  functions: ['count', 'timestamp_trunc'],
};

const FILTERS = [
  { name: 'failed', lql: 'm.response.status_code:>=500' },
  { name: 'bad-logins', lql: 'm.level:error' },
];

interface Proposed {
  /** What a choice replaces. */
  readonly written: string;
  readonly labels: readonly string[];
}

/** `|` is where the cursor is. Null: nothing is proposed. */
const proposed = (language: EditorLanguage, text: string, asked = false): Proposed | null => {
  const at = text.indexOf('|');
  const state = EditorState.create({ doc: text.replace('|', '') });
  const found = completionFor(language, () => ({ outline: OUTLINE, filters: FILTERS }))(
    new CompletionContext(state, at, asked),
  );
  return (
    found && { written: state.sliceDoc(found.from, at), labels: found.options.map(({ label }) => label) }
  );
};

const has = (labels: readonly string[]) =>
  expect.objectContaining({ labels: expect.arrayContaining([...labels]) });

describe('SQL', () => {
  it.each([
    [
      'columns of the table that is read, tables, functions and words',
      'sel|',
      ['select', 'edge_logs', 'count', 'id', '@project'],
    ],
    ['columns of the table that is named', 'select us| from auth_logs', ['user_id', 'auth_logs']],
    ['an alias', 'select x| from edge_logs as xyz', ['xyz']],
  ])('proposes %s', (_, text, labels) => expect(proposed('sql', text)).toEqual(has(labels)));

  it.each([
    ['select t.| from edge_logs t', ['id', 'timestamp', 'metadata']],
    ['select m.| from edge_logs cross join unnest(metadata) as m', ['request', 'response']],
    [
      'select r.st| from edge_logs t cross join unnest(t.metadata) m cross join unnest(m.response) r',
      ['status_code'],
    ],
    ['select M.Request.| from EDGE_LOGS cross join unnest(metadata) as m', ['path', 'method']],
    ['select nothing.| from edge_logs', []],
  ])('proposes in %j the fields of what is before the point, and nothing else', (text, labels) =>
    expect(proposed('sql', text)?.labels).toEqual(labels),
  );

  it('takes no word for an alias that goes on with the query', () => {
    const { records } = namesInSql('select 1 from edge_logs where x join auth_logs on y', OUTLINE);
    expect([...records.keys()]).toEqual(['edge_logs', 'auth_logs']);
  });

  it('proposes nothing between words but when asked to', () => {
    expect(proposed('sql', 'select | from edge_logs')).toBeNull();
    expect(proposed('sql', 'select | from edge_logs', true)).toEqual(has(['id', 'from']));
  });

  it('is silent where the word is whole, so that Enter is a new line', () => {
    expect(proposed('sql', 'SELECT|')).toBeNull();
    expect(proposed('sql', 'SELECT|', true)).not.toBeNull();
  });
});

describe('LQL', () => {
  it.each([
    ['|', true, '', ['m.', 't:', 'c:', 'id']],
    ['m.|', false, '', ['request', 'response']],
    ['m.request.pa|', false, 'pa', ['path', 'method']],
    ['-m.response.|', false, '', ['status_code']],
    ['t:la|', false, 'la', ['last@1hour', 'this@year']],
    ['f:au|', false, 'au', ['edge_logs', 'auth_logs']],
    ['f:auth_logs us|', false, 'us', ['user_id']],
    ['c:co|', false, 'co', ['count(*)', 'group_by(t::hour)']],
    ['c:max(m.response.|', false, '', ['status_code']],
    ['s:m.request.|', false, '', ['path']],
    ['|', true, '', ['saved:']],
    ['m.level:error -saved:bad-l|', false, 'bad-l', ['failed', 'bad-logins']],
  ])('proposes at %j (asked: %s), in place of %j, %j', (text, asked, written, labels) =>
    expect(proposed('lql', text, asked)).toEqual({ written, labels: expect.arrayContaining(labels) }),
  );

  it('knows no fields where the path leads nowhere', () =>
    expect(proposed('lql', 'm.nothing.|')?.labels).toEqual([]));
});

describe('an outline', () => {
  it('is looked through by path, the exact name before one in other letters', () => {
    const twins = [
      field('Path', 'string', [field('a', 'string')]),
      field('path', 'string', [field('b', 'string')]),
    ];
    const names = (path: readonly string[]) => fieldsAt(twins, path).map(({ name }) => name);
    expect([names(['path']), names(['Path']), names(['PATH']), names([]), names(['path', 'c', 'd'])]).toEqual(
      [['b'], ['a'], ['a'], ['Path', 'path'], []],
    );
  });

  it('has no table for no name', () =>
    expect([
      tableNamed(OUTLINE, null),
      tableNamed(OUTLINE, 'x'),
      tableNamed(OUTLINE, 'Edge_Logs')?.name,
    ]).toEqual([null, null, 'edge_logs']));

  it('that has not come yet proposes nothing', () => {
    const context = new CompletionContext(EditorState.create({ doc: 'sel' }), 3, true);
    expect(completionFor('sql', () => ({ outline: null, filters: [] }))(context)).toBeNull();
  });
});
