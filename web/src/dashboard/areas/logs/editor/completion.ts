/** The completions of the editor: tables, fields of any depth, functions, and the keywords of both languages. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { SavedFilterView } from '../../../../../../src/logs/saved-filters/saved-filter.js';
import { type Field, fieldsAt, type QueryOutline, tableNamed } from '../outline.js';
import { fieldsOfPath, namesInSql } from './names-in-sql.js';
import { SQL_KEYWORDS } from './sql-words.js';

export type NamedFilter = Pick<SavedFilterView, 'name' | 'lql'>;

/** What a query may name. */
export interface Names {
  /** Null: it has not come yet. */
  readonly outline: QueryOutline | null;
  readonly filters: readonly NamedFilter[];
}

const fieldOptions = (fields: readonly Field[]): Completion[] => {
  const unique = new Map(fields.map((field) => [field.name, field]));
  return [...unique.values()].map(({ name, type }) => ({
    label: name,
    type: 'property',
    detail: type,
    boost: 2,
  }));
};

const WORDS: readonly Completion[] = SQL_KEYWORDS.map((label) => ({ label, type: 'keyword' }));

const sqlCompletion = (context: CompletionContext, outline: QueryOutline): CompletionResult | null => {
  const written = context.matchBefore(/@?[\w.]*$/);
  if (written === null || (written.from === written.to && !context.explicit)) return null;
  const path = written.text.split('.');
  const last = path.pop() ?? '';
  const from = written.to - last.length;
  const names = namesInSql(context.state.doc.toString(), outline);
  if (path.length > 0) return { from, options: fieldOptions(fieldsOfPath(path, names)) };
  const options = [
    ...fieldOptions(names.fields),
    ...[...names.records.keys()].map((label) => ({ label, type: 'variable', boost: 1 })),
    ...outline.tables.map(({ name: label }) => ({ label, type: 'class', detail: 'table', boost: 1 })),
    ...outline.functions.map((label) => ({ label, type: 'function', apply: `${label}(` })),
    ...outline.parameters.map(({ name, use }) => ({ label: `@${name}`, type: 'variable', detail: use })),
    ...WORDS,
  ];
  return { from, options };
};

const LQL_STARTS: readonly Completion[] = [
  { label: 'm.', type: 'keyword', detail: 'a field of the metadata' },
  { label: 't:', type: 'keyword', detail: 'a time, such as t:last@1hour' },
  { label: 'f:', type: 'keyword', detail: 'another table' },
  { label: 's:', type: 'keyword', detail: 'a column of the result' },
  { label: 'c:', type: 'keyword', detail: 'an aggregate, such as c:count(*)' },
  { label: 'saved:', type: 'keyword', detail: 'a saved filter' },
];
const LQL_TIMES = [
  'today',
  'yesterday',
  'now',
  'last@15minutes',
  'last@1hour',
  'last@24hours',
  'last@7days',
].concat(['minute', 'hour', 'day', 'week', 'month', 'year'].map((unit) => `this@${unit}`));
const LQL_AGGREGATES = ['count(*)', 'countd(', 'sum(', 'avg(', 'max(', 'p50(', 'p95(', 'p99('].concat(
  ['second', 'minute', 'hour', 'day'].map((unit) => `group_by(t::${unit})`),
);

const plain = (labels: readonly string[], type: string): Completion[] =>
  labels.map((label) => ({ label, type }));

/** The fields at a path. `m` is the metadata. The table is the one in the query, else the one that the stored query reads. */
const lqlFields = (path: readonly string[], text: string, outline: QueryOutline): readonly Field[] => {
  const [, named] = /(?:^|\s)(?:f|from):(\w+)/.exec(text) ?? [];
  const columns = tableNamed(outline, named ?? outline.reads)?.columns ?? [];
  const [first = '', ...rest] = path;
  return fieldsAt(columns, first === 'm' ? ['metadata', ...rest] : path);
};

/** The names may have hyphens, unlike those of fields. */
const filterCompletion = (
  context: CompletionContext,
  filters: readonly NamedFilter[],
): CompletionResult | null => {
  const written = context.matchBefore(/(?<![\w.:])saved:[\w-]*$/);
  if (written === null) return null;
  const options = filters.map(({ name, lql }) => ({ label: name, type: 'constant', detail: lql }));
  return { from: written.from + 'saved:'.length, options };
};

const lqlCompletion = (
  context: CompletionContext,
  outline: QueryOutline,
  filters: readonly NamedFilter[],
): CompletionResult | null => {
  const ofFilters = filterCompletion(context, filters);
  if (ofFilters !== null) return ofFilters;
  const written = context.matchBefore(/[\w.@:(*]*$/);
  if (written === null || (written.from === written.to && !context.explicit)) return null;
  const [, selector = '', inner = ''] = /^([a-z]*:)?(?:\w+\()?([^:(]*)$/.exec(written.text) ?? [];
  const from = written.to - inner.length;
  switch (selector) {
    case 't:':
    case 'timestamp:':
      return { from, options: plain(LQL_TIMES, 'constant') };
    case 'f:':
    case 'from:':
      return {
        from,
        options: plain(
          outline.tables.map(({ name }) => name),
          'class',
        ),
      };
  }
  const path = inner.split('.');
  const last = path.pop() ?? '';
  const at = written.to - last.length;
  if (path.length > 0) {
    const fields = lqlFields(path, context.state.doc.toString(), outline);
    return { from: at, options: fieldOptions(fields) };
  }
  if (selector === 'c:' && !written.text.includes('('))
    return { from, options: plain(LQL_AGGREGATES, 'function') };
  const columns = fieldOptions(lqlFields([], context.state.doc.toString(), outline));
  return { from: at, options: [...(selector === '' ? LQL_STARTS : LQL_STARTS.slice(0, 1)), ...columns] };
};

export type EditorLanguage = 'sql' | 'lql';

/** `names`: called for each completion, because they load after the editor and change with the endpoint. */
export const completionFor =
  (language: EditorLanguage, names: () => Names) =>
  (context: CompletionContext): CompletionResult | null => {
    const { outline, filters } = names();
    if (outline === null) return null;
    const found =
      language === 'sql' ? sqlCompletion(context, outline) : lqlCompletion(context, outline, filters);
    if (found === null) return null;
    const isComplete = (text: string): boolean =>
      found.options.some(({ label }) => label.toLowerCase() === text.toLowerCase());
    // No completions for a complete name, so that Enter inserts a new line.
    if (!context.explicit && isComplete(context.state.sliceDoc(found.from, context.pos))) return null;
    // Keeps the options while the user types a name, so that Enter accepts one even during fast typing.
    return { ...found, validFor: (text) => /^\w*$/.test(text) && !isComplete(text) };
  };
