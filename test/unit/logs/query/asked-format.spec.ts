/** Which format a call asks for by its header. The parameter: test/e2e/logs/downloads.spec.ts. */
import { expect, it } from '@jest/globals';
import { acceptedFormat } from '../../../../src/logs/query/asked-format.js';

it.each([
  [undefined, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['application/json', 'json'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'json'],
  ['image/png', 'json'],
  ['text/csv', 'csv'],
  ['Text/CSV; charset=utf-8', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  ['application/vnd.apache.parquet', 'parquet'],
  ['text/csv, application/json', 'csv'],
  ['application/json, text/csv', 'json'],
  ['application/json;q=0.5, text/csv;q=0.9', 'csv'],
  ['text/csv;q=0, */*', 'json'],
])('Accept: %s asks for %s', (accept, format) =>
  expect(acceptedFormat(accept === undefined ? {} : { accept })).toBe(format),
);
