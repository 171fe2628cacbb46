/** `podium event-store-user`: lets an EventStoreDB know the user that the nodes are. */
import { type Command, Option } from 'commander';
import { Output } from '../output.js';
import { CliError } from '../refusals.js';
import { globalOptions } from '../session.js';
import { wiringOf } from '../wiring.js';

export const eventStoreUserCommand = (program: Command): void => {
  program
    .command('event-store-user')
    .description('Create the user of EVENT_STORE_URL in the EventStoreDB, and grant it what the nodes need.')
    .addOption(new Option('--admin <name>', 'an administrator of the server').default('admin'))
    .option('--alone', 'let no other user use streams that have no access list of their own')
    .addHelpText(
      'after',
      `
The administrator's password comes from EVENT_STORE_ADMIN_PASSWORD, so that no list of processes shows it. The user may then
read $all, which only administrators may by default. --alone is for a server that only Podium uses: it changes the
default access list of the whole server. Run again, the command gives the user the password of EVENT_STORE_URL, and changes nothing else.

Example:
  EVENT_STORE_URL=esdb://podium:SECRET@events:2113 EVENT_STORE_ADMIN_PASSWORD=OTHER podium event-store-user --alone`,
    )
    .action(async ({ admin, alone = false }: UserOptions, command: Command) => {
      const { loadConfig } = await import('../../foundation/config.js');
      const { eventStoreUrl } = loadConfig(process.env);
      if (!eventStoreUrl.startsWith('esdb')) throw new CliError('EVENT_STORE_URL names no EventStoreDB');
      const password = process.env.EVENT_STORE_ADMIN_PASSWORD ?? '';
      if (password === '') throw new CliError('EVENT_STORE_ADMIN_PASSWORD is missing');
      const granted = await wiringOf(command).grantEventStore(eventStoreUrl, {
        admin: { username: admin, password },
        isAlone: alone,
      });
      const { user, created } = granted;
      new Output(globalOptions(command).json).answer(
        granted,
        `${created ? 'created' : 'gave a password to'} ${user}, which may read $all` +
          `${alone ? '; only it and administrators may use streams without an access list' : ''}`,
      );
    });
};

interface UserOptions {
  readonly admin: string;
  readonly alone?: boolean;
}
