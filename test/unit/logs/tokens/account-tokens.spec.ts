/** The tokens of an account that ends, found also where read models stand still, and those that come while it ends. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { publicOf } from '../../../../src/accounts/access-control.js';
import { Accounts } from '../../../../src/accounts/accounts.js';
import { PasswordStrength } from '../../../../src/accounts/password-strength.js';
import { Passwords } from '../../../../src/accounts/passwords.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import { AGGREGATES, type CommandContext } from '../../../../src/foundation/aggregates/aggregate.js';
import { AuditTrail } from '../../../../src/foundation/operational/audit-trail.js';
import type { ReadModels } from '../../../../src/foundation/projections/read-models.js';
import { AccountTokens } from '../../../../src/logs/tokens/account-tokens.js';
import { IssueToken } from '../../../../src/logs/tokens/token.commands.js';
import { TokenHolders } from '../../../../src/logs/tokens/token.handlers.js';
import { storedAccount } from '../../../support/accounts.js';
import { CONTEXT } from '../../../support/contest-world.js';
import { openMemoryCore, outcomeOf } from '../../../support/memory-core.js';
import { openForEach } from '../../../support/open-for-each.js';

const core = openForEach(openMemoryCore);

const by = (accountId: string): CommandContext => ({ ...CONTEXT, actor: 'moderator', accountId });
const issue = async (context: CommandContext): Promise<string> =>
  (await core().execute(new IssueToken({ name: 'T', scopes: ['query'], project: null }, context))).token;
const fateOf = (token: string) => outcomeOf(core().get(TokenHolders, { strict: false }).of(token));

/** Read models that show nothing after the beginning. */
const STANDING: ReadModels = {
  position: 0,
  snapshot: async () => [] as never,
  waitFor: async () => false,
};

const tokensWith = (readModels: ReadModels): AccountTokens =>
  new AccountTokens(
    core().get(AGGREGATES),
    core().store,
    core().operational,
    core().get(StreamNames),
    readModels,
    core().get(CommandBus),
  );

beforeEach(async () => {
  for (const accountId of ['ann', 'bob', 'cy']) {
    const account = storedAccount({ accountId, email: `${accountId}@example.org`, readsLogs: true });
    await core().operational.accounts.create(account);
  }
});

describe('the tokens of an account', () => {
  it('end with it, also those that no read model shows', async () => {
    const [own, ofBob, ofNone] = [await issue(by('ann')), await issue(by('bob')), await issue(CONTEXT)];
    await tokensWith(STANDING).endAllOf('ann', CONTEXT);
    expect(await Promise.all([own, ofBob, ofNone].map(fateOf))).toEqual(['token-revoked', 'done', 'done']);
  });

  it('go on with the account that they were handed over to, and end with that one', async () => {
    const own = await issue(by('ann'));
    const tokens = tokensWith(STANDING);
    await tokens.handOverAllOf('ann', 'bob', CONTEXT);
    await tokens.endAllOf('ann', CONTEXT);
    expect(await fateOf(own)).toBe('done');
    await tokens.handOverAllOf('bob', 'cy', CONTEXT);
    await tokens.endAllOf('bob', CONTEXT);
    expect(await fateOf(own)).toBe('done');
    await tokens.endAllOf('cy', CONTEXT);
    expect(await fateOf(own)).toBe('token-revoked');
  });

  it('end when the account that gets them is gone by then', async () => {
    const own = await issue(by('ann'));
    await core().operational.accounts.erase('bob');
    await tokensWith(STANDING).handOverAllOf('ann', 'bob', CONTEXT);
    expect(await fateOf(own)).toBe('token-revoked');
  });

  it('are no more once its removal has begun', async () => {
    const { operational, get } = core();
    const { accounts } = operational;
    const erase = accounts.erase.bind(accounts);
    const outcomes: string[] = [];
    accounts.erase = async (accountId) => {
      outcomes.push(await outcomeOf(issue(by(accountId))));
      await erase(accountId);
    };
    const strength = new PasswordStrength();
    const parts = [
      new Passwords(),
      strength,
      async () => true,
      tokensWith(STANDING),
      get(AuditTrail),
    ] as const;
    await new Accounts(operational, ...parts).remove(publicOf(storedAccount()), CONTEXT);
    expect(outcomes).toEqual(['account-not-allowed']);
  });

  it('are refused when the account was removed while one was issued', async () => {
    await core().operational.accounts.erase('ann');
    expect(await outcomeOf(issue(by('ann')))).toBe('account-not-allowed');
    const issued = core().store.log.filter(({ type }) => type.startsWith('AccessToken'));
    expect(issued.map(({ type }) => type)).toEqual(['AccessTokenIssued', 'AccessTokenRevoked']);
  });
});
