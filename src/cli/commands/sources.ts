/** `podium sources`: what takes log entries, each with a table of its own. */
import type { Command } from 'commander';
import { oneOf } from '../arguments.js';
import { addListCommand } from '../common-commands.js';
import { inSession } from '../session.js';

export const sourcesCommands = (program: Command): void => {
  const sources = program
    .command('sources')
    .description('What takes log entries, each with a table of its own.');
  addListCommand(sources, {
    description: 'List the sources, and the ready choices that can be added.',
    example: 'podium sources list',
    read: async ({ ask }) => ask(new (await import('../../logs/sources/source.queries.js')).ListSources()),
    columns: {
      name: 'name',
      state: 'state',
      'project in': 'projectField',
      'in logs.all': 'inLogsAll',
      description: 'description',
    },
  });
  createCommand(sources);
};

const createCommand = (sources: Command): void => {
  sources
    .command('create')
    .description('Add a source of your own, for good.')
    .argument('<name>', 'a lower-case letter, then lower-case letters, digits and underscores')
    .option('--in <endpoint>', 'the endpoint that gets a table for it: logs.all', oneOf(['logs.all']))
    .addHelpText(
      'after',
      `
It takes entries at once, of all projects; their project column says whose they are. It cannot be renamed or removed. A source that
is there stays as it is, so --in can be given later. Ready choices, whose fields are known before the first entry:
auth_audit_logs, supavisor_logs, pg_upgrade_logs, etl_replication_logs.

Examples:
  podium sources create audit_logs
  podium sources create supavisor_logs --in logs.all`,
    )
    .action(
      inSession(
        async ({ run, context, out }, name: string, { in: endpoint }: { readonly in?: 'logs.all' }) => {
          const { CreateSource } = await import('../../logs/sources/source.commands.js');
          const { source, isNew } = await run(new CreateSource(name, endpoint === 'logs.all', context));
          const place = source.inLogsAll ? ', also in logs.all' : '';
          out.answer(source, `source ${name} ${isNew ? 'takes entries' : 'was there already'}${place}`);
        },
      ),
    );
};
