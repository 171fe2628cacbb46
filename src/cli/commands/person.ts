/** `podium person`: persons of a space: registration, regions, merging, erasure. */
import type { Command } from 'commander';
import type { RegionPeriod } from '../../competition/aggregates/person/person.events.js';
import { calendarDate, positiveInteger, region, timeline } from '../arguments.js';
import { keyValueLines } from '../output.js';
import { CliError } from '../refusals.js';
import { inReadingSession, inSession } from '../session.js';

interface ProfileOptions {
  readonly name?: string;
  readonly localizedName?: string;
  readonly assocId?: string;
}

interface RegionOptions {
  readonly region?: string | null;
  readonly timeline?: readonly RegionPeriod[];
}

export const personCommands = (program: Command): void => {
  const person = program.command('person').description('Persons: their names, association ids and regions.');
  for (const add of [
    addCommand,
    editCommand,
    moveCommand,
    correctCommand,
    mergeCommand,
    eraseCommand,
    showCommand,
    searchCommand,
  ])
    add(person);
};

const withRegions = (command: Command): Command =>
  command
    .option('--region <code>', 'the country from the beginning, such as IE, or none', region)
    .option('--timeline <periods>', 'several countries in turn, such as IE,2020-05-01:GB', timeline);

const timelineOf = (options: RegionOptions): readonly RegionPeriod[] => {
  if (options.region !== undefined && options.timeline !== undefined) {
    throw new CliError('give --region or --timeline, not both');
  }
  if (options.timeline !== undefined) return options.timeline;
  return options.region == null ? [] : [{ from: null, regionCode: options.region }];
};

const addCommand = (person: Command): void => {
  withRegions(person.command('add'))
    .description('Add a person to the space, and print the id.')
    .requiredOption('--name <name>')
    .option('--localized-name <name>', "in the person's own script")
    .option('--assoc-id <id>', "the association's id, such as 2016ABCD01")
    .addHelpText(
      'after',
      '\nExample:\n  podium person add --name "Aoife Byrne" --region IE --assoc-id 2016BYRN01',
    )
    .action(
      inSession(
        async (
          { run, spaceId, context, out },
          options: ProfileOptions & RegionOptions & { name: string },
        ) => {
          const { RegisterPerson } = await import('../../competition/persons/person.commands.js');
          const { personId } = await run(
            new RegisterPerson(
              {
                spaceId,
                name: options.name,
                localizedName: options.localizedName ?? null,
                assocId: options.assocId ?? null,
                timeline: timelineOf(options),
              },
              context,
            ),
          );
          out.answer({ personId }, `${options.name} is person ${personId}`);
        },
      ),
    );
};

const ofPerson = (command: Command): Command => command.argument('<id>', "the person's id", positiveInteger);

const editCommand = (person: Command): void => {
  ofPerson(person.command('edit'))
    .description('Change the given fields, keep the rest. An empty text removes a field.')
    .option('--name <name>')
    .option('--localized-name <name>')
    .option('--assoc-id <id>')
    .addHelpText('after', '\nExample:\n  podium person edit 7 --name "Aoife Ní Bhroin"')
    .action(
      inSession(async ({ run, context, out }, personId: number, options: ProfileOptions) => {
        const { EditPerson } = await import('../../competition/persons/person.commands.js');
        const { name, localizedName, assocId } = options;
        const change = {
          ...(name === undefined ? {} : { name }),
          ...(localizedName === undefined ? {} : { localizedName: localizedName || null }),
          ...(assocId === undefined ? {} : { assocId: assocId || null }),
        };
        await run(new EditPerson(personId, change, context));
        out.answer({ personId, changed: Object.keys(change) }, `person ${personId} is changed`);
      }),
    );
};

const moveCommand = (person: Command): void => {
  ofPerson(person.command('move'))
    .description('Set another country from a day on. Older results keep theirs.')
    .requiredOption('--from <date>', 'YYYY-MM-DD', calendarDate)
    .requiredOption('--region <code>', 'such as GB, or none', region)
    .addHelpText('after', '\nExample:\n  podium person move 7 --from 2026-01-01 --region GB')
    .action(
      inSession(
        async ({ run, context, out }, personId: number, options: { from: string; region: string | null }) => {
          const { MovePerson } = await import('../../competition/persons/person.commands.js');
          await run(new MovePerson(personId, options.from, options.region, context));
          out.answer(
            { personId, from: options.from, regionCode: options.region },
            `person ${personId} represents ${options.region ?? 'no country'} from ${options.from} on`,
          );
        },
      ),
    );
};

