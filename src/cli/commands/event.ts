/** `podium event`: the catalogue of a space. */
import type { Command } from 'commander';
import { ROUND_FORMATS, type RoundFormat, VALUE_FORMATS, type ValueFormat } from '../../domain/attempts.js';
import { oneOf, positiveInteger, wholeNumber } from '../arguments.js';
import { addListCommand } from '../common-commands.js';
import { CliError } from '../refusals.js';
import { inSession } from '../session.js';

interface EventOptions {
  readonly name?: string;
  readonly category?: string;
  readonly rank?: number;
  readonly format?: ValueFormat;
  readonly roundFormat?: RoundFormat;
  readonly participants?: number;
  readonly description?: string;
}

export const eventCommands = (program: Command): void => {
  const event = program.command('event').description('The catalogue of events, such as 3x3x3 Cube.');
  listCommand(event);
  defineCommand(event);
};

const listCommand = (event: Command): void =>
  addListCommand(event, {
    description: 'List the events in display order.',
    example: 'podium event list --space club',
    read: async ({ ask, spaceId }) =>
      ask(new (await import('../../competition/spaces/space.queries.js')).ListEvents(spaceId)),
    columns: {
      event: 'eventId',
      name: 'name',
      category: 'category',
      values: 'format',
      rounds: 'defaultRoundFormat',
      persons: 'participants',
    },
  });

const defineCommand = (event: Command): void => {
  event
    .command('define')
    .description('Add an event, or change the given fields of an existing one.')
    .argument('<id>', 'letters, digits, _ and -')
    .option('--name <name>')
    .option('--category <heading>', 'a heading for display (default: unofficial)')
    .option('--rank <n>', 'its place in the display order', wholeNumber)
    .option('--format <values>', 'time, number or multi (default: time)', oneOf(VALUE_FORMATS))
    .option('--round-format <format>', '1, 2, 3, 5, m or a (default: a)', oneOf(ROUND_FORMATS))
    .option('--participants <n>', 'team size (default: 1)', positiveInteger)
    .option('--description <text>')
    .addHelpText(
      'after',
      '\nExample:\n  podium event define 333_team_bld --name "3x3x3 Team-Blind" --round-format 3 --participants 2',
    )
    .action(
      inSession(async ({ run, ask, spaceId, context, out }, eventId: string, options: EventOptions) => {
        const { ListEvents } = await import('../../competition/spaces/space.queries.js');
        const { DefineEvent } = await import('../../competition/aggregates/space/space.commands.js');
        const events = await ask(new ListEvents(spaceId));
        const before = events.find((known) => known.eventId === eventId);
        const name = options.name ?? before?.name;
        if (name === undefined) throw new CliError('a new event needs a --name');
        const definition = {
          eventId,
          name,
          category: options.category ?? before?.category ?? 'unofficial',
          rank: options.rank ?? before?.rank ?? Math.max(0, ...events.map(({ rank }) => rank)) + 10,
          format: options.format ?? before?.format ?? ('time' as const),
          defaultRoundFormat: options.roundFormat ?? before?.defaultRoundFormat ?? ('a' as const),
          participants: options.participants ?? before?.participants ?? 1,
          description: options.description ?? before?.description ?? null,
        };
        await run(new DefineEvent(spaceId, definition, context));
        out.answer(definition, `${eventId} is ${before ? 'changed' : 'in the catalogue'}`);
      }),
    );
};
