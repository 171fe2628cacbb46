/** `podium keys`: the API keys that let devices enter attempts into one contest, or programs replace its competitor list. */
import { type Command, Option } from 'commander';
import { KEY_PURPOSES, type KeyPurpose } from '../../domain/key-purposes.js';
import { addRevokeCommand } from '../common-commands.js';
import { inReadingSession, inSession } from '../session.js';

export const keysCommands = (program: Command): void => {
  const keys = program
    .command('keys')
    .description('API keys: each is for one device or program in one contest.');
  issueCommand(keys);
  listCommand(keys);
  addRevokeCommand(keys, {
    kind: 'key',
    example: '4f9k2mq7',
    revoke: async (keyId, context) =>
      new (await import('../../competition/keys/key.commands.js')).RevokeKey(keyId, context),
  });
};

interface IssueOptions {
  readonly contest: string;
  readonly device: string;
  readonly for: KeyPurpose;
}

const issueCommand = (keys: Command): void => {
  keys
    .command('issue')
    .description('Issue a key. It is shown only once; the store keeps its hash.')
    .requiredOption('--contest <id>')
    .requiredOption('--device <name>', 'a name for the device or program that gets it')
    .addOption(
      new Option(
        '--for <purpose>',
        'entering results, or replacing the competitor list; neither does the other',
      )
        .choices(KEY_PURPOSES)
        .default('entry'),
    )
    .addHelpText(
      'after',
      `
Examples:
  podium keys issue --contest SpringOpen2026 --device "Timer 1"
  podium keys issue --contest SpringOpen2026 --device "Registration site" --for competitors
  KEY=$(podium keys issue --contest SpringOpen2026 --device Timer1 --json | jq -r .key)`,
    )
    .action(
      inSession(async ({ run, contest, context, out }, options: IssueOptions) => {
        const { IssueKey } = await import('../../competition/keys/key.commands.js');
        const { contest: competitionId, device, for: purpose } = options;
        const { key, keyId } = await run(new IssueKey(contest(competitionId), device, context, purpose));
        if (!out.json) out.note(`for ${device}, shown this once (key ${keyId}):`);
        out.answer({ key, keyId, competitionId, device, purpose }, key);
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
      inReadingSession(async ({ ask, contest, out }, options: { contest: string }) => {
        const { ListKeys } = await import('../../competition/keys/key.queries.js');
        const views = await ask(new ListKeys(contest(options.contest)));
        out.list(views, {
          key: 'keyId',
          device: 'device',
          for: 'purpose',
          state: 'state',
          issued: 'issuedAt',
          'last used': 'lastUsedAt',
          accepted: 'accepted',
          refused: 'refused',
        });
      }),
    );
};
