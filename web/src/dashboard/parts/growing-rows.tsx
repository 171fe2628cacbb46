/**
 * Shows the first rows of a long table, and more as the reader comes near its end, so that each change of the table costs the
 * page a few milliseconds however long it is. Paper gets all rows.
 */
import { type RefCallback, startTransition, useCallback, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

const ROWS_AT_ONCE = 40;
/** How far below the window the next rows are made. */
const AHEAD = '800px';

interface GrowingRows<T> {
  readonly shown: readonly T[];
  /** Of an element below the last row; null when all rows are shown. */
  readonly endRef: RefCallback<Element> | null;
}

/** `version` tells lists apart: another list begins at its top, a changed list keeps its length. */
export const useGrowingRows = <T,>(rows: readonly T[], version: unknown): GrowingRows<T> => {
  const [grown, setGrown] = useState({ version, count: ROWS_AT_ONCE });
  const count = Object.is(grown.version, version) ? grown.count : ROWS_AT_ONCE;
  const endRef = useCallback(
    (end: Element | null) => {
      if (end === null) return;
      const observer = new IntersectionObserver(
        ([entry]) => {
          if (entry?.isIntersecting)
            startTransition(() => setGrown({ version, count: count + ROWS_AT_ONCE }));
        },
        { rootMargin: AHEAD },
      );
      observer.observe(end);
      return () => observer.disconnect();
    },
    [version, count],
  );
  useEffect(() => {
    const showAll = (): void => flushSync(() => setGrown({ version, count: Number.POSITIVE_INFINITY }));
    addEventListener('beforeprint', showAll);
    return () => removeEventListener('beforeprint', showAll);
  }, [version]);
  return { shown: rows.slice(0, count), endRef: count < rows.length ? endRef : null };
};