const correctCommand = (person: Command): void => {
  withRegions(ofPerson(person.command('correct-region')))
    .description('Correct wrong regions, for old results as well.')
    .addHelpText('after', '\nExample:\n  podium person correct-region 7 --timeline IE,2020-05-01:GB')
    .action(
      inSession(async ({ run, context, out }, personId: number, options: RegionOptions) => {
        if (options.region === undefined && options.timeline === undefined) {
          throw new CliError('give --region or --timeline');
        }
        const { CorrectRegion } = await import('../../competition/persons/person.commands.js');
        const corrected = timelineOf(options);
        await run(new CorrectRegion(personId, corrected, context));
        out.answer({ personId, timeline: corrected }, `the regions of person ${personId} are corrected`);
      }),
    );
};

const mergeCommand = (person: Command): void => {
  person
    .command('merge')
    .description(
      'Merge two records of one person: the first becomes an alias of the second. This cannot be undone.',
    )
    .argument('<from>', 'the id that becomes an alias', positiveInteger)
    .argument('<into>', 'the id that stays', positiveInteger)
    .addHelpText('after', '\nExample:\n  podium person merge 12 7')
    .action(
      inSession(async ({ run, context, out }, from: number, into: number) => {
        const { MergePersons } = await import('../../competition/persons/person.commands.js');
        // Another one than `into` where that one was merged meanwhile.
        const { personId } = await run(new MergePersons(from, into, context));
        out.answer({ personId, merged: from }, `person ${from} is merged into ${personId}`);
      }),
    );
};

const eraseCommand = (person: Command): void => {
  ofPerson(person.command('erase'))
    .description('Remove name and association id for good. Results stay under the id.')
    .addHelpText('after', '\nExample:\n  podium person erase 7')
    .action(
      inSession(async ({ run, context, out }, personId: number) => {
        const { ErasePerson } = await import('../../competition/persons/person.commands.js');
        await run(new ErasePerson(personId, context));
        out.answer({ personId, erased: true }, `the profile of person ${personId} is erased`);
      }),
    );
};

const showCommand = (person: Command): void => {
  ofPerson(person.command('show'))
    .description('Print a person with the timeline of regions and merged ids.')
    .addHelpText('after', '\nExample:\n  podium person show 7')
    .action(
      inReadingSession(async ({ ask, out }, personId: number) => {
        const { GetPerson } = await import('../../competition/persons/person.queries.js');
        const view = await ask(new GetPerson(personId));
        out.answer(view, () =>
          keyValueLines([
            ['person', view.id],
            ['space', view.spaceId],
            ['name', view.name],
            ['localized', view.localizedName],
            ['assoc id', view.assocId],
            ['region', view.regionCode],
            [
              'timeline',
              view.timeline
                .map(({ from, regionCode }) => `${from ?? 'always'}: ${regionCode ?? 'none'}`)
                .join(', '),
            ],
            ['merged ids', view.aliases.join(', ')],
          ]),
        );
      }),
    );
};

const searchCommand = (person: Command): void => {
  person
    .command('search')
    .description(
      'Find persons by a part of their name or association id, or by their id. Without a text, list all.',
    )
    .argument('[text]', '', '')
    .option('--limit <n>', 'maximum number of persons', positiveInteger, 100)
    .option('--after <id>', 'continue after this person', positiveInteger)
    .addHelpText('after', '\nExample:\n  podium person search byrne --json')
    .action(
      inReadingSession(
        async ({ ask, spaceId, out }, text: string, options: { limit: number; after?: number }) => {
          const { SearchPersons } = await import('../../competition/persons/person.queries.js');
          const page = {
            limit: options.limit,
            ...(options.after === undefined ? {} : { after: options.after }),
          };
          const { items: persons } = await ask(new SearchPersons(spaceId, text, page));
          out.list(persons, {
            id: 'id',
            name: 'name',
            localized: 'localizedName',
            region: 'regionCode',
            'assoc id': 'assocId',
          });
        },
      ),
    );
};
