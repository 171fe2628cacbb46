/** Which format a call gets, by its parameter and its header. */
import { describe, expect, it } from '@jest/globals';
import { acceptedFormat, askedFormat } from '../../../../src/logs/query/asked-format.js';

describe('Accept', () => {
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
  ])('%s asks for %s', (accept, format) =>
    expect(acceptedFormat(accept === undefined ? {} : { accept })).toBe(format),
  );
});

describe('the parameter', () => {
  it('counts before the header', () => expect(askedFormat({ format: 'ndjson' }, [], 'csv')).toBe('ndjson'));

  it('is the query’s own where it declares one', () =>
    expect(askedFormat({ format: 'anything' }, ['format'], 'csv')).toBe('csv'));

  it('is one that there is', () =>
    expect(() => askedFormat({ format: 'xlsx' }, [], 'json')).toThrow(
      'format must be one of json, csv, ndjson, parquet',
    ));
});
