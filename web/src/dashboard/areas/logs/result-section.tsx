/** What the logs answered: the facts about it, its rows over time, the rows, and the way to a file of them. */
import { Button } from '../../parts/button.js';
import { Notice } from '../../parts/notice.js';
import { CountsSection } from './counts-section.js';
import { download } from './download.js';
import { toCsv, toNdjson } from './exports.js';
import type { LogQuery } from './log-query.js';
import type { EndpointOutline } from './outline.js';
import type { QueryResult } from './requests.js';
import { RowsTable } from './rows-table.js';

interface ResultProps {
  readonly asked: LogQuery;
  readonly result: QueryResult;
  readonly outline: EndpointOutline | null;
}

export const ResultSection = ({ asked, result, outline }: ResultProps) => {
  const { rows } = result;
  if (rows.length === 0) return <Notice kind="info">Nothing was found, in {secondsOf(result)}.</Notice>;
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
      <CountsSection {...{ asked, result, outline }} />
      <RowsTable rows={rows} />
    </section>
  );
};

const secondsOf = ({ milliseconds }: QueryResult): string => `${(milliseconds / 1_000).toFixed(2)} s`;

const factsOf = (result: QueryResult): string => {
  const { rows, truncated, ageSeconds } = result;
  const count = `${rows.length.toLocaleString('en')} row${rows.length === 1 ? '' : 's'}`;
  const facts = [`${count} in ${secondsOf(result)}`];
  if (truncated) facts.push('there are more than the endpoint gives');
  if (ageSeconds !== null)
    facts.push(ageSeconds === 0 ? 'made for this call, and kept' : `kept, made ${ageSeconds} s ago`);
  return facts.join(' · ');
};
