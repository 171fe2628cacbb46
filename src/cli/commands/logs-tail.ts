/** `podium logs tail`: prints log entries as they come, from a running server. */
import type { Command } from 'commander';
import { type ServerEvent, serverEvents } from '../../foundation/basics/server-events.js';
import { type LogServerOptions, logRequest, logServerOptions, sayLost, untilStopped } from '../log-server.js';
import { CliError } from '../refusals.js';
import { globalOptions } from '../session.js';

interface TailOptions extends LogServerOptions {
  readonly source?: string;
  readonly project?: string;
  readonly lql?: string;
  readonly after?: string;
}

export const tailCommand = (logs: Command): void => {
  const tail = logs
    .command('tail')
    .description('Print log entries as they come, in the order in which the server acknowledges them.')
    .option('--source <source>', 'the source (default: the one that the filter names, else edge_logs)')
    .option('--project <project>', "whose entries (default: the token's project, or all)")
    .option('--lql <filter>', 'a filter in LQL, without times and aggregates')
    .option(
      '--after <position>',
      'begin after this position, which --json prints with each entry (default: now)',
    );
  logServerOptions(tail)
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
      await printTail({ options, json: globalOptions(command).json, signal: untilStopped() });
    });
};

interface Printing {
  readonly options: TailOptions;
  readonly json: boolean;
  readonly signal: AbortSignal;
}

const printTail = async ({ options, json, signal }: Printing): Promise<void> => {
  const { source, project, lql, after } = options;
  const request = await logRequest('/api/logs/tail', { source, project, lql, after }, options);
  for await (const event of serverEvents({ ...request, signal, onConnection: sayLost })) print(event, json);
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
