/** `podium keys`: the API keys that let devices enter attempts into one contest. */
import type { Command } from 'commander';
import { table } from '../output.js';
import { withSession } from '../session.js';

export const keysCommands = (program: Command): void => {
  const keys = program.command('keys').description('API keys: each lets one device enter into one contest.');
  issueCommand(keys);
  listCommand(keys);
  revokeCommand(keys);
};

const issueCommand = (keys: Command): void => {
  keys
    .command('issue')
    .description('Make a key. It is shown this once; the store keeps only its hash.')
    .requiredOption('--contest <id>')
    .requiredOption('--device <name>', 'what you call the device that gets it')
    .addHelpText(
      'after',
      `
Examples:
  podium keys issue --contest SpringOpen2026 --device "Timer 1"
  KEY=$(podium keys issue --contest SpringOpen2026 --device Timer1 --json | jq -r .key)`,
    )
    .action(async (options: { contest: string; device: string }, command: Command) =>
      withSession(command, async ({ run, contest, context, out }) => {
        const { IssueKey } = await import('../../competition/keys/key.commands.js');
        const { key, keyId } = await run(new IssueKey(contest(options.contest), options.device, context));
        if (!out.json) out.note(`for ${options.device}, shown this once (key ${keyId}):`);
        out.answer({ key, keyId, competitionId: options.contest, device: options.device }, key);
      }),
    );
};

const listCommand = (keys: Command): void => {
  keys
    .command('list')
    .description('List the keys of a contest, with their last use.')
    .requiredOption('--contest <id>')
    .addHelpText('after', '\nExample:\n  podium keys list --contest SpringOpen2026')
    .action(async (options: { contest: string }, command: Command) =>
      withSession(command, async ({ ask, contest, out }) => {
        const { ListKeys } = await import('../../competition/keys/key.queries.js');
        const views = await ask(new ListKeys(contest(options.contest)));
        out.answer(views, () =>
          table(
            ['key', 'device', 'state', 'issued', 'last used', 'accepted', 'refused'],
            views.map((view) => [
              view.keyId,
              view.device,
              view.state,
              view.issuedAt,
              view.lastUsedAt,
              view.accepted,
              view.refused,
            ]),
          ),
        );
      }),
    );
};

const revokeCommand = (keys: Command): void => {
  keys
    .command('revoke')
    .description('End one key, at once and for good.')
    .argument('<keyId>', 'as `podium keys list` shows it')
    .addHelpText('after', '\nExample:\n  podium keys revoke 4f9k2mq7')
    .action(async (keyId: string, _options: object, command: Command) =>
      withSession(command, async ({ run, context, out }) => {
        const { RevokeKey } = await import('../../competition/keys/key.commands.js');
        await run(new RevokeKey(keyId, context));
        out.answer({ keyId, state: 'revoked' }, `key ${keyId} is revoked`);
      }),
    );
};
