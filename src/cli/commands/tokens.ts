/** `podium tokens`: the access tokens that let programs write logs, query endpoints, or manage them. */
import type { Command } from 'commander';
import type { TokenMaker } from '../../logs/tokens/token.queries.js';
import { repeated } from '../arguments.js';
import { addListCommand, addRevokeCommand } from '../common-commands.js';
import { inSession } from '../session.js';

export const tokensCommands = (program: Command): void => {
  const tokens = program
    .command('tokens')
    .description('Access tokens: each lets one program write logs or query endpoints.');
  issueCommand(tokens);
  addListCommand(tokens, {
    description: 'List the tokens, with their last use.',
    example: 'podium tokens list',
    read: async ({ ask }) => ask(new (await import('../../logs/tokens/token.queries.js')).ListTokens()),
    columns: {
      token: 'tokenId',
      name: 'name',
      scopes: ({ scopes }) => scopes.join(' '),
      project: 'project',
      state: 'state',
      issued: 'issuedAt',
      by: ({ madeBy }) => accountText(madeBy),
      'handed to': ({ handedTo }) => accountText(handedTo),
      'last used': 'lastUsedAt',
    },
  });
  addRevokeCommand(tokens, {
    kind: 'token',
    example: '4f9k2mq7x01b',
    revoke: async (tokenId, context) =>
      new (await import('../../logs/tokens/token.commands.js')).RevokeToken(tokenId, context),
  });
};

const accountText = (account: TokenMaker | null): string | null =>
  account && (account.name ?? `${account.accountId} (removed)`);

interface IssueOptions {
  readonly scope: readonly string[];
  readonly project?: string;
  readonly name: string;
}

const issueCommand = (tokens: Command): void => {
  tokens
    .command('issue')
    .description('Issue a token. It is shown only once; the store keeps its hash.')
    .requiredOption(
      '--scope <scope>',
      'ingest, query, query:<endpoint id or name>, admin; may be repeated',
      repeated((text) => text),
    )
    .option('--project <project>', 'the only project that it reads and writes (default: all)')
    .option('--name <name>', 'a name for the program that gets it', 'token')
    .addHelpText(
      'after',
      `
Examples:
  podium tokens issue --scope query --project abcdefghij --name "Dashboard"
  TOKEN=$(podium tokens issue --scope ingest --scope query:logs.all --json | jq -r .token)`,
    )
    .action(
      inSession(async ({ run, context, out }, { name, scope, ...tied }: IssueOptions) => {
        const { IssueToken } = await import('../../logs/tokens/token.commands.js');
        const project = tied.project ?? null;
        const issued = await run(new IssueToken({ name, scopes: scope, project }, context));
        const { token, tokenId, scopes } = issued;
        if (!out.json) out.note(`for ${name}, shown this once (token ${tokenId}, ${scopes.join(', ')}):`);
        out.answer({ token, tokenId, name, scopes, project }, token);
      }),
    );
};
