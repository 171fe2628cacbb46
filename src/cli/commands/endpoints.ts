/** `podium endpoints`: saved log queries that programs call with a token. */
import type { Command } from 'commander';
import type { EndpointConfig } from '../../logs/endpoints/endpoint.events.js';
import { oneOf, positiveInteger } from '../arguments.js';
import { addListCommand } from '../common-commands.js';
import { readGiven } from '../given-files.js';
import { keyValueLines } from '../output.js';
import { CliError } from '../refusals.js';
import { inReadingSession, inSession } from '../session.js';
import { estimateCommand, queryCommand } from './endpoints-query.js';

export const endpointsCommands = (program: Command): void => {
  const endpoints = program
    .command('endpoints')
    .description('Saved log queries that programs call with an access token.');
  for (const add of COMMANDS) add(endpoints);
};

const listCommand = (endpoints: Command): void =>
  addListCommand(endpoints, {
    description: 'List the saved endpoints.',
    example: 'podium endpoints list',
    read: async ({ ask }) =>
      ask(new (await import('../../logs/endpoints/endpoint.queries.js')).ListEndpoints()),
    columns: {
      name: 'name',
      id: 'id',
      version: 'version',
      'max rows': 'maxRows',
      caching: 'cachingSeconds',
      warming: 'cacheWarmingSeconds',
      sandboxing: 'sandboxing',
      'redact PII': 'redactPii',
    },
  });

const showCommand = (endpoints: Command): void => {
  endpoints
    .command('show')
    .description('Show an endpoint with its query.')
    .argument('<endpoint>', 'its name or id')
    .addHelpText('after', '\nExample:\n  podium endpoints show logs.all')
    .action(
      inReadingSession(async ({ ask, out }, endpoint: string) => {
        const { GetEndpoint } = await import('../../logs/endpoints/endpoint.queries.js');
        const view = await ask(new GetEndpoint(endpoint));
        out.answer(view, () => {
          const { query, ...rest } = view;
          return `${keyValueLines(Object.entries(rest))}\n\n${query}`;
        });
      }),
    );
};

interface ConfigOptions {
  readonly query?: string;
  readonly queryFile?: string;
  readonly description?: string;
  readonly maxRows?: number;
  readonly cache?: number;
  readonly warm?: number;
  readonly sandbox?: 'on' | 'off';
  readonly redactPii?: 'on' | 'off';
}

const onOff = oneOf(['on', 'off']);
/** 0 stands for the word, because commander cannot pass null. */
const secondsOr =
  (word: string) =>
  (text: string): number =>
    text === word ? 0 : positiveInteger(text);

const configOptions = (command: Command): Command =>
  command
    .option('--query <sql>', 'the stored query, with @name for each parameter')
    .option('--query-file <path>', 'the same from a file')
    .option('--description <text>')
    .option('--max-rows <n>', 'maximum number of rows of a reply', positiveInteger)
    .option('--cache <seconds>', 'lifetime of a cached result, or `disabled`', secondsOr('disabled'))
    .option('--warm <seconds>', 'when a cached result in use is refreshed, or `none`', secondsOr('none'))
    .option('--sandbox <on|off>', 'whether callers’ own queries may use only its tables', onOff)
    .option('--redact-pii <on|off>', 'whether addresses are redacted in every reply', onOff);

const changeOf = async (options: ConfigOptions): Promise<Partial<EndpointConfig>> => {
  if (options.query !== undefined && options.queryFile !== undefined)
    throw new CliError('--query and --query-file cannot be given together');
  const query =
    options.queryFile === undefined
      ? options.query
      : (await readGiven(options.queryFile, '--query-file')).toString();
  return {
    ...(query === undefined ? {} : { query: query.trimEnd() }),
    ...(options.description === undefined ? {} : { description: options.description || null }),
    ...(options.maxRows === undefined ? {} : { maxRows: options.maxRows }),
    ...(options.cache === undefined ? {} : { cachingSeconds: options.cache || null }),
    ...(options.warm === undefined ? {} : { cacheWarmingSeconds: options.warm || null }),
    ...(options.sandbox === undefined ? {} : { sandboxing: options.sandbox === 'on' }),
    ...(options.redactPii === undefined ? {} : { redactPii: options.redactPii === 'on' }),
  };
};

