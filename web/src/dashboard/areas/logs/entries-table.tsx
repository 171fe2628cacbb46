/**
 * Log entries as a table with the columns of their source, newest first. Only the rows in sight are in the document, so that a
 * hundred thousand scroll as smoothly as ten; a printer gets all of them.
 */
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import {
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { Button } from '../../parts/button.js';
import { ProblemNotice } from '../../parts/notice.js';
import { type Entry, timeOf } from './entries.js';
import type { ListEnd } from './entry-pages.js';
import { isNested, valueAt } from './paths.js';
import { columnsOf, type SourceField, severityOf } from './source-fields.js';

/** In rem, like the heights in logs.css. */
const ROW_HEIGHT = 1.75;
const TIME_WIDTH = 13.5;
const MIN_MESSAGE_WIDTH = 10;
/** Beside an entry, which has the values of wider columns itself, the message is more useful. */
const MAX_WIDTH_BESIDE_ENTRY = 8;
/** Rows above and below those in sight. */
const OVERSCAN = 10;

interface EntriesTableProps {
  readonly entries: readonly Entry[];
  /** The table that they are from. */
  readonly table: string;
  /** The id of the entry that is shown beside the table. */
  readonly shown: string | null;
  /** Null: the list does not grow at its end. */
  readonly older: ListEnd | null;
  /** New entries on top are shown at once, unless the user has scrolled down. */
  readonly isLive: boolean;
  readonly onShow: (entry: Entry) => void;
}

export const EntriesTable = ({ entries, table, shown, older, isLive, onShow }: EntriesTableProps) => {
  const box = useRef<HTMLElement>(null);
  const isPrinting = useSyncExternalStore(subscribeToPrinter, isForPrinter);
  const isBesideEntry = shown !== null;
  const columns = useMemo(
    () => columnsOf(table).filter(({ width }) => !isBesideEntry || width <= MAX_WIDTH_BESIDE_ENTRY),
    [table, isBesideEntry],
  );
  const height = useMemo(() => ROW_HEIGHT * remInPixels(), []);
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    // The head, which stays at the top.
    scrollPaddingEnd: height,
  });
  useStayingRows({ box, entries, height, isLive });
  const shownAt = useMemo(
    () => (shown === null ? -1 : entries.findIndex(({ id }) => id === shown)),
    [entries, shown],
  );
  const latestShownAt = useRef(shownAt);
  latestShownAt.current = shownAt;
  // Not when entries come on top of it: the user may have scrolled away.
  useEffect(() => {
    if (shown !== null && latestShownAt.current >= 0)
      virtualizer.scrollToIndex(latestShownAt.current, { align: 'auto' });
  }, [shown, virtualizer]);
  const inSight = isPrinting ? null : virtualizer.getVirtualItems();
  const isAtEnd = inSight?.at(-1)?.index === entries.length - 1;
  const loadOlder = older?.state === 'more' && older.error === null ? older.load : null;
  const latestLoad = useRef(loadOlder);
  latestLoad.current = loadOlder;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that leaves the end in sight is followed by the next.
  useEffect(() => {
    if (isAtEnd) latestLoad.current?.();
  }, [isAtEnd, entries.length]);
  const indexes = inSight?.map(({ index }) => index) ?? [...entries.keys()];
  return (
    <section className="rows" aria-label="Entries" ref={box}>
      <table
        className="results entries-table"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows are chosen is a grid.
        role="grid"
        tabIndex={0}
        aria-label="Entries, newest first"
        aria-rowcount={entries.length + 1}
        aria-activedescendant={shownAt >= 0 ? rowId(shownAt) : undefined}
        {...(!isPrinting && { style: { minWidth: `${widthOf(columns)}rem` } })}
      >
        <Head columns={columns} />
        <tbody>
          <Space height={inSight?.[0]?.start ?? 0} />
          {indexes.map((index) => {
            const entry = entries[index];
            return (
              entry && (
                <Row
                  key={entry.id}
                  {...{ entry, index, table, columns, onShow }}
                  isShown={index === shownAt}
                />
              )
            );
          })}
          <Space height={spaceBelow(inSight, virtualizer.getTotalSize())} />
        </tbody>
      </table>
      {older && <OlderEntries end={older} />}
    </section>
  );
};

