/** Content codings and entity tags as RFC 9110 has them. */
import { describe, expect, it } from '@jest/globals';
import { codingFor, matchesEtag } from '../../../src/http/message/headers.js';

describe('codingFor', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['deflate', 'identity'],
    ['identity, gzip ; q=0', 'identity'],
    ['gzip;q=nonsense', 'identity'],
  ])('%j: %s', (accept, coding) => {
    expect(codingFor(accept)).toBe(coding);
    expect(codingFor(accept)).toBe(coding);
  });
});

describe('matchesEtag', () => {
  it.each([
    [undefined, false],
    ['"a"', true],
    ['"b", "a"', true],
    ['W/"a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
  ])('%j: %s', (header, matches) => {
    expect(matchesEtag(header, '"a"')).toBe(matches);
  });
});
