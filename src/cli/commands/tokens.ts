/** `podium tokens`: the access tokens that let programs write logs, query endpoints, or manage them. */
import type { Command } from 'commander';
import { repeated } from '../arguments.js';
import { table } from '../output.js';
import { withSession } from '../session.js';

export const tokensCommands = (program: Command): void => {
  const tokens = program
    .command('tokens')
    .description('Access tokens: each lets one program write logs or query endpoints.');
  issueCommand(tokens);
  listCommand(tokens);
  revokeCommand(tokens);
};

interface IssueOptions {
  readonly scope: readonly string[];
  readonly project?: string;
  readonly name: string;
}

const issueCommand = (tokens: Command): void => {
  tokens
    .command('issue')
    .description('Make a token. It is shown this once; the store keeps only its hash.')
    .requiredOption(
      '--scope <scope>',
      'ingest, query, query:<endpoint id or name>, admin; may be repeated',
      repeated((text) => text),
    )
    .option('--project <project>', 'the only project that it reads and writes; all without it')
    .option('--name <name>', 'what you call whoever gets it', 'token')
    .addHelpText(
      'after',
      `
Examples:
  podium tokens issue --scope query --project abcdefghij --name "Dashboard"
  TOKEN=$(podium tokens issue --scope ingest --scope query:logs.all --json | jq -r .token)`,
    )
    .action(async ({ name, scope, ...tied }: IssueOptions, command: Command) =>
      withSession(command, async ({ run, context, out }) => {
        const { IssueToken } = await import('../../logs/tokens/token.commands.js');
        const project = tied.project ?? null;
        const issued = await run(new IssueToken({ name, scopes: scope, project }, context));
        const { token, tokenId, scopes } = issued;
        if (!out.json) out.note(`for ${name}, shown this once (token ${tokenId}, ${scopes.join(', ')}):`);
        out.answer({ token, tokenId, name, scopes, project }, token);
      }),
    );
};

const listCommand = (tokens: Command): void => {
  tokens
    .command('list')
    .description('List the tokens, with their last use.')
    .addHelpText('after', '\nExample:\n  podium tokens list')
    .action(async (_options: object, command: Command) =>
      withSession(command, async ({ ask, out }) => {
        const { ListTokens } = await import('../../logs/tokens/token.queries.js');
        const views = await ask(new ListTokens());
        out.answer(views, () =>
          table(
            ['token', 'name', 'scopes', 'project', 'state', 'issued', 'last used'],
            views.map((view) => [
              view.tokenId,
              view.name,
              view.scopes.join(' '),
              view.project,
              view.state,
              view.issuedAt,
              view.lastUsedAt,
            ]),
          ),
        );
      }),
    );
};

const revokeCommand = (tokens: Command): void => {
  tokens
    .command('revoke')
    .description('End one token, at once and for good.')
    .argument('<tokenId>', 'as `podium tokens list` shows it')
    .addHelpText('after', '\nExample:\n  podium tokens revoke 4f9k2mq7x01b')
    .action(async (tokenId: string, _options: object, command: Command) =>
      withSession(command, async ({ run, context, out }) => {
        const { RevokeToken } = await import('../../logs/tokens/token.commands.js');
        await run(new RevokeToken(tokenId, context));
        out.answer({ tokenId, state: 'revoked' }, `token ${tokenId} is revoked`);
      }),
    );
};
