import { describe, expect, it } from '@jest/globals';
import { apiKeyDecider } from '../../../../src/competition/aggregates/api-key/api-key.decider.js';
import type { ApiKeyEvent } from '../../../../src/competition/aggregates/api-key/api-key.events.js';
import { keyRefusal } from '../../../../src/domain/key-purposes.js';
import {
  ACCESS_TOKEN_TEXT,
  API_KEY_TEXT,
  hashSecret,
  secretMatches,
} from '../../../../src/foundation/credentials/credential-text.js';
import { givenOf } from '../../../support/given-when-then.js';

const given = givenOf(apiKeyDecider);
const data = { keyId: 'k', spaceId: 'default', competitionId: 'C', device: 'Table 1', secretHash: 'ab' };
const issued: ApiKeyEvent = { type: 'ApiKeyIssued', data };
const revoked: ApiKeyEvent = { type: 'ApiKeyRevoked', data: {} };
const ended: ApiKeyEvent = { type: 'ApiKeyEnded', data: { reason: 'finish' } };
const issue = { type: 'IssueApiKey', ...data } as const;
const revoke = { type: 'RevokeApiKey' } as const;
const end = { type: 'EndApiKey', reason: 'finish' } as const;

describe('the life of an API key', () => {
  it('begins once', () => {
    given([]).when(issue).then([issued]);
    given([issued]).when(issue).thenRefused('already-exists');
  });
  it('never begins when its contest ended before', () =>
    given([ended]).when(issue).thenRefused('contest-state'));
  it('needs a device', () =>
    given([])
      .when({ ...issue, device: ' ' })
      .thenRefused('invalid-request', 'device'));
  it('says its purpose when that is not entry', () => {
    given([])
      .when({ ...issue, purpose: 'entry' })
      .then([issued]);
    given([])
      .when({ ...issue, purpose: 'competitors' })
      .then([{ type: 'ApiKeyIssued', data: { ...data, purpose: 'competitors' } }]);
  });
  it('is cut short by revoking', () => {
    given([issued]).when(revoke).then([revoked]);
    given([issued, revoked]).when(revoke).thenNothing();
    given([issued, ended]).when(revoke).thenNothing();
    given([]).when(revoke).thenRefused('key-not-found');
    given([ended]).when(revoke).thenRefused('key-not-found');
  });
  it('ends with its contest, for good', () => {
    given([issued]).when(end).then([ended]);
    given([]).when(end).then([ended]);
    given([issued, ended]).when(end).thenNothing();
    given([issued, revoked]).when(end).thenNothing();
  });
});

describe('what a key may be used for', () => {
  const contest = { spaceId: 'default', competitionId: 'C' };
  const forList = { ...data, purpose: 'competitors' } as const;
  it.each([
    ['entry', data, contest, 'entry', null],
    ['the list', forList, contest, 'competitors', null],
    ['entry, by a key for the list', forList, contest, 'entry', 'key-purpose'],
    ['the list, by a key for entry', data, contest, 'competitors', 'key-purpose'],
    ['another contest', data, { ...contest, competitionId: 'D' }, 'entry', 'key-of-another-contest'],
    ['another space', forList, { ...contest, spaceId: 'club' }, 'competitors', 'key-of-another-contest'],
    ['anything, never issued', null, contest, 'entry', 'key-of-another-contest'],
  ] as const)('%s', (_, key, wanted, purpose, code) =>
    expect(keyRefusal(key, wanted, purpose)?.code ?? null).toBe(code),
  );
});

describe.each([
  { name: 'an API key', format: API_KEY_TEXT, shape: /^podium_[a-z0-9]{12}_[A-Za-z0-9]{38}$/ },
  {
    name: 'an access token',
    format: ACCESS_TOKEN_TEXT,
    shape: /^podium_token_[a-z0-9]{12}_[A-Za-z0-9]{38}$/,
  },
])('the text of $name', ({ format, shape }) => {
  const credential = format.make();
  const text = format.write(credential);

  it('is recognisable', () => expect(text).toMatch(shape));
  it('is read back', () => expect(format.read(text)).toEqual(credential));
  it('is never the same', () => expect(format.write(format.make())).not.toBe(text));

  it('tells every typing error of one character', () => {
    for (let index = 0; index < text.length; index++) {
      const typed = `${text.slice(0, index)}${text[index] === 'x' ? 'y' : 'x'}${text.slice(index + 1)}`;
      expect(format.read(typed)).toBeNull();
    }
  });

  it.each(['', 'podium', text.slice(1), `${text}0`, ` ${text}`, text.toUpperCase()])('is not %j', (other) =>
    expect(format.read(other)).toBeNull(),
  );

  it('is not taken for one of the other kind', () => {
    const other = format === API_KEY_TEXT ? ACCESS_TOKEN_TEXT : API_KEY_TEXT;
    expect(other.read(text)).toBeNull();
  });

  it('is known by the hash of its secret only', () => {
    const hash = hashSecret(credential.secret);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(secretMatches(credential.secret, hash)).toBe(true);
    expect(secretMatches(format.make().secret, hash)).toBe(false);
    expect(secretMatches(credential.secret, '')).toBe(false);
  });
});
