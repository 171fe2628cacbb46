/** The result of a log query: a summary, downloads, the rows over time, and the rows. */
import { memo, useMemo } from 'react';
import { Button } from '../../parts/button.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import { CountsSection } from './counts-section.js';
import { download } from './download.js';
import { type Entry, entriesIn } from './entries.js';
import { EntriesSection } from './entries-section.js';
import { type ListEnd, useEntryPages } from './entry-pages.js';
import { hasPages } from './entry-parts.js';
import { toCsv, toNdjson } from './exports.js';
import { type FacetsProps, FacetsSection } from './facets-section.js';
import { LiveBar, useLiveEntries } from './live-entries.js';
import { isUpToNow, type LogRow, type QueryResult } from './log-query.js';
import { NothingFound } from './nothing-found.js';
import { readText, rowsText } from './read-text.js';
import { RowsTable } from './rows-table.js';

/** Not again for each letter that is typed into the query. */
export const ResultSection = memo((props: FacetsProps) => {
  const { asked, result, outline, onAsk } = props;
  const live = useLiveEntries({ asked, result, outline });
  const pages = useEntryPages({ asked, result });
  const isPaged = hasPages(asked, outline);
  // Pages have entries only: to look at a hundred thousand again for each page would take milliseconds.
  const listed = useMemo(
    () => (isPaged ? pages.entries : entriesIn(result.rows)),
    [isPaged, pages.entries, result.rows],
  );
  const entries = useMemo(() => listed && withLive(live.entries, listed), [live.entries, listed]);
  const rows: readonly LogRow[] = entries ?? result.rows;
  if (rows.length === 0)
    return (
      <section aria-label="Result">
        <Notice kind="info">No rows were found in {secondsOf(result)}.</Notice>
        <LiveBar live={live} />
        <NothingFound {...props} />
      </section>
    );
  return (
    <section aria-label="Result">
      <div className="toolbar result-facts">
        <p role="status">{factsOf(rows.length, { result, older: isPaged ? pages.older : null })}</p>
        <div className="files">
          <Button isQuiet onPress={() => download('logs.ndjson', 'application/x-ndjson', toNdjson(rows))}>
            NDJSON
          </Button>
          <Button isQuiet onPress={() => download('logs.csv', 'text/csv', toCsv(rows))}>
            CSV
          </Button>
        </div>
      </div>
      <LiveBar live={live} />
      <CountsSection {...{ asked, result, outline, onAsk }} />
      {isPaged && !isUpToNow(asked.range) && <NewerEntries end={pages.newer} />}
      {entries && asked.language !== 'sql' ? (
        <div className="entries-with-facets">
          <FacetsSection {...props} />
          <EntriesSection
            {...props}
            entries={entries}
            older={isPaged ? pages.older : null}
            isLive={live.isOn}
          />
        </div>
      ) : (
        <RowsTable rows={rows} />
      )}
    </section>
  );
});

/** A live entry that arrived late may be on a page of older ones, too. */
const withLive = (live: readonly Entry[], listed: readonly Entry[]): readonly Entry[] => {
  if (live.length === 0) return listed;
  const known = new Set(live.map(({ id }) => id));
  return [...live, ...listed.filter(({ id }) => !known.has(id))];
};

/** Above the list of a time that has ended. */
const NewerEntries = ({ end: { state, isLoading, error, load } }: { readonly end: ListEnd }) => (
  <div className="list-end">
    {error && <ProblemNotice problem={error} />}
    <Button isPending={isLoading} onPress={load}>
      Newer entries
    </Button>
    {state === 'last' && <span role="status">There are no newer entries yet.</span>}
  </div>
);

const secondsOf = ({ durationMs }: QueryResult): string => `${(durationMs / 1_000).toFixed(2)} s`;

/** `older`: null for a result that comes as a whole. */
const factsOf = (
  shown: number,
  { result, older }: { readonly result: QueryResult; readonly older: ListEnd | null },
): string => {
  const { isTruncated, ageSeconds } = result;
  const facts = [`${rowsText(shown)} in ${secondsOf(result)}`];
  if (result.read) facts.push(`read ${readText(result.read)}`);
  if (older?.state === 'more') facts.push('scroll down for older ones');
  if (older === null && isTruncated) facts.push('there are more rows than the endpoint returns');
  if (ageSeconds !== null)
    facts.push(ageSeconds === 0 ? 'computed now and cached' : `from the cache, ${ageSeconds} s old`);
  return facts.join(' · ');
};
