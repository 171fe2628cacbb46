/** `podium references`: the records of the world outside a space, which its results are held against. */
import { type Command, Option } from 'commander';
import type { ReferencesSource } from '../../competition/references/reference-file.js';
import type { ReferenceCounts } from '../../competition/references/references.commands.js';
import { addListCommand } from '../common-commands.js';
import { readGiven } from '../given-files.js';
import { CliError } from '../refusals.js';
import { inReadingSession, inSession } from '../session.js';

export const referencesCommands = (program: Command): void => {
  const references = program
    .command('references')
    .description(
      'The reference records of a space: records from elsewhere that a result has to equal or beat to be a record.',
    );
  addListCommand(references, {
    description: 'List the reference records.',
    example: 'podium references list',
    read: async ({ ask, spaceId }) => {
      const { ListReferences } = await import('../../competition/references/references.commands.js');
      return ask(new ListReferences(spaceId));
    },
    columns: {
      event: 'eventId',
      kind: 'kind',
      category: 'category',
      region: ({ region }) => region ?? 'World',
      value: 'value',
      since: 'since',
      who: 'who',
    },
  });
  importCommand(references);
  exportCommand(references);
};

const importCommand = (references: Command): void => {
  references
    .command('import')
    .description('Replace the reference records by those of a CSV or a JSON file.')
    .argument('<file>', '.csv or .json')
    .option('--check', 'import nothing: print what would change')
    .addHelpText(
      'after',
      `
The CSV has a header with the columns event, kind (single or average), value, since, and any of category (competitions,
meetups, online; default competitions), region (empty: the world), who. Values are written as usual: 3.13, 1:02.50, 25,
11/12 45:32. The JSON is an array of objects with the same fields, where a value may also be the number of the API.

Records that are not in the file are removed. A file with faults is refused with line and column, and the exit status is 1.

Examples:
  podium references import records.csv --check
  podium references import records.json`,
    )
    .action(
      inSession(async (session, file: string, { check }: { readonly check?: boolean }) => {
        const { ask, run, spaceId, context, out } = session;
        const { ImportReferences, PreviewReferences } = await import(
          '../../competition/references/references.commands.js'
        );
        const source = await sourceOf(file);
        const { faults, fingerprint, ...changes } = await ask(new PreviewReferences(spaceId, source));
        if (faults.length > 0) {
          const lines = faults.map(({ line, column, reason }) => {
            const place = [file, line, column].filter((part) => part !== null).join(':');
            return `${place}: ${reason}`;
          });
          throw new CliError([`${file} is not imported:`, ...lines].join('\n'));
        }
        if (!check) await run(new ImportReferences(spaceId, source, fingerprint, context));
        out.answer(changes, countsText(changes));
      }),
    );
};

const countsText = ({ added, changed, removed, same }: ReferenceCounts): string =>
  `${added} added, ${changed} changed, ${removed} removed, ${same} the same`;

const sourceOf = async (file: string): Promise<ReferencesSource> => {
  const format = /\.json$/i.test(file) ? 'json' : 'csv';
  return { format, name: file, bytes: await readGiven(file) };
};

const exportCommand = (references: Command): void => {
  references
    .command('export')
    .description('Print the reference records as a file, which import takes again.')
    .addOption(new Option('--format <format>').choices(['csv', 'json']).default('csv'))
    .option('--out <file>', 'write to this file instead of stdout')
    .addHelpText('after', '\nExample:\n  podium references export --format json --out records.json')
    .action(
      inReadingSession(
        async (
          { ask, spaceId, out },
          options: { readonly format: ReferencesSource['format']; readonly out?: string },
        ) => {
          const { ExportReferences } = await import('../../competition/references/references.commands.js');
          const text = await ask(new ExportReferences(spaceId, options.format));
          await out.save(text, options.out, { of: `the set of the space ${spaceId}`, space: spaceId });
        },
      ),
    );
};
