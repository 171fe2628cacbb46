/** What a query uses its parameters as, and which values that leaves. */
import { describe, expect, it } from '@jest/globals';
import { PLATFORM_CATALOGUE } from '../../../../src/foundation/log-store/known-fields.js';
import { LOGS_ALL_QUERY } from '../../../../src/logs/endpoints/stored/logs-all.js';
import { API_COUNTS_QUERY } from '../../../../src/logs/endpoints/stored/usage-api-counts.js';
import { compile } from '../../../../src/logs/sql/compile.js';
import { checkParameter, type ParameterUse } from '../../../../src/logs/sql/texts/parameters.js';
import { checkPattern } from '../../../../src/logs/sql/texts/patterns.js';

const usesOf = (text: string) =>
  compile({
    stored: { text, sandboxed: true },
    consumer: null,
    onlyProject: null,
    catalogue: PLATFORM_CATALOGUE,
  }).uses;

describe('the parameters of', () => {
  it('logs.all are a text and two timestamps', () => {
    const { project, iso_timestamp_start, iso_timestamp_end } = usesOf(LOGS_ALL_QUERY);
    expect(project).toEqual([{ as: 'text' }]);
    expect(iso_timestamp_start).toContainEqual({ as: 'timestamp' });
    expect(iso_timestamp_end).toContainEqual({ as: 'timestamp' });
  });

  it('usage.api-counts are a pattern and a choice', () => {
    const { project, interval } = usesOf(API_COUNTS_QUERY);
    expect(project).toContainEqual({ as: 'pattern' });
    expect(interval).toContainEqual({ as: 'choice', among: ['hourly', 'daily', 'minutely'] });
  });

  it('a query with a number and a limit are numbers', () => {
    const { least, most } = usesOf(
      'select id from edge_logs t where t.metadata.response.status_code >= @least limit @most',
    );
    expect(least).toContainEqual({ as: 'number' });
    expect(most).toContainEqual({ as: 'number' });
  });
});

describe('a value', () => {
  const choice: ParameterUse = { as: 'choice', among: ['hourly', 'daily'] };
  it.each<readonly [ParameterUse, string | null, boolean]>([
    [{ as: 'timestamp' }, '2026-03-17T14:47:02Z', true],
    [{ as: 'timestamp' }, '2026-03-17T14:47:02.123456+02:00', true],
    [{ as: 'timestamp' }, '2026-03-17T14:47Z', true],
    [{ as: 'timestamp' }, '2026-03-17 14:47:02', true],
    [{ as: 'timestamp' }, '2026-03-17', true],
    [{ as: 'timestamp' }, '2026-3-7 1:02:03 Europe/Berlin', true],
    [{ as: 'timestamp' }, '2024-02-29', true],
    [{ as: 'timestamp' }, '2026-02-29', false],
    [{ as: 'timestamp' }, '0000-01-01', false],
    [{ as: 'timestamp' }, '2026-03-17T10', false],
    [{ as: 'timestamp' }, '2026-03-17 10:00:60', false],
    [{ as: 'timestamp' }, '2026-03-17 10:00:00+25', false],
    [{ as: 'timestamp' }, '2026-03-17 10:00:00 Mars/Base', false],
    [{ as: 'timestamp' }, '2026-03-17 10:00 Europe/Berlin', false],
    [{ as: 'timestamp' }, '2026-03-17 10:00:00 02:00', false],
    [{ as: 'timestamp' }, '', true],
    [{ as: 'timestamp' }, null, true],
    [{ as: 'timestamp' }, '2026-02-30', false],
    [{ as: 'timestamp' }, '2026-03-17T25:00:00Z', false],
    [{ as: 'timestamp' }, 'yesterday', false],
    [{ as: 'timestamp' }, 'infinity', false],
    [{ as: 'timestamp' }, '1710683222', false],
    [{ as: 'number' }, '-1.5e3', true],
    [{ as: 'number' }, 'ten', false],
    [{ as: 'pattern' }, 'a|b', true],
    [{ as: 'pattern' }, '(', false],
    [choice, 'daily', true],
    [choice, 'weekly', false],
    [choice, '', false],
    [choice, null, true],
  ])('as %j: %s', (use, value, isFine) => {
    expect(checkParameter(value, use) === null).toBe(isFine);
  });
});

it('is told of the + that a URL turned into a space', () => {
  expect(checkParameter('2026-03-17T10:00:00 02:00', { as: 'timestamp' })).toContain('write + as %2B');
  expect(checkParameter('2026-03-17T10:00:00 x', { as: 'timestamp' })).not.toContain('%2B');
});

describe('a regular expression', () => {
  it.each([
    ['abc', 0],
    ['(a)(?:b)(?P<name>c)(?i)(?i:d)', 2],
    ['^a*?b+c{2,3}d{4,}$', 0],
    ['[]a-z^-]', 0],
    ['[^[:alpha:]\\d\\]]', 0],
    ['\\pL\\p{Greek}\\x{1F600}\\101\\Qa(b\\E', 0],
    ['a{,3}|b{x}', 0],
    ['\\bx\\z|\\.', 0],
  ])('%s is read, with %d groups', (pattern, groups) => {
    expect(checkPattern(pattern)).toEqual({ fault: null, groups });
  });

  it.each([
    ['(a', 0, 'this ( is not closed'],
    ['a)', 1, 'a ) without its ('],
    ['*a', 0, 'nothing to repeat'],
    ['a**', 1, 'two repetitions in a row'],
    ['a{3,2}', 1, 'the wrong way round'],
    ['a{1001}', 1, 'more than 1000 times'],
    ['((a{100}){100})', 9, 'more than 1000 times'],
    ['[z-a]', 1, 'the wrong way round'],
    ['[a', 0, 'this [ is not closed'],
    ['(?=a)', 0, 'no looking around'],
    ['(?<=a)', 0, 'no looking around'],
    ['(a)\\1', 3, 'is no escape'],
    ['\\p{Nonsense}', 0, 'no such class of characters'],
    ['a\\', 1, 'is no escape'],
  ])('%s is at fault at %d', (pattern, offset, message) => {
    const { fault } = checkPattern(pattern);
    expect(fault?.offset).toBe(offset);
    expect(fault?.message).toContain(message);
  });
});
