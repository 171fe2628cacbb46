/** The entries of all tables that name the same request or trace as an entry, within an hour of it. */
import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../parts/loading.js';
import { ProblemNotice } from '../../parts/notice.js';
import { useDebounced } from './debounced.js';
import { type Correlation, correlationsOf, entriesIn, type ShownEntry, termOf, timeOf } from './entries.js';
import { type LogQuery, rangeOf } from './log-query.js';
import type { EndpointOutline } from './outline.js';
import { AFTER_CANCELLED, runQuery } from './requests.js';

const HOUR_MS = 3_600_000;

interface RelatedEntriesProps {
  readonly shown: ShownEntry;
  readonly asked: LogQuery;
  readonly outline: EndpointOutline;
  readonly onShow: (shown: ShownEntry) => void;
}

export const RelatedEntries = ({ shown, ...rest }: RelatedEntriesProps) => {
  // Arrow keys pass over many entries.
  const settled = useDebounced(shown);
  if (settled !== shown) return null;
  return correlationsOf(shown.entry).map((correlation) => (
    <Related key={correlation.path.join('.')} {...{ shown, correlation, ...rest }} />
  ));
};

const Related = ({
  shown,
  correlation,
  asked,
  outline,
  onShow,
}: RelatedEntriesProps & { readonly correlation: Correlation }) => {
  const { id, timestamp } = shown.entry;
  const around = Date.parse(timestamp);
  const range = rangeOf(around - HOUR_MS, around + HOUR_MS);
  const found = useQuery({
    queryKey: ['logs', 'related', correlation, { ...asked, range }],
    queryFn: ({ signal }) => relatedTo(correlation, { asked: { ...asked, range }, outline, signal }),
    ...AFTER_CANCELLED,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const name = correlation.path.at(-1);
  return (
    <section aria-label={`Entries with the same ${name}`} className="related">
      <h3>The same {name}</h3>
      {found.isPending && <Loading />}
      {found.error && <ProblemNotice problem={found.error} />}
      {found.data?.length === 1 && <p className="quiet">No other entry has it within an hour.</p>}
      {found.data && found.data.length > 1 && (
        <ol>
          {found.data.map((one) => (
            <li key={`${one.table} ${one.entry.id}`}>
              <button type="button" aria-current={one.entry.id === id} onClick={() => onShow(one)}>
                <span className="quiet">
                  {timeOf(one.entry)} {one.table}
                </span>
                {String(one.entry.event_message)}
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
};

/** Oldest first. */
const relatedTo = async (
  { path, value }: Correlation,
  {
    asked,
    outline,
    signal,
  }: { readonly asked: LogQuery; readonly outline: EndpointOutline; readonly signal: AbortSignal },
): Promise<readonly ShownEntry[]> => {
  const term = termOf(path, value);
  const ofTable = async (table: string): Promise<readonly ShownEntry[]> => {
    const { rows } = await runQuery({ ...asked, language: 'lql', query: `f:${table} ${term}` }, { signal });
    return (entriesIn(rows) ?? []).map((entry) => ({ entry, table }));
  };
  const found = await Promise.all(outline.tables.map(({ name }) => ofTable(name)));
  return found.flat().sort((one, other) => (one.entry.timestamp < other.entry.timestamp ? -1 : 1));
};