/** Below the last entry. */
const OlderEntries = ({ end: { state, isLoading, error, load } }: { readonly end: ListEnd }) => (
  <div className="list-end" role="status">
    {error && <ProblemNotice problem={error} />}
    {END_TEXTS[state]}
    {(error || state === 'beyond') && (
      <Button isPending={isLoading} onPress={load}>
        Older entries
      </Button>
    )}
  </div>
);

const END_TEXTS = {
  more: 'Loading older entries…',
  beyond: 'These are all entries of this time.',
  last: 'There are no older entries.',
} as const satisfies Record<ListEnd['state'], string>;

interface Staying {
  readonly box: RefObject<HTMLElement | null>;
  readonly entries: readonly Entry[];
  readonly height: number;
  readonly isLive: boolean;
}

/** Keeps the rows in sight where they are when entries come on top. At the top of a live list, the new ones are shown. */
const useStayingRows = ({ box, entries, height, isLive }: Staying): void => {
  const first = useRef(entries[0]);
  useLayoutEffect(() => {
    const added = first.current === undefined ? 0 : entries.indexOf(first.current);
    first.current = entries[0];
    if (added > 0 && box.current && (!isLive || box.current.scrollTop > 0))
      box.current.scrollTop += added * height;
  }, [box, entries, height, isLive]);
};

const rowId = (index: number): string => `entry-${index}`;

const widthOf = (columns: readonly SourceField[]): number =>
  columns.reduce((sum, { width }) => sum + width, TIME_WIDTH + MIN_MESSAGE_WIDTH);

const spaceBelow = (inSight: readonly VirtualItem[] | null, total: number): number => {
  const end = inSight?.at(-1)?.end;
  return end === undefined ? 0 : total - end;
};

/** Stands for rows that are not in the document. */
const Space = ({ height }: { readonly height: number }) =>
  height > 0 && (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row cannot have the focus.
    <tr aria-hidden="true" className="space">
      <td style={{ height }} />
    </tr>
  );

const Head = ({ columns }: { readonly columns: readonly SourceField[] }) => (
  <thead>
    <tr aria-rowindex={1}>
      <th scope="col" style={{ width: `${TIME_WIDTH}rem` }}>
        time (UTC)
      </th>
      {columns.map(({ title, width }) => (
        <th key={title} scope="col" style={{ width: `${width}rem` }}>
          {title}
        </th>
      ))}
      <th scope="col">message</th>
    </tr>
  </thead>
);

interface RowProps extends Pick<EntriesTableProps, 'table' | 'onShow'> {
  readonly entry: Entry;
  readonly index: number;
  readonly columns: readonly SourceField[];
  readonly isShown: boolean;
}

const Row = memo(({ entry, index, table, columns, isShown, onShow }: RowProps) => (
  <tr
    id={rowId(index)}
    className={severityOf(table, entry.metadata)}
    aria-rowindex={index + 2}
    aria-selected={isShown}
    onClick={() => onShow(entry)}
  >
    <td className="time">{timeOf(entry)}</td>
    {columns.map(({ title, path }) => (
      <td key={title}>{textOf(valueAt(entry.metadata, path))}</td>
    ))}
    <td>{textOf(entry.event_message)}</td>
  </tr>
));

/** A cell shows one line. */
const MAX_CELL_CHARACTERS = 400;

const textOf = (value: unknown): ReactNode => {
  if (value === null || value === undefined) return null;
  return (isNested(value) ? JSON.stringify(value) : String(value)).slice(0, MAX_CELL_CHARACTERS);
};

const remInPixels = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

const printer = matchMedia('print');
const isForPrinter = (): boolean => printer.matches;
const subscribeToPrinter = (onChange: () => void): (() => void) => {
  printer.addEventListener('change', onChange);
  return () => printer.removeEventListener('change', onChange);
};
