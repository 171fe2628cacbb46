/** `podium space`: spaces, each with its own contests, persons and catalogue of events. */
import type { Command } from 'commander';
import { addListCommand } from '../common-commands.js';
import { inSession } from '../session.js';

export const spaceCommands = (program: Command): void => {
  const space = program
    .command('space')
    .description('Spaces: each has its own contests, persons and catalogue of events.');

  space
    .command('create')
    .description('Create a space with the official events in its catalogue, unless --empty is given.')
    .argument('<slug>', 'lower-case letters, digits and -; part of URLs')
    .option('--name <name>', 'name for display (default: the slug)')
    .option('--empty', 'start with an empty catalogue')
    .addHelpText('after', '\nExample:\n  podium space create club --name "Our Club"')
    .action(
      inSession(async ({ run, context, out }, slug: string, options: { name?: string; empty?: boolean }) => {
        const { CreateSpace } = await import('../../competition/aggregates/space/space.commands.js');
        const { OFFICIAL_EVENTS } = await import('../../competition/spaces/catalogue.js');
        const events = options.empty ? [] : OFFICIAL_EVENTS;
        await run(new CreateSpace(slug, options.name ?? slug, events, context), { space: 'any' });
        out.answer(
          { spaceId: slug, name: options.name ?? slug, events: events.length },
          `${slug} is created, with ${events.length} events`,
        );
      }),
    );

  addListCommand(space, {
    description: 'List the spaces.',
    example: 'podium space list --json',
    read: async ({ ask }) =>
      ask(new (await import('../../competition/spaces/space.queries.js')).ListSpaces()),
    columns: { space: 'spaceId', name: 'name' },
  });
};
