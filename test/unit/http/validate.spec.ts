/** What a sender is told about a body of the wrong shape: each field once, by the rule that helps, under its path. */
import { describe, expect, it } from '@jest/globals';
import { IsArray, IsInt, IsString, Min } from 'class-validator';
import { readAttempt, readResults } from '../../../src/competition/rounds/entry-reader.js';
import { RejectedError } from '../../../src/domain/rejections.js';
import { readBody } from '../../../src/http/body/body.js';
import { MayBeLeftOut } from '../../../src/http/body/validate.js';

/** The messages and the detail of the refusal; fails where nothing is refused. */
const refusalOf = (
  read: () => unknown,
): { readonly detail: string; readonly messages: readonly string[] } => {
  try {
    read();
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error;
    const { detail, errors = [] } = error.rejection;
    return { detail, messages: errors.map(({ message }) => message) };
  }
  throw new Error('nothing was refused');
};

class Body {
  @IsString()
  name: string;

  @MayBeLeftOut()
  @IsInt()
  @Min(1)
  count?: number;

  @MayBeLeftOut()
  @IsArray()
  @IsString({ each: true })
  tags?: string[];
}

describe('a flat body', () => {
  it.each<[string, object, readonly string[]]>([
    ['what is missing', {}, ['name must be a string']],
    ['a type before a range', { name: 'x', count: 'two' }, ['count must be an integer number']],
    ['a range', { name: 'x', count: 0 }, ['count must not be less than 1']],
    ['a list before its items', { name: 'x', tags: 'a' }, ['tags must be an array']],
    ['null where it means nothing', { name: 'x', tags: null }, ['tags must be an array']],
    [
      'a field that is misspelt',
      { name: 'x', cuont: 2 },
      ['cuont is not known here; there are name, count, tags'],
    ],
  ])('tells %s', (_, body, messages) => {
    expect(refusalOf(() => readBody(body, Body))).toEqual({ detail: messages.join('; '), messages });
  });

  it('passes with all that may be left out left out', () => {
    expect(readBody({ name: 'x' }, Body)).toEqual({ name: 'x' });
  });
});

const ROUND = { competitionId: 'Open2026', eventId: '333', roundNumber: 1 };
const messagesOf = (results: unknown): readonly string[] =>
  refusalOf(() => readResults({ ...ROUND, results }, undefined)).messages;

describe('results', () => {
  it.each<[string, unknown, string]>([
    ['no rows', undefined, 'results must be an array'],
    ['rows that are no list', {}, 'results must be an array'],
    ['no row at all', [], 'results should not be empty'],
    [
      'more rows than are taken',
      Array.from({ length: 5_001 }, () => 5),
      'results must contain no more than 5000 elements',
    ],
    ['a row that is none', [5], 'results[0] must be an object'],
    ['a row that is nothing', [null], 'results[0] must be an object'],
    ['no attempts', [{ personId: 7 }], 'results[0].attempts must be an array'],
    ['attempts as numbers', [{ personId: 7, attempts: [5] }], 'results[0].attempts[0] must be an object'],
    [
      'an attempt as text',
      [{ personId: 7, attempts: [{ result: '5' }] }],
      'results[0].attempts[0].result must be an integer number',
    ],
  ])('with %s', (_, results, message) => {
    expect(messagesOf(results)).toEqual([message]);
  });
});

describe('an attempt', () => {
  it('whose faults are many is told how many more there are', () => {
    const { detail, messages } = refusalOf(() => readAttempt({}, undefined));
    expect(messages).toHaveLength(6);
    expect(detail).toBe(`${messages.slice(0, 3).join('; ')} (and 3 more)`);
  });

  it('that names two contests is told so, and one that names none is not', () => {
    const attempt = { ...ROUND, personId: 7, attemptNumber: 1, attemptResult: 934 };
    const both = { ...attempt, competitionWcaId: 'Other2026' };
    expect(refusalOf(() => readAttempt(both, undefined)).messages).toEqual([
      'competitionId and its alias competitionWcaId name different contests',
    ]);
    expect(refusalOf(() => readAttempt({ ...attempt, competitionId: null }, undefined)).messages).toEqual([
      'competitionId must be a string of 1 to 200 characters',
    ]);
  });
});
