/** When an alert fires. */
import { describe, expect, it } from '@jest/globals';
import { type Condition, fires } from '../../../../src/logs/alerts/condition.js';

const rows = (...values: readonly unknown[]) => values.map((n) => ({ n }));
const numberOfRows = (is: Condition['is'], value: number): Condition => ({ column: null, is, value });
const column = (is: Condition['is'], value: number): Condition => ({ column: 'n', is, value });

it.each<[string, Condition | null, readonly { n: unknown }[], boolean]>([
  ['any row', null, rows(1), true],
  ['no row', null, [], false],
  ['more rows', numberOfRows('>', 2), rows(1, 2, 3), true],
  ['just as many rows', numberOfRows('>', 3), rows(1, 2, 3), false],
  ['as many rows or more', numberOfRows('>=', 3), rows(1, 2, 3), true],
  ['fewer rows', numberOfRows('<', 1), [], true],
  ['not fewer rows', numberOfRows('<', 1), rows(1), false],
  ['at most so many rows', numberOfRows('<=', 1), rows(1), true],
  ['as many rows', numberOfRows('=', 0), [], true],
  ['a column in any row', column('>', 5), rows(1, 6), true],
  ['a column in no row', column('>', 6), rows(1, 6), false],
  ['a number that the engine writes as a text', column('>=', 5), rows('5'), true],
  ['no value', column('<', 5), rows(null), false],
  ['a column of no row', column('<', 5), [], false],
])('judges %s', (_, condition, found, expected) => {
  expect(fires(condition, { rows: found, truncated: false })).toBe(expected);
});

describe('an alert', () => {
  it.each<[Condition, boolean]>([
    [numberOfRows('>', 2), true],
    [numberOfRows('>=', 2), true],
    [numberOfRows('<', 2), false],
    [numberOfRows('<=', 2), false],
    [numberOfRows('=', 2), false],
  ])('knows that there are more rows than the endpoint returns: %j', (condition, expected) => {
    expect(fires(condition, { rows: rows(1, 2), truncated: true })).toBe(expected);
  });

  it.each<[Condition, readonly { n: unknown }[], boolean, string]>([
    [numberOfRows('>', 3), rows(1, 2), true, 'the endpoint returns 2 rows at most, and there are more'],
    [{ ...column('>', 1), column: 'm' }, rows(1), false, 'the result has no column m'],
    [column('>', 1), rows('many'), false, 'the column n holds a value that is no number'],
    [column('>', 1), rows(''), false, 'the column n holds a value that is no number'],
    [column('>', 1), rows(true), false, 'the column n holds a value that is no number'],
  ])('says when it cannot be told: %j', (condition, found, truncated, problem) => {
    expect(fires(condition, { rows: found, truncated })).toEqual({ problem });
  });
});
