/** `podium keys`: the API keys that let devices enter attempts into one contest. */
import type { Command } from 'commander';
import { addRevokeCommand } from '../common-commands.js';
import { inSession } from '../session.js';

export const keysCommands = (program: Command): void => {
  const keys = program.command('keys').description('API keys: each lets one device enter into one contest.');
  issueCommand(keys);
  listCommand(keys);
  addRevokeCommand(keys, {
    kind: 'key',
    example: '4f9k2mq7',
    revoke: async (keyId, context) =>
      new (await import('../../competition/keys/key.commands.js')).RevokeKey(keyId, context),
  });
};

const issueCommand = (keys: Command): void => {
  keys
    .command('issue')
    .description('Issue a key. It is shown only once; the store keeps its hash.')
    .requiredOption('--contest <id>')
    .requiredOption('--device <name>', 'a name for the device that gets it')
    .addHelpText(
      'after',
      `
Examples:
  podium keys issue --contest SpringOpen2026 --device "Timer 1"
  KEY=$(podium keys issue --contest SpringOpen2026 --device Timer1 --json | jq -r .key)`,
    )
    .action(
      inSession(async ({ run, contest, context, out }, options: { contest: string; device: string }) => {
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
    .action(
      inSession(async ({ ask, contest, out }, options: { contest: string }) => {
        const { ListKeys } = await import('../../competition/keys/key.queries.js');
        const views = await ask(new ListKeys(contest(options.contest)));
        out.list(views, {
          key: 'keyId',
          device: 'device',
          state: 'state',
          issued: 'issuedAt',
          'last used': 'lastUsedAt',
          accepted: 'accepted',
          refused: 'refused',
        });
      }),
    );
};
