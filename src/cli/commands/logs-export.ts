/** `podium logs export`: writes the log entries of a source into a file, from a running server. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { Connections, type LongRequest } from '../../foundation/basics/resumed-reply.js';
import type { JsonRecord } from '../../foundation/log-store/sources.js';
import type { RowEncoder } from '../../logs/downloads/row-encoder.js';
import { ROW_FORMATS, type RowFormat, rowEncoder } from '../../logs/downloads/row-format.js';
import type { ExportHead, PositionLine } from '../../logs/exports/position-lines.js';
import { oneOf } from '../arguments.js';
import { type LogServerOptions, logRequest, logServerOptions, sayLost, untilStopped } from '../log-server.js';
import { Output } from '../output.js';
import { CliError } from '../refusals.js';
import { type Append, writeResultFile } from '../result-file.js';
import { globalOptions } from '../session.js';

interface ExportOptions extends LogServerOptions {
  readonly source?: string;
  readonly project?: string;
  readonly lql?: string;
  readonly from?: string;
  readonly to?: string;
  readonly format: RowFormat;
  readonly out?: string;
}

export const exportLogsCommand = (logs: Command): void => {
  const command = logs
    .command('export')
    .description('Write the log entries of a source into a file, in the order in which the server took them.')
    .option('--source <source>', 'the source (default: the one that the filter names, else edge_logs)')
    .option('--project <project>', "whose entries (default: the token's project, or all)")
    .option('--lql <filter>', 'a filter in LQL, without times and aggregates')
    .option('--from <time>', 'only entries from this timestamp on')
    .option('--to <time>', 'only entries before this timestamp')
    .option('--format <format>', ROW_FORMATS.join(', '), oneOf(ROW_FORMATS), 'ndjson')
    .option('--out <file>', 'write to this file instead of stdout');
  logServerOptions(command)
    .addHelpText(
      'after',
      `
Entries that come while it runs are not in the file. After a lost connection it goes on where it was, so no entry is lost or doubled.
With --out the file gets its name when it is whole.

Examples:
  podium logs export --source postgres_logs --from 2026-03-17 --to 2026-03-18 --out postgres.ndjson
  podium logs export --project abcdefghij --lql 'm.response.status_code:>=500' --format parquet --out failed.parquet`,
    )
    .action(async (options: ExportOptions, command: Command) => {
      const { format, out } = options;
      if (format === 'parquet' && out === undefined && process.stdout.isTTY)
        throw new CliError('give --out, since a terminal shows no Parquet');
      const signal = untilStopped();
      if (out === undefined) {
        await writeEntries(options, toStdout, signal);
        return;
      }
      const file = resolve(out);
      const entries = await writeResultFile(out, (append) => writeEntries(options, append, signal));
      new Output(globalOptions(command).json).answer(
        { file, format, entries },
        `${file} has ${entries} entries`,
      );
    });
};

const toStdout: Append = (bytes) =>
  new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });

/** Entries that are encoded together. A row group of Parquet has as many. */
const ENTRIES_AT_ONCE = 10_000;

/** Returns the number of entries. Throws CliError when the signal aborts. */
const writeEntries = async (options: ExportOptions, write: Append, signal: AbortSignal): Promise<number> => {
  const { source, project, lql, from, to } = options;
  const parameters = { source, project, lql, from, to, format: 'positions' };
  const request = await logRequest('/api/logs/export', parameters, options);
  const file = new EntryFile(options.format, write);
  try {
    for await (const line of linesOf({ ...request, signal, onConnection: sayLost })) {
      if ('columns' in line) await file.begin(line.columns);
      else if ('entry' in line) await file.add(line.entry);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (signal.aborted) throw new CliError('it was stopped, so the export is not whole');
  await file.end();
  return file.entries;
};

/** The lines of an export, over all connections. */
async function* linesOf(request: LongRequest): AsyncGenerator<PositionLine> {
  const connections = new Connections(request);
  let end: number | null = null;
  let reached = 0;
  yield* connections.all(async function* () {
    const url = new URL(request.url);
    if (end !== null) url.searchParams.set('after', String(reached));
    if (end !== null) url.searchParams.set('upTo', String(end));
    for await (const text of connections.parts('\n', { url })) {
      const line: PositionLine = JSON.parse(text);
      connections.progressed();
      if ('isWhole' in line) connections.end();
      if ('position' in line) reached = line.position;
      if ('upTo' in line) end = line.upTo;
      yield line;
    }
  });
}

class EntryFile {
  entries = 0;
  #encoder: RowEncoder | null = null;
  #waiting: JsonRecord[] = [];

  constructor(
    private readonly format: RowFormat,
    private readonly write: Append,
  ) {}

  /** Also called with each further connection. */
  async begin(columns: ExportHead['columns']): Promise<void> {
    this.#encoder ??= await rowEncoder(this.format, columns);
  }

  async add(entry: JsonRecord): Promise<void> {
    this.entries += 1;
    this.#waiting.push(entry);
    if (this.#waiting.length >= ENTRIES_AT_ONCE) await this.#flush();
  }

  async end(): Promise<void> {
    await this.#flush();
    if (this.#encoder) await this.write(this.#encoder.end());
  }

  async #flush(): Promise<void> {
    const rows = this.#waiting;
    this.#waiting = [];
    if (this.#encoder && rows.length > 0) await this.write(this.#encoder.rows(rows));
  }
}
