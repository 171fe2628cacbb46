/** `podium logs tail`: prints log entries as they come, from a running server. */
import type { Command } from 'commander';
import { type ServerEvent, serverEvents } from '../../foundation/basics/server-events.js';
import { CliError } from '../refusals.js';
import { globalOptions } from '../session.js';

interface TailOptions {
  readonly source?: string;
  readonly project?: string;
  readonly lql?: string;
  readonly after?: string;
  readonly redact?: boolean;
  readonly server?: string;
  readonly token?: string;
}

export const tailCommand = (logs: Command): void => {
  logs
    .command('tail')
    .description('Print log entries as they come, in the order in which the server acknowledges them.')
    .option('--source <source>', 'the source (default: the one that the filter names, else edge_logs)')
    .option('--project <project>', "whose entries (default: the token's project, or all)")
    .option('--lql <filter>', 'a filter in LQL, without times and aggregates')
    .option(
      '--after <position>',
      'begin after this position, which --json prints with each entry (default: now)',
    )
    .option('--redact', 'redact IP addresses')
    .option('--server <url>', 'the server (default: this machine, at PORT)')
    .option('--token <token>', 'an access token of scope query (default: the variable PODIUM_TOKEN)')
    .addHelpText(
      'after',
      `
It runs until Ctrl-C. After a lost connection it resumes where it was, without a gap. A reader that is too slow misses entries,
and is told how many. With --json each line is an entry with its position.

Examples:
  PODIUM_TOKEN=$(podium tokens issue --scope query:logs.all --json | jq -r .token) podium logs tail
  podium logs tail --project abcdefghij --source postgres_logs --lql 'm.parsed.error_severity:ERROR'`,
    )
    .action(async (options: TailOptions, command: Command) => {
      const ending = new AbortController();
      const stop = (): void => ending.abort();
      process.once('SIGINT', stop).once('SIGTERM', stop);
      // The next command of a pipe has enough.
      process.stdout.once('error', stop);
      await printTail({ options, json: globalOptions(command).json, signal: ending.signal });
    });
};

interface Printing {
  readonly options: TailOptions;
  readonly json: boolean;
  readonly signal: AbortSignal;
}

const printTail = async ({ options, json, signal }: Printing): Promise<void> => {
  const token = options.token ?? process.env.PODIUM_TOKEN;
  if (!token) throw new CliError('give an access token with --token or in PODIUM_TOKEN');
  const url = await addressOf(options);
  const redaction = options.redact === true ? { 'svc-endpoint-redact-pii': 'true' } : {};
  const onConnection = (lost: string | null): void => {
    if (lost !== null) console.error(`the connection was lost (${lost}), and is made again`);
  };
  const events = serverEvents({ url, headers: { ...redaction, 'x-api-key': token }, signal, onConnection });
  for await (const event of events) print(event, json);
};

const addressOf = async ({ source, project, lql, after, server }: TailOptions): Promise<URL> => {
  const url = new URL('/api/logs/tail', server ?? (await ownServer()));
  for (const [name, value] of Object.entries({ source, project, lql, after }))
    if (value !== undefined) url.searchParams.set(name, value);
  return url;
};

const ownServer = async (): Promise<string> => {
  const { loadConfig } = await import('../../foundation/config.js');
  return `http://127.0.0.1:${loadConfig(process.env).port}`;
};

/** Throws CliError when the tail has ended for good. */
const print = ({ name, id, data }: ServerEvent, json: boolean): void => {
  switch (name) {
    case 'entry':
      console.log(json ? `{"position":${id},"entry":${data}}` : lineOf(JSON.parse(data)));
      return;
    case 'skipped':
      console.error(`${JSON.parse(data).count} entries were skipped: this reader was too slow for them`);
      return;
    case 'ended':
      throw new CliError(JSON.parse(data).detail);
  }
};

/** Columns that the filter has chosen are printed as JSON. */
const lineOf = (entry: Readonly<Record<string, unknown>>): string => {
  const { timestamp, event_message: message } = entry;
  const isWhole = typeof timestamp === 'string' && typeof message === 'string' && 'metadata' in entry;
  return isWhole ? `${timestamp}  ${shown(message)}` : JSON.stringify(entry);
};

/** An entry cannot print a second line, or send codes to the terminal. */
const shown = (text: string): string =>
  text.replace(
    /\p{Cc}/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
