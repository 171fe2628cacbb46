/** `podium filters`: filters of LQL that queries name as `saved:NAME`. */
import type { Command } from 'commander';
import { addListCommand } from '../common-commands.js';
import { inSession, type Session } from '../session.js';

const OPERATOR = { kind: 'operator' } as const;

const filtersOf = async ({ app }: Session) =>
  app.get((await import('../../logs/saved-filters/saved-filters.js')).SavedFilters);

interface OfProject {
  readonly project?: string;
}

export const filtersCommands = (program: Command): void => {
  const filters = program
    .command('filters')
    .description('Filters of LQL that queries, tails, alerts and drains name as saved:NAME.');
  addListCommand(filters, {
    description: 'List the saved filters.',
    example: 'podium filters list',
    read: async (session) => (await filtersOf(session)).list(OPERATOR),
    columns: { name: 'name', project: 'project', lql: 'lql' },
  });
  filters
    .command('save')
    .description('Save a filter, or replace the one with this name.')
    .argument('<name>')
    .argument('<lql>', 'filters of LQL, without a table, columns and aggregates')
    .option('--project <project>', 'only for queries of this project')
    .addHelpText('after', "\nExample:\n  podium filters save failed 'm.response.status_code:>=500'")
    .action(
      inSession(async (session: Session, name: string, lql: string, { project }: OfProject) => {
        const filter = { name, project: project ?? null, lql: lql.trim() };
        const saved = await (await filtersOf(session)).save(filter, OPERATOR);
        session.out.answer(saved, `saved:${name} stands for ${saved.lql}`);
      }),
    );
  filters
    .command('remove')
    .description('Remove a saved filter. What names it is refused from then on.')
    .argument('<name>')
    .option('--project <project>', 'that of this project')
    .addHelpText('after', '\nExample:\n  podium filters remove failed')
    .action(
      inSession(async (session: Session, name: string, { project }: OfProject) => {
        await (await filtersOf(session)).remove(name, project ?? null, OPERATOR);
        session.out.answer({ name, state: 'removed' }, `filter ${name} is removed`);
      }),
    );
};
