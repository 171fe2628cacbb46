/** `podium users`: accounts of the dashboard and their rights. */
import type { Command } from 'commander';
import type { Accounts } from '../../accounts/accounts.js';
import { type Account, ROLES, type Role } from '../../foundation/operational/account.js';
import { oneOf, repeated } from '../arguments.js';
import { addListCommand } from '../common-commands.js';
import { keyValueLines } from '../output.js';
import { inSession, type Session } from '../session.js';

export const usersCommands = (program: Command): void => {
  const users = program.command('users').description('Accounts for the dashboard.');
  const commands = [
    createCommand,
    listCommand,
    editCommand,
    passwordCommand,
    resetFactorsCommand,
    removeCommand,
  ];
  for (const add of commands) add(users);
};

interface Rights {
  readonly role?: Role;
  readonly contest?: readonly string[];
  readonly logs?: boolean;
  readonly tokens?: boolean;
}

const contestOption = [
  '--contest <id>',
  'a contest that a moderator may run; may be repeated',
  repeated((text: string) => text),
] as const;
const stdinOption = ['--password-stdin', 'read the password from stdin, one line'] as const;
const userArgument = ['<user>', 'email or account id'] as const;

const createCommand = (users: Command): void => {
  users
    .command('create')
    .description('Create an account. It prompts for the password on the terminal.')
    .requiredOption('--email <email>', 'the email to sign in with')
    .requiredOption('--name <name>')
    .option('--role <role>', 'admin (all of the space) or moderator (contests)', oneOf(ROLES), 'moderator')
    .option(...contestOption)
    .option('--logs', 'may read the logs, and manage endpoints')
    .option('--tokens', 'may manage access tokens; only with --logs')
    .option(...stdinOption)
    .option(
      '--one-time',
      'create a password that is shown only once and must be changed at the first sign-in',
    )
    .addHelpText(
      'after',
      `
Examples:
  podium users create --email aoife@example.org --name "Aoife Byrne" --role admin --logs --tokens
  podium users create --email cy@example.org --name Cy --contest SpringOpen2026 --one-time`,
    )
    .action(
      inSession(async (session, options: CreateOptions) => {
        const { email, name, role = 'moderator', contest = [], logs = false, tokens = false } = options;
        const password = options.oneTime ? null : await passwordFor(options);
        const accounts = await accountsOf(session);
        const { spaceId, out } = session;
        const created = await accounts.create(
          { spaceId, email, name, role, contests: contest, readsLogs: logs, managesTokens: tokens },
          password,
          session.context,
        );
        if (created.password !== null && !out.json) {
          out.note(
            `${email} may sign in with this password, which is shown only once and ends after 24 hours:`,
          );
          out.answer(created, created.password);
        } else out.answer(created, `${email} may sign in (${role}, account ${created.account.accountId})`);
      }),
    );
};

interface CreateOptions extends Rights {
  readonly email: string;
  readonly name: string;
  readonly passwordStdin?: boolean;
  readonly oneTime?: boolean;
}

const listCommand = (users: Command): void =>
  addListCommand(users, {
    description: 'List the accounts of the space.',
    example: 'podium users list',
    read: async (session) => (await accountsOf(session)).list(session.spaceId),
    columns: {
      email: 'email',
      name: 'name',
      role: 'role',
      contests: contestsText,
      logs: logsText,
      tokens: tokensText,
      factors: ({ factors }) => factors.join(', ') || null,
      account: 'accountId',
    },
  });

const editCommand = (users: Command): void => {
  users
    .command('edit')
    .description('Change the given fields of an account, keep the rest.')
    .argument(...userArgument)
    .option('--email <email>')
    .option('--name <name>')
    .option('--role <role>', 'admin or moderator', oneOf(ROLES))
    .option(
      '--contest <id>',
      'replace the contests; may be repeated',
      repeated((text: string) => text),
    )
    .option('--no-contests', 'remove all contests')
    .option('--logs', 'may read the logs')
    .option('--no-logs', 'may not read the logs')
    .option('--tokens', 'may manage access tokens')
    .option('--no-tokens', 'may not manage access tokens')
    .addHelpText('after', '\nExample:\n  podium users edit cy@example.org --contest SpringOpen2026 --no-logs')
    .action(
      inSession(async (session, user: string, options: EditOptions) => {
        const { email, name, role, contest, contests, logs, tokens } = options;
        const { accounts, account } = await findAccount(session, user);
        const given = contest ?? (contests === false ? [] : undefined);
        const edit = {
          ...(email !== undefined && { email }),
          ...(name !== undefined && { name }),
          ...(role !== undefined && { role }),
          ...(given !== undefined && { contests: given }),
          ...(logs !== undefined && { readsLogs: logs }),
          ...(tokens !== undefined && { managesTokens: tokens }),
        };
        const changed = await accounts.edit(account, edit, session.context);
        session.out.answer(changed, () => factsOf(changed));
      }),
    );
};

