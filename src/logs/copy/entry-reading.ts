/** Reads all columns of the entries of a source, by their timestamps, from a log store on any engine. */
import { createHash } from 'node:crypto';
import { NO_FIELDS } from '../../foundation/log-store/field-catalogue.js';
import { PLATFORM_CATALOGUE } from '../../foundation/log-store/known-fields.js';
import { LogQueryFailedError, type LogRows, type LogStore } from '../../foundation/log-store/log-store.js';
import { type LogEntry, type LogSource, projectOf } from '../../foundation/log-store/sources.js';
import { compile } from '../sql/compile.js';

const PAGE_ENTRIES = 5_000;
const TIMEOUT_MS = 300_000;
export const HOUR_MICROS = 3_600_000_000;

export interface ReadEntry {
  readonly entry: LogEntry;
  /** The JSON of the metadata as the store has it. */
  readonly text: string;
  /** The project that it belongs to. */
  readonly owner: string | null;
  /** Owner, id and timestamp: what an entry is found by in another store. */
  readonly key: string;
  /** Of all columns: 48 bits. */
  readonly sum: number;
}

/** The hours that have entries, as microseconds since 1970, and how many each has. */
export const hoursOf = async (store: LogStore, source: LogSource): Promise<ReadonlyMap<number, number>> => {
  const hours = new Map<number, number>();
  const text = `select floor(unix_micros(timestamp) / ${HOUR_MICROS}) as hour, count(*) as entries from \`${source}\` group by hour order by hour`;
  // More hours than there are in ten thousand years.
  const { rows } = await run(store, source, text, 100_000_000);
  for (const { hour, entries } of rows) hours.set(Number(hour) * HOUR_MICROS, Number(entries));
  return hours;
};

/** Microseconds since 1970. */
export interface Span {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Yields the entries of a span, by their timestamps, page by page. Throws what `LogStore.run` throws. */
export async function* entriesOf(
  store: LogStore,
  source: LogSource,
  span: Span,
): AsyncGenerator<readonly ReadEntry[]> {
  // Entries of one timestamp may be cut by the end of a page: the next begins at it.
  let from = span.from;
  let atFrom = new Set<string>();
  for (let most = PAGE_ENTRIES; ; ) {
    const page = await pageOf(store, source, { from, to: span.to, most });
    if (page === null) {
      most = Math.max(1, Math.floor(most / 8));
      continue;
    }
    const { entries, truncated } = page;
    const fresh = entries.filter(({ entry, key }) => entry.timestamp > from || !atFrom.has(key));
    if (fresh.length > 0) yield fresh;
    if (!truncated) return;
    const last = entries.at(-1)?.entry.timestamp ?? from;
    const keys = entries.filter(({ entry }) => entry.timestamp === last).map(({ key }) => key);
    atFrom = new Set(last === from ? [...atFrom, ...keys] : keys);
    // A page of one timestamp alone does not get on.
    most = last === from ? most * 2 : Math.max(most, PAGE_ENTRIES);
    from = last;
  }
}

/** Null: it is too large for one query. */
const pageOf = async (
  store: LogStore,
  source: LogSource,
  { from, to, most }: Span & { readonly most: number },
): Promise<{ readonly entries: readonly ReadEntry[]; readonly truncated: boolean } | null> => {
  const text = `select id, unix_micros(timestamp) as micros, event_message, to_json_string(metadata) as metadata_text, project from \`${source}\`
    where timestamp >= timestamp_micros(${from}) and timestamp < timestamp_micros(${to}) order by timestamp, id, project`;
  try {
    const { rows, truncated } = await run(store, source, text, most);
    return { entries: rows.map((row) => entryIn(source, row)), truncated };
  } catch (error) {
    if (error instanceof LogQueryFailedError && error.failure === 'memory' && most > 1) return null;
    throw error;
  }
};

const entryIn = (source: LogSource, row: LogRows['rows'][number]): ReadEntry => {
  const text = String(row.metadata_text);
  const entry: LogEntry = {
    id: String(row.id),
    timestamp: Number(row.micros),
    eventMessage: String(row.event_message),
    metadata: JSON.parse(text),
    project: typeof row.project === 'string' ? row.project : null,
  };
  const owner = projectOf(source, entry);
  const content = JSON.stringify([entry.id, entry.timestamp, entry.eventMessage, text, entry.project]);
  const sum = createHash('sha256').update(content).digest().readUIntBE(0, 6);
  return { entry, text, owner, key: JSON.stringify([owner, entry.id, entry.timestamp]), sum };
};

/** Codec: of the key of an entry. */
export const readKey = (key: string): { readonly project: string | null; readonly timestamp: number } => {
  const [project, , timestamp]: [string | null, string, number] = JSON.parse(key);
  return { project, timestamp };
};

const run = (store: LogStore, source: LogSource, text: string, maxRows: number): Promise<LogRows> => {
  const known = PLATFORM_CATALOGUE.sources[source];
  const catalogue = known
    ? PLATFORM_CATALOGUE
    : { ...PLATFORM_CATALOGUE, sources: { ...PLATFORM_CATALOGUE.sources, [source]: NO_FIELDS } };
  const stored = { text, sandboxed: false };
  const { query } = compile({ stored, consumer: null, onlyProject: null, catalogue });
  return store.run(query, { parameters: {}, now: 0, maxRows, timeoutMs: TIMEOUT_MS });
};
