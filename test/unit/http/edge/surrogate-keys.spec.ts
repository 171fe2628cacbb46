import { describe, expect, it } from '@jest/globals';
import { type ChangedTags, tags } from '../../../../src/domain/tags.js';
import { purgedKeys, surrogateKeys } from '../../../../src/http/edge/surrogate-keys.js';

const persons = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => tags.person(index + 1));

const changed = (...names: readonly string[]): ChangedTags => new Map(names.map((name) => [name, 0]));

describe('the keys of a reply in a shared cache', () => {
  it('are one for all replies, and its tags', () => {
    expect(surrogateKeys(['events:default', 'person:7'])).toBe('podium events:default person:7');
  });

  it('name the persons together when there are many', () => {
    expect(surrogateKeys(persons(100))).toBe(['podium', ...persons(100)].join(' '));
    expect(surrogateKeys(['events:default', ...persons(101)])).toBe('podium events:default persons');
  });

  it('are none when they would not fit a header line', () => {
    const contests = Array.from({ length: 1_000 }, (_, index) => `contest:default/Contest${index}`);
    expect(surrogateKeys(contests)).toBeNull();
  });

  it('purge a person in lists of many, too', () => {
    expect(purgedKeys(changed('events:default'))).toEqual(['events:default']);
    expect(purgedKeys(changed('person:7'))).toEqual(['person:7', 'persons']);
    expect(purgedKeys(changed('best:default/333/7', 'places:default/333'))).toEqual(['places:default/333']);
  });
});
