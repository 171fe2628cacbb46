/** `podium drains`: log entries that are sent on as they arrive. */
import type { Command } from 'commander';
import type { DrainView } from '../../logs/drains/drain-view.js';
import type { Drains } from '../../logs/drains/drains.js';
import { oneOf, positiveInteger } from '../arguments.js';
import { addListCommand } from '../common-commands.js';
import { CliError } from '../refusals.js';
import { inSession, type Session } from '../session.js';

export const drainsCommands = (program: Command): void => {
  const drains = program
    .command('drains')
    .description('Log entries that are sent on as they arrive: as signed posts, or as Parquet files.');
  listCommand(drains);
  createCommand(drains);
  editCommand(drains);
  for (const action of ACTIONS) actionCommand(drains, action);
};

const OPERATOR = { kind: 'operator' } as const;

const drainsOf = async ({ app }: Session) => app.get((await import('../../logs/drains/drains.js')).Drains);

const targetOf = ({ destination: { kind, url } }: DrainView): string => url ?? kind;

const listCommand = (drains: Command): void =>
  addListCommand(drains, {
    description: 'List the drains with their states.',
    example: 'podium drains list',
    read: async (session) => (await drainsOf(session)).list(OPERATOR),
    columns: {
      name: 'name',
      id: 'id',
      source: 'source',
      project: 'project',
      to: targetOf,
      state: 'state',
      'lag (s)': 'lagSeconds',
      sent: ({ sent }) => sent.entries,
      skipped: 'skipped',
      'too large': 'tooLarge',
      'last error': ({ lastError }) => lastError?.problem ?? null,
    },
  });

interface Options {
  readonly name?: string;
  readonly source?: string;
  readonly project?: string;
  readonly allProjects?: true;
  readonly lql?: string;
  readonly redactPii?: 'on' | 'off';
  readonly batchSeconds?: number;
  readonly url?: string;
  readonly format?: 'json' | 'ndjson';
  readonly s3?: boolean;
}

/** Codec: the body of the API, which its reader checks. Without --url and --s3 it has no destination. */
const bodyOf = ({ url, format, s3 = false, redactPii, allProjects, ...fields }: Options): object => {
  if (s3 && url !== undefined) throw new CliError('a drain has either --url or --s3');
  if (allProjects && fields.project !== undefined)
    throw new CliError('a drain has either --project or --all-projects');
  if (url === undefined && format !== undefined) throw new CliError('--format goes with --url');
  return {
    ...fields,
    ...(allProjects && { project: null }),
    ...(redactPii && { redactPii: redactPii === 'on' }),
    ...(s3 && { destination: { kind: 's3' } }),
    ...(url !== undefined && { destination: { kind: 'http', url, format } }),
  };
};

const withOptions = (command: Command): Command =>
  command
    .option('--project <project>', 'only those of this project')
    .option('--lql <filter>', 'only those that match, without times and aggregates')
    .option('--redact-pii <on|off>', 'redact addresses', oneOf(['on', 'off']))
    .option('--batch-seconds <n>', 'how long an entry waits at most for others of its batch', positiveInteger)
    .option('--url <url>', 'post signed batches to it')
    .option(
      '--format <json|ndjson>',
      'of posts: an array, or a line for each entry',
      oneOf(['json', 'ndjson']),
    )
    .option('--s3', 'write Parquet files into the bucket of PODIUM_S3_URL');

const createCommand = (drains: Command): void => {
  withOptions(drains.command('create'))
    .description('Send on what comes into a source from now on.')
    .argument('<name>')
    .requiredOption('--source <source>', 'whose entries, as `podium sources list` shows it')
    .addHelpText(
      'after',
      `
Examples:
  podium drains create Errors --source postgres_logs --lql 'm.parsed.error_severity:ERROR' --url https://example.com/logs
  podium drains create Archive --source edge_logs --s3`,
    )
    .action(
      inSession(async (session: Session, name: string, options: Options) => {
        if (options.url === undefined && !options.s3) throw new CliError('a drain needs --url or --s3');
        const service = await drainsOf(session);
        const { readNewDrain } = await import('../../logs/drains/drain-body.js');
        const body = bodyOf({ ...options, name });
        const drain = await service.create(readNewDrain(body, await service.rules()), OPERATOR);
        const sends = `drain ${name} sends to ${targetOf(drain)}, as ${drain.id}`;
        session.out.answer(drain, [sends, ...secretLines(drain)].join('\n'));
      }),
    );
};

