/**
 * The entries of a range of positions, page by page. A query over the whole rest for each page would read it again and again, so
 * each reads a span of positions, which is about as long as a page needs.
 */
import { LogQueryFailedError, type TailRange } from '../../foundation/log-store/log-store.js';
import type { TailEntry } from '../tail/tail-member.js';

interface FoundEntries {
  /** In the order of their positions. */
  readonly entries: readonly TailEntry[];
  /** There are more entries in the range. */
  readonly truncated: boolean;
}

export type ReadEntries = (range: TailRange, maxEntries: number) => Promise<FoundEntries>;

export interface ReadPage {
  readonly entries: readonly TailEntry[];
  /** All entries up to this position have been read. */
  readonly upTo: number;
}

export const PAGE_ENTRIES = 2_000;
/** Microseconds. */
const FIRST_SPAN = 3_600_000_000;
const MIN_SPAN = 1_000_000;
/** How much longer, or shorter, the next span may be. */
const MAX_CHANGE = 8;

/** A page that is too large for one query is read in smaller ones. Throws what `read` throws. */
export async function* entryPages(read: ReadEntries, { after, upTo }: TailRange): AsyncGenerator<ReadPage> {
  let at = after;
  let span = FIRST_SPAN;
  let most = PAGE_ENTRIES;
  while (at < upTo) {
    const range = { after: at, upTo: Math.min(at + span, upTo) };
    const found = await read(range, most).catch((error: unknown) => {
      if (isTooLarge(error) && (most > 1 || span > MIN_SPAN)) return null;
      throw error;
    });
    if (found === null) {
      most = Math.ceil(most / MAX_CHANGE);
      span = Math.max(MIN_SPAN, Math.ceil(span / MAX_CHANGE));
      continue;
    }
    const { entries, truncated } = found;
    const reached = truncated ? (entries.at(-1)?.position ?? range.upTo) : range.upTo;
    yield { entries, upTo: reached };
    span = Math.ceil((reached - at) * Math.min(MAX_CHANGE, most / Math.max(1, entries.length)));
    most = Math.min(PAGE_ENTRIES, most * 2);
    at = reached;
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof LogQueryFailedError && (error.failure === 'memory' || error.failure === 'time');
