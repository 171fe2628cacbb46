/** Syntax highlighting for both languages, with the dialect of the server's parser. Only the server checks a query. */
import { SQLDialect, sql } from '@codemirror/lang-sql';
import { HighlightStyle, StreamLanguage, type StreamParser, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import type { EditorLanguage } from './completion.js';
import { SQL_KEYWORDS, SQL_TYPES } from './sql-words.js';

const dialect = SQLDialect.define({
  keywords: SQL_KEYWORDS.join(' '),
  types: SQL_TYPES,
  identifierQuotes: '`',
  doubleQuotedStrings: true,
  hashComments: true,
  slashComments: true,
  specialVar: '@',
  operatorChars: '*+-%<>!=&|~^/',
});

interface LqlState {
  /** True inside the value of a field. */
  readonly value: boolean;
}

const lql: StreamParser<{ value: boolean }> = {
  startState: (): LqlState => ({ value: false }),
  copyState: ({ value }) => ({ value }),
  token: (stream, state) => {
    if (stream.eatSpace()) {
      state.value = false;
      return null;
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (!state.value && stream.match(/^-/)) return 'operator';
    if (stream.match(/^~"(?:[^"\\]|\\.)*"?/) || stream.match(/^~\S+/)) return 'regexp';
    if (!state.value && stream.match(/^(?:t|timestamp|f|from|s|c):/)) {
      state.value = true;
      return 'keyword';
    }
    if (!state.value && stream.match(/^[A-Za-z_][\w.-]*:/)) {
      state.value = true;
      return 'propertyName';
    }
    if (state.value && stream.match(/^(?:>=|<=|>|<|@>|\.\.)/)) return 'operator';
    if (state.value && stream.match(/^(?:true|false|NULL|today|yesterday|now|last@\w+|this@\w+)(?=\s|$)/))
      return 'atom';
    if (state.value && stream.match(/^-?\d+(?:\.\d+)?(?=\s|\.\.|$)/)) return 'number';
    if (state.value && stream.match(/^[a-z]\w*(?=\()/)) return 'function';
    stream.next();
    return null;
  },
  tokenTable: { function: tags.function(tags.variableName) },
};

const colours = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.modifier],
    color: 'var(--code-keyword)',
    fontWeight: '600',
  },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: tags.regexp, color: 'var(--code-regexp)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-number)' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--code-number)' },
  { tag: [tags.special(tags.name), tags.function(tags.variableName)], color: 'var(--code-name)' },
  { tag: tags.propertyName, color: 'var(--code-name)' },
  { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
]);

const LANGUAGES: Readonly<Record<EditorLanguage, Extension>> = {
  sql: sql({ dialect, upperCaseKeywords: false }).language,
  lql: StreamLanguage.define(lql),
};

export const highlighting = (language: EditorLanguage): Extension => [
  LANGUAGES[language],
  syntaxHighlighting(colours),
];