const secretLines = ({ destination: { secret } }: DrainView): readonly string[] =>
  secret === null ? [] : [`its secret, shown only now: ${secret}`];

const editCommand = (drains: Command): void => {
  withOptions(drains.command('edit').alias('update'))
    .description(
      'Change the given fields of a drain, keep the rest and its progress. It reads with the rights of the operator from then on.',
    )
    .argument('<drain>', 'its id')
    .option('--name <name>', 'its new name')
    .option('--source <source>', 'whose entries, as `podium sources list` shows it')
    .option('--all-projects', 'those of all projects')
    .addHelpText('after', '\nExample:\n  podium drains edit 0b8e9f0c-… --url https://example.com/other')
    .action(
      inSession(async (session: Session, id: string, options: Options) => {
        const service = await drainsOf(session);
        const { readDrainChange } = await import('../../logs/drains/drain-body.js');
        const change = readDrainChange(bodyOf(options), await service.rules());
        const drain = await service.edit(id, change, OPERATOR);
        session.out.answer(drain, [stateOf(drain), ...secretLines(drain)].join('\n'));
      }),
    );
};

const stateOf = (drain: DrainView): string => {
  const { name, state, position, lagSeconds, sent, skipped, tooLarge, lastError } = drain;
  return [
    `drain ${name} to ${targetOf(drain)} is ${state}`,
    `sent: ${sent.entries} entries in ${sent.batches} batches, skipped: ${skipped}, too large: ${tooLarge}`,
    `position ${position}, ${lagSeconds} s behind the logs`,
    ...(lastError === null ? [] : [`last error, at ${lastError.at}: ${lastError.problem}`]),
  ].join('\n');
};

interface Action {
  readonly name: string;
  readonly description: string;
  /** Returns what the command prints as JSON, and as text. */
  readonly run: (drains: Drains, id: string) => Promise<readonly [answer: object, text: string]>;
}

const shown = (drain: DrainView) => [drain, stateOf(drain)] as const;

const ACTIONS: readonly Action[] = [
  {
    name: 'show',
    description: 'Show a drain with its state.',
    run: async (drains, id) => shown(await drains.get(id, OPERATOR)),
  },
  {
    name: 'pause',
    description: 'Pause a drain: it stays where it is.',
    run: async (drains, id) => shown(await drains.pause(id, OPERATOR)),
  },
  {
    name: 'resume',
    description:
      'Resume a drain that is paused or has stopped. It reads with the rights of the operator from then on.',
    run: async (drains, id) => shown(await drains.resume(id, OPERATOR)),
  },
  {
    name: 'test',
    description: 'Send the receiver of a drain an empty batch.',
    run: async (drains, id) => {
      const test = await drains.test(id, OPERATOR, new AbortController().signal);
      return [test, test.problem ?? 'the receiver has taken an empty batch'];
    },
  },
  {
    name: 'remove',
    description: 'Remove a drain. What it has sent stays where it is.',
    run: async (drains, id) => {
      await drains.remove(id, OPERATOR);
      return [{ id, state: 'removed' }, `drain ${id} is removed`];
    },
  },
];

const actionCommand = (drains: Command, { name, description, run }: Action): void => {
  drains
    .command(name)
    .description(description)
    .argument('<drain>', 'its id')
    .addHelpText('after', `\nExample:\n  podium drains ${name} 0b8e9f0c-…`)
    .action(
      inSession(async (session: Session, id: string) => {
        const [answer, text] = await run(await drainsOf(session), id);
        session.out.answer(answer, text);
      }),
    );
};