const createCommand = (endpoints: Command): void => {
  configOptions(endpoints.command('create'))
    .description('Save an endpoint. Its query is checked first.')
    .argument('<name>')
    .addHelpText(
      'after',
      `
Examples:
  podium endpoints create errors.recent --query-file errors.sql --max-rows 200
  podium endpoints create functions.slow --query-file slow.sql --cache 60 --warm 20`,
    )
    .action(
      inSession(async ({ run, context, out }, name: string, options: ConfigOptions) => {
        const { CreateEndpoint } = await import('../../logs/endpoints/endpoint.commands.js');
        const { withDefaults } = await import('../../logs/endpoints/endpoint-reader.js');
        const config = withDefaults({ ...(await changeOf(options)), name });
        const { endpoint } = await run(new CreateEndpoint(config, context));
        out.answer(endpoint, `endpoint ${name} is saved as ${endpoint.id}`);
      }),
    );
};

const editCommand = (endpoints: Command): void => {
  configOptions(endpoints.command('edit'))
    .description(
      'Change the given fields of an endpoint, keep the rest. Its tokens stay valid, also under a new name.',
    )
    .argument('<endpoint>', 'its name or id')
    .option('--name <name>', 'its new name')
    .addHelpText(
      'after',
      '\nExample:\n  podium endpoints edit errors.recent --name errors.all --max-rows 500',
    )
    .action(
      inSession(
        async ({ run, context, out }, endpoint: string, options: ConfigOptions & { name?: string }) => {
          const { EditEndpoint } = await import('../../logs/endpoints/endpoint.commands.js');
          const named = options.name === undefined ? {} : { name: options.name };
          const change = { ...(await changeOf(options)), ...named };
          const saved = (await run(new EditEndpoint(endpoint, change, context))).endpoint;
          out.answer(saved, `endpoint ${saved.name} is at version ${saved.version}`);
        },
      ),
    );
};

const versionsCommand = (endpoints: Command): void => {
  endpoints
    .command('versions')
    .description('List the versions of an endpoint, newest first.')
    .argument('<endpoint>', 'its name or id')
    .addHelpText('after', '\nExample:\n  podium endpoints versions errors.recent')
    .action(
      inReadingSession(async ({ ask, out }, endpoint: string) => {
        const { ListEndpointVersions } = await import('../../logs/endpoints/endpoint.queries.js');
        const versions = await ask(new ListEndpointVersions(endpoint));
        out.answer(versions, () =>
          versions
            .map(({ version, at, actor, query }) => `version ${version}, ${at}, by ${actor}\n${query}`)
            .join('\n\n'),
        );
      }),
    );
};

const restoreCommand = (endpoints: Command): void => {
  endpoints
    .command('restore')
    .description('Save an earlier version of an endpoint as its newest.')
    .argument('<endpoint>', 'its name or id')
    .argument('<version>', 'as `versions` lists it', positiveInteger)
    .addHelpText('after', '\nExample:\n  podium endpoints restore errors.recent 3')
    .action(
      inSession(async ({ run, context, out }, endpoint: string, version: number) => {
        const { RestoreEndpoint } = await import('../../logs/endpoints/endpoint.commands.js');
        const saved = (await run(new RestoreEndpoint(endpoint, version, context))).endpoint;
        out.answer(
          saved,
          `endpoint ${saved.name} is at version ${saved.version}, which is version ${version} again`,
        );
      }),
    );
};

const removeCommand = (endpoints: Command): void => {
  endpoints
    .command('remove')
    .description('Remove an endpoint for good. Its name becomes free.')
    .argument('<endpoint>', 'its name or id')
    .addHelpText('after', '\nExample:\n  podium endpoints remove errors.recent')
    .action(
      inSession(async ({ run, context, out }, endpoint: string) => {
        const { RemoveEndpoint } = await import('../../logs/endpoints/endpoint.commands.js');
        await run(new RemoveEndpoint(endpoint, context));
        out.answer({ endpoint, state: 'removed' }, `endpoint ${endpoint} is removed`);
      }),
    );
};

const COMMANDS = [
  listCommand,
  showCommand,
  createCommand,
  editCommand,
  versionsCommand,
  restoreCommand,
  removeCommand,
  queryCommand,
  estimateCommand,
];
