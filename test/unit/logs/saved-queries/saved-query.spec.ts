/** Saving, replacing and removing a query of the log explorer. */
import { describe, expect, it } from '@jest/globals';
import {
  isSavedQueryName,
  MAX_ADDRESS_LENGTH,
  savedQueryDecider,
} from '../../../../src/logs/saved-queries/saved-query.decider.js';
import type { SavedQueryEvent } from '../../../../src/logs/saved-queries/saved-query.events.js';
import { type LogQuery, parseSearch, toSearch } from '../../../../web/src/dashboard/areas/logs/log-query.js';
import { givenOf } from '../../../support/given-when-then.js';

const given = givenOf(savedQueryDecider);
const save = (address: string) => ({ type: 'SaveLogQuery', address }) as const;
const remove = { type: 'RemoveSavedLogQuery' } as const;
const saved = (address: string): SavedQueryEvent => ({ type: 'LogQuerySaved', data: { address } });
const removed: SavedQueryEvent = { type: 'SavedLogQueryRemoved', data: {} };
const ONE = 'endpoint=logs.all&lql=one';
const OTHER = 'endpoint=logs.all&lql=other';

describe('a saved query', () => {
  it('is saved, replaced, and saved once only', () => {
    given([])
      .when(save(ONE))
      .then([saved(ONE)]);
    given([saved(ONE)])
      .when(save(OTHER))
      .then([saved(OTHER)]);
    given([saved(ONE)])
      .when(save(ONE))
      .then([]);
  });

  it('is removed once, and its name is free', () => {
    given([saved(ONE)])
      .when(remove)
      .then([removed]);
    given([]).when(remove).then([]);
    given([saved(ONE), removed])
      .when(remove)
      .then([]);
    given([saved(ONE), removed])
      .when(save(ONE))
      .then([saved(ONE)]);
  });

  it.each([
    '',
    'lql=error',
    'endpoint=',
    'endpoint=a b',
    'endpoint=a\nb',
    'endpoint=a#b',
    `endpoint=${'a'.repeat(MAX_ADDRESS_LENGTH)}`,
  ])('is no text such as %j', (address) => given([]).when(save(address)).thenRefused('invalid-request'));

  it('takes whatever address the explorer writes', () => {
    const query: LogQuery = {
      endpoint: 'errors.by-path',
      language: 'sql',
      query: 'select "ü", \'*~!()\' -- 100% & + #\nfrom edge_logs',
      parameters: { project: 'a/b ?' },
      range: { kind: 'between', from: '2026-02-03T04:00:00Z', to: '' },
      redact: true,
    };
    const address = toSearch(query);
    given([])
      .when(save(address))
      .then([saved(address)]);
    expect(parseSearch(address)).toEqual(query);
  });

  it.each([
    ['failed-requests', true],
    ['A.1_b', true],
    ['', false],
    ['-a', false],
    ['a b', false],
    ['a/b', false],
    ['a'.repeat(101), false],
  ])('has a name such as %j: %j', (name, may) => expect(isSavedQueryName(name)).toBe(may));
});