interface EditOptions extends Rights {
  readonly email?: string;
  readonly name?: string;
  readonly contests?: boolean;
}

const passwordCommand = (users: Command): void => {
  users
    .command('password')
    .description('Give an account a new password, which signs it out everywhere.')
    .argument(...userArgument)
    .option(...stdinOption)
    .option('--one-time', 'create one that is shown only once and must be changed at the next sign-in')
    .addHelpText('after', '\nExample:\n  podium users password aoife@example.org --one-time')
    .action(
      inSession(
        async (
          session,
          user: string,
          options: { readonly passwordStdin?: boolean; readonly oneTime?: boolean },
        ) => {
          const { accounts, account } = await findAccount(session, user);
          const { accountId, email } = account;
          if (options.oneTime) {
            const password = await accounts.resetPassword(account, session.context);
            session.out.answer({ accountId, password }, password);
            return;
          }
          await accounts.setPassword(account, await passwordFor(options), session.context);
          session.out.answer({ accountId }, `${email} has a new password`);
        },
      ),
    );
};

const resetFactorsCommand = (users: Command): void => {
  users
    .command('reset-factors')
    .description(
      'Remove the passkeys, authenticator app and recovery codes of an account, which signs it out everywhere.',
    )
    .argument(...userArgument)
    .addHelpText('after', '\nExample:\n  podium users reset-factors aoife@example.org')
    .action(
      inSession(async (session, user: string) => {
        const { account } = await findAccount(session, user);
        const { accountId, email } = account;
        const { AccountFactors } = await import('../../accounts/factors/account-factors.js');
        await session.app.get(AccountFactors).reset(accountId, session.context);
        session.out.answer({ accountId }, `${email} signs in with the password alone`);
      }),
    );
};

const removeCommand = (users: Command): void => {
  users
    .command('remove')
    .description(
      'Remove an account with its email and name, and revoke its access tokens. Events keep only its id.',
    )
    .argument(...userArgument)
    .option('--hand-tokens-to <user>', 'give its access tokens to this account instead of revoking them')
    .addHelpText(
      'after',
      `
Examples:
  podium users remove cy@example.org
  podium users remove cy@example.org --hand-tokens-to aoife@example.org`,
    )
    .action(
      inSession(async (session, user: string, { handTokensTo }: { readonly handTokensTo?: string }) => {
        const { accounts, account } = await findAccount(session, user);
        const heir = handTokensTo === undefined ? null : await accounts.find(session.spaceId, handTokensTo);
        await accounts.remove(account, session.context, heir);
        const { accountId } = account;
        session.out.answer({ accountId, removed: true }, `account ${accountId} is removed`);
      }),
    );
};

const accountsOf = async ({ app }: Session): Promise<Accounts> => {
  const { Accounts } = await import('../../accounts/accounts.js');
  return app.get(Accounts);
};

const findAccount = async (
  session: Session,
  user: string,
): Promise<{ readonly accounts: Accounts; readonly account: Account }> => {
  const accounts = await accountsOf(session);
  return { accounts, account: await accounts.find(session.spaceId, user) };
};

const passwordFor = async ({
  passwordStdin = false,
}: {
  readonly passwordStdin?: boolean;
}): Promise<string> => {
  const { readPassword } = await import('../password-input.js');
  return readPassword({ fromStdin: passwordStdin });
};

const contestsText = ({ role, contests }: Account): string | null =>
  role === 'admin' ? 'all' : contests.join(', ') || null;
const logsText = ({ readsLogs }: Account): string => (readsLogs ? 'yes' : 'no');
const tokensText = ({ managesTokens }: Account): string => (managesTokens ? 'yes' : 'no');

const factsOf = (account: Account): string =>
  keyValueLines([
    ['account', account.accountId],
    ['email', account.email],
    ['name', account.name],
    ['role', account.role],
    ['contests', contestsText(account)],
    ['logs', logsText(account)],
    ['tokens', tokensText(account)],
  ]);
