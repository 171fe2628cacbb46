import { describe, expect, it } from '@jest/globals';
import { accessTokenDecider } from '../../../../src/logs/tokens/access-token.decider.js';
import type { AccessTokenEvent } from '../../../../src/logs/tokens/access-token.events.js';
import { IssueToken, RevokeToken } from '../../../../src/logs/tokens/token.commands.js';
import { TokenHolders } from '../../../../src/logs/tokens/token.handlers.js';
import { ListTokens } from '../../../../src/logs/tokens/token.queries.js';
import { scopesAllow, type TokenScope } from '../../../../src/logs/tokens/token-scope.js';
import { CONTEXT } from '../../../support/contest-world.js';
import { givenOf } from '../../../support/given-when-then.js';
import { type MemoryCore, openMemoryCores, outcomeOf } from '../../../support/memory-core.js';
import { openForEach } from '../../../support/open-for-each.js';
import { until } from '../../../support/until.js';

const given = givenOf(accessTokenDecider);
const data = {
  tokenId: 't',
  name: 'Dashboard',
  scopes: ['query', 'ingest'] as readonly TokenScope[],
  project: 'p1',
  secretHash: 'ab',
};
const issued: AccessTokenEvent = { type: 'AccessTokenIssued', data };
const revoked: AccessTokenEvent = { type: 'AccessTokenRevoked', data: {} };
const issue = { type: 'IssueAccessToken', ...data } as const;
const revoke = { type: 'RevokeAccessToken' } as const;

describe('the life of an access token', () => {
  it('begins once', () => {
    given([]).when(issue).then([issued]);
    given([issued]).when(issue).thenRefused('already-exists');
    given([issued, revoked]).when(issue).thenRefused('already-exists');
  });
  it('keeps each scope once', () =>
    given([])
      .when({ ...issue, scopes: ['query', 'ingest', 'query'] })
      .then([issued]));
  it('needs a name and a scope', () =>
    given([])
      .when({ ...issue, name: ' ', scopes: [] })
      .thenRefused('invalid-request', 'name', 'scopes'));
  it('is not tied to a nameless project', () =>
    given([])
      .when({ ...issue, project: '' })
      .thenRefused('invalid-request', 'project'));
  it('does not let a project manage endpoints', () => {
    given([])
      .when({ ...issue, scopes: ['admin'] })
      .thenRefused('invalid-request', 'project');
    const data = { ...issued.data, scopes: ['admin'] as const, project: null };
    given([])
      .when({ type: 'IssueAccessToken', ...data })
      .then([{ type: 'AccessTokenIssued', data }]);
  });
  it('ends by revoking', () => {
    given([issued]).when(revoke).then([revoked]);
    given([issued, revoked]).when(revoke).thenNothing();
    given([]).when(revoke).thenRefused('token-not-found');
  });
  it('goes on with another account', () => {
    const handOver = { type: 'HandOverAccessToken', accountId: 'bob' } as const;
    const handedOver: AccessTokenEvent = { type: 'AccessTokenHandedOver', data: { accountId: 'bob' } };
    given([issued]).when(handOver).then([handedOver]);
    given([issued, handedOver]).when(handOver).thenNothing();
    given([issued, handedOver])
      .when({ ...handOver, accountId: 'cy' })
      .then([{ ...handedOver, data: { accountId: 'cy' } }]);
    given([issued, handedOver]).when(revoke).then([revoked]);
    given([issued, revoked]).when(handOver).thenNothing();
    given([]).when(handOver).thenRefused('token-not-found');
  });
});

describe('scopes', () => {
  it.each<[TokenScope, TokenScope, boolean]>([
    ['ingest', 'ingest', true],
    ['ingest', 'query:e', false],
    ['ingest', 'admin', false],
    ['query', 'query:e', true],
    ['query', 'ingest', false],
    ['query', 'admin', false],
    ['query:e', 'query:e', true],
    ['query:e', 'query:f', false],
    ['query:e', 'query', false],
    ['query:e', 'ingest', false],
    ['admin', 'admin', true],
    ['admin', 'ingest', true],
    ['admin', 'query:e', true],
  ])('%s for %s: %s', (scope, wanted, allowed) => expect(scopesAllow([scope], wanted)).toBe(allowed));
});

describe('access tokens on the stores', () => {
  const core = openForEach(openMemoryCores);

  const made = (scopes: readonly string[] = ['query'], project: string | null = null) =>
    core().execute(new IssueToken({ name: 'Dashboard', scopes, project }, CONTEXT));

  const holderOf = ({ get }: MemoryCore, token: string | null) =>
    get(TokenHolders, { strict: false }).of(token);

  it('tell who holds them, in every process', async () => {
    const { token, tokenId } = await made(['ingest', 'query'], 'p1');
    const holder = { tokenId, scopes: ['ingest', 'query'], project: 'p1' };
    expect(await holderOf(core(), token)).toEqual(holder);
    expect(await holderOf(core(), token)).toEqual(holder);
    expect(await holderOf(core().peer, token)).toEqual(holder);
  });

  it('are kept as a hash only', async () => {
    const { token } = await made();
    expect(JSON.stringify(core().store.log)).not.toContain(token.slice(-38, -6));
  });

  it('are refused when missing, unknown or mistyped', async () => {
    const { token } = await made();
    for (const [text, code] of [
      [null, 'token-missing'],
      ['', 'token-missing'],
      ['podium_token_x', 'token-unknown'],
      [`${token}x`, 'token-unknown'],
    ] as const)
      expect(await outcomeOf(holderOf(core(), text))).toBe(code);
  });

  it('are refused at once when revoked, also where they were just good', async () => {
    const { token, tokenId } = await made();
    await holderOf(core(), token);
    await holderOf(core().peer, token);
    await core().execute(new RevokeToken(tokenId, CONTEXT));
    expect(await outcomeOf(holderOf(core(), token))).toBe('token-revoked');
    await until(
      () => outcomeOf(holderOf(core().peer, token)),
      (code) => code === 'token-revoked',
    );
  });

  it('are listed with their use', async () => {
    const first = await made();
    const second = await made(['ingest'], 'p2');
    await core().execute(new RevokeToken(first.tokenId, CONTEXT));
    await holderOf(core(), second.token);
    const third = await made();
    await core().shown(third.position);
    const views = new Map((await core().query(new ListTokens())).map((view) => [view.tokenId, view]));
    expect(views.size).toBe(3);
    expect(views.get(first.tokenId)).toMatchObject({
      state: 'revoked',
      lastUsedAt: null,
      revokedAt: expect.any(String),
    });
    expect(views.get(second.tokenId)).toMatchObject({
      state: 'active',
      lastUsedAt: expect.any(String),
      project: 'p2',
    });
    expect(views.get(third.tokenId)).toMatchObject({ state: 'active', revokedAt: null, lastUsedAt: null });
  });

  it('refuse scopes that are none', async () => {
    const asked = core().refusal(
      new IssueToken({ name: 'x', scopes: ['query', 'write'], project: null }, CONTEXT),
    );
    expect(await asked).toMatchObject({ code: 'invalid-request', errors: [{ field: 'scopes[1]' }] });
  });
});
