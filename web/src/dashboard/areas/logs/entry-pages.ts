/** A list of entries that grows at both ends: older ones as the user scrolls down, newer ones where the time of the query ends. */
import { type InfiniteData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Entry, entriesIn } from './entries.js';
import { pagePart, type Side } from './entry-parts.js';
import { absoluteRange, type LogQuery, type QueryResult } from './log-query.js';
import { runQuery } from './requests.js';

interface Page {
  /** Newest first. */
  readonly entries: readonly Entry[];
  /** There were more, in the direction in which the list grows. */
  readonly isCut: boolean;
}

/** Where a page begins. */
interface PageStart {
  readonly side: Side;
  readonly entry: Entry;
  /** Only entries in the time of the query. */
  readonly isInTime: boolean;
}

/** Null: the first page. */
type Start = PageStart | null;

/** One end of the list. */
export interface ListEnd {
  /** `more`: in the time of the query. `beyond`: there may be some outside it. `last`: there are none. */
  readonly state: 'more' | 'beyond' | 'last';
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly load: () => void;
}

export interface EntryPages {
  /** Newest first. */
  readonly entries: readonly Entry[];
  readonly older: ListEnd;
  readonly newer: ListEnd;
}

interface Listed {
  readonly asked: LogQuery;
  /** Of the first page. */
  readonly result: QueryResult;
}

export const useEntryPages = ({ asked, result }: Listed): EntryPages => {
  const fixed = useMemo(
    () => ({ ...asked, range: absoluteRange(asked.range, result.at) }),
    [asked, result.at],
  );
  const olderThan = (pages: readonly Page[], start: Start): PageStart | undefined => {
    const entry = pages.findLast(({ entries }) => entries.length > 0)?.entries.at(-1);
    const isCut = pages.at(-1)?.isCut ?? false;
    const isInTime = start?.isInTime ?? true;
    const hasBeginning = fixed.range.kind === 'between' && fixed.range.from !== '';
    if (entry === undefined || (!isCut && !(isInTime && hasBeginning))) return undefined;
    return { side: 'before', entry, isInTime: isInTime && isCut };
  };
  const listed = useInfiniteQuery<Page, Error, InfiniteData<Page, Start>, QueryKey, Start>({
    queryKey: ['logs', 'entries', asked, result.at],
    queryFn: ({ pageParam, signal }) => pageAt(pageParam, fixed, signal),
    initialData: () => ({ pages: [firstPage(result)], pageParams: [null] }),
    initialPageParam: null,
    getNextPageParam: (_, pages, start) => olderThan(pages, start),
    getPreviousPageParam: (_, pages): PageStart | undefined => {
      const entry = pages.find(({ entries }) => entries.length > 0)?.entries[0];
      return entry && { side: 'after', entry, isInTime: false };
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // It would compare a hundred thousand entries with themselves.
    structuralSharing: false,
  });
  const { pages, pageParams } = listed.data;
  const entries = useMemo(() => pages.flatMap((page) => page.entries), [pages]);
  const next = olderThan(pages, pageParams.at(-1) ?? null);
  return {
    entries,
    older: {
      state: next === undefined ? 'last' : next.isInTime || isBeyond(pageParams.at(-1)) ? 'more' : 'beyond',
      isLoading: listed.isFetchingNextPage,
      error: listed.isFetchNextPageError ? listed.error : null,
      load: () => void listed.fetchNextPage({ cancelRefetch: false }),
    },
    newer: {
      state: pageParams[0] === null || pages[0]?.isCut ? 'beyond' : 'last',
      isLoading: listed.isFetchingPreviousPage,
      error: listed.isFetchPreviousPageError ? listed.error : null,
      load: () => void listed.fetchPreviousPage({ cancelRefetch: false }),
    },
  };
};

const isBeyond = (start: Start | undefined): boolean => start?.isInTime === false;

const firstPage = ({ rows, isTruncated }: QueryResult): Page => ({
  entries: entriesIn(rows) ?? [],
  isCut: isTruncated,
});

const pageAt = async (start: Start, asked: LogQuery, signal: AbortSignal): Promise<Page> => {
  const query: LogQuery = start?.isInTime === false ? { ...asked, range: { kind: 'all' } } : asked;
  const page = firstPage(await runQuery(query, { signal, part: pagePart(start) }));
  return start?.side === 'after' ? { ...page, entries: page.entries.toReversed() } : page;
};
