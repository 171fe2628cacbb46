/** The result of a log query: a summary, downloads, the rows over time, and the rows. */
import { useMemo } from 'react';
import { Button } from '../../parts/button.js';
import { Notice } from '../../parts/notice.js';
import { CountsSection } from './counts-section.js';
import { download } from './download.js';
import { entriesIn } from './entries.js';
import { EntriesSection } from './entries-section.js';
import { toCsv, toNdjson } from './exports.js';
import { LiveBar, useLiveEntries } from './live-entries.js';
import type { LogQuery, QueryResult } from './log-query.js';
import { NothingFound } from './nothing-found.js';
import type { EndpointOutline } from './outline.js';
import { RowsTable } from './rows-table.js';

interface ResultProps {
  readonly asked: LogQuery;
  readonly result: QueryResult;
  readonly outline: EndpointOutline | null;
  readonly onAsk: (query: LogQuery) => void;
}

export const ResultSection = ({ asked, result, outline, onAsk }: ResultProps) => {
  const live = useLiveEntries({ asked, result, outline });
  const rows = useMemo(() => [...live.entries, ...result.rows], [live.entries, result.rows]);
  const entries = useMemo(() => entriesIn(rows), [rows]);
  if (rows.length === 0)
    return (
      <section aria-label="Result">
        <Notice kind="info">No rows were found in {secondsOf(result)}.</Notice>
        <LiveBar live={live} />
        {outline && <NothingFound {...{ asked, result, outline, onAsk }} />}
      </section>
    );
  return (
    <section aria-label="Result">
      <div className="toolbar result-facts">
        <p role="status">{factsOf(result)}</p>
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
      {outline && <CountsSection {...{ asked, result, outline, onAsk }} />}
      {outline && entries && asked.language !== 'sql' ? (
        <EntriesSection {...{ asked, entries, outline, onAsk }} />
      ) : (
        <RowsTable rows={rows} />
      )}
    </section>
  );
};

const secondsOf = ({ durationMs }: QueryResult): string => `${(durationMs / 1_000).toFixed(2)} s`;

const factsOf = (result: QueryResult): string => {
  const { rows, isTruncated, ageSeconds } = result;
  const count = `${rows.length.toLocaleString('en')} row${rows.length === 1 ? '' : 's'}`;
  const facts = [`${count} in ${secondsOf(result)}`];
  if (isTruncated) facts.push('there are more rows than the endpoint returns');
  if (ageSeconds !== null)
    facts.push(ageSeconds === 0 ? 'computed now and cached' : `from the cache, ${ageSeconds} s old`);
  return facts.join(' · ');
};
