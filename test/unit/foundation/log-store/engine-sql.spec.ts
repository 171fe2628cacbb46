/** What is quoted for an engine stays one text or one name. */
import { expect, it } from '@jest/globals';
import { identifier, textLiteral } from '../../../../src/engines/clickhouse/sql/clickhouse-sql.js';
import {
  identifier as duckDbIdentifier,
  textLiteral as duckDbTextLiteral,
} from '../../../../src/engines/duckdb/sql/duckdb-sql.js';
import { quoted } from '../../../../src/foundation/log-store/engine-sql.js';

it('writes the mark and the characters that an engine does not read as themselves', () => {
  expect(textLiteral("it's \\ \0")).toBe("'it\\'s \\\\ \\0'");
  expect(identifier('a`b')).toBe('`a\\`b`');
  expect(duckDbTextLiteral("it's \0")).toBe("('it''s ' || chr(0) || '')");
  expect(duckDbIdentifier('a"b')).toBe('"a""b"');
});

it('refuses the mark and the character of code 0 where nothing is written for them', () => {
  expect(() => quoted('a', "'", {})).toThrow('nothing is written');
  for (const name of [identifier, duckDbIdentifier]) expect(() => name('a\0b')).toThrow('code 0');
});
