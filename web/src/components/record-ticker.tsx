/** The newest records on the first page. While the page is visible it looks for new ones. */
import { useEffect, useState } from 'react';
import type { RecentRecordView } from '../../../src/competition/records/recent.queries.js';
import { type HomePage, TICKER_LENGTH } from '../../../src/pages/page-models.js';
import { RESULT_TYPE_NAMES, valueText } from '../format.js';
import { ContestLink } from './contest-list.js';
import { RecordBadge } from './record-badge.js';
import { Day, PersonLinks } from './results.js';

/** A reply without news is a 304, which costs the server next to nothing. */
const POLL_MS = 10_000;

interface Ticker {
  readonly records: readonly RecentRecordView[];
  /** Keys of those that came while the page was open. */
  readonly newKeys: ReadonlySet<string>;
}

/** Of a record with its value: a result may improve its own record. */
const keyOf = ({ recordId, result }: RecentRecordView): string => `${recordId} ${result}`;

export const RecordTicker = ({
  model,
}: {
  readonly model: Pick<HomePage, 'base' | 'events' | 'records'>;
}) => {
  const { base, events } = model;
  const { records, newKeys } = useNewestRecords(
    model.records,
    `/api${base}/records/recent?limit=${TICKER_LENGTH}`,
  );
  return (
    <section aria-labelledby="new-records">
      <h2 id="new-records">New records</h2>
      {records.length === 0 && <p className="empty">No record yet.</p>}
      {/* Always in the page: screen readers announce what is added to an element that exists. */}
      <ul className="ticker" aria-live="polite" aria-relevant="additions">
        {records.map((record) => {
          const { tag, category, eventId, type, result, persons, contest, date } = record;
          const key = keyOf(record);
          const event = events.find((known) => known.eventId === eventId);
          return (
            <li key={key} className={newKeys.has(key) ? 'changed' : undefined}>
              <p>
                <RecordBadge tag={tag} category={category} />{' '}
                <b>{valueText(type, result, event?.format ?? 'time')}</b> {event?.name ?? eventId}{' '}
                <span className="quiet">{RESULT_TYPE_NAMES[type]}</span>
              </p>
              <PersonLinks persons={persons} />
              <p className="about">
                <ContestLink base={base} id={contest.competitionId} name={contest.shortName} />
                <Day date={date} />
              </p>
            </li>
          );
        })}
      </ul>
      <p>
        <a href={`${base}/records/recent`}>All new records</a>
      </p>
    </section>
  );
};

const useNewestRecords = (shown: readonly RecentRecordView[], address: string): Ticker => {
  const [ticker, setTicker] = useState<Ticker>({ records: shown, newKeys: new Set() });
  useEffect(() => {
    const stopped = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      clearTimeout(timer);
      if (document.visibilityState !== 'visible') return;
      const records = await readRecords(address, stopped.signal);
      if (stopped.signal.aborted) return;
      if (records !== null) setTicker((before) => withNews(before, records));
      lookLater();
    };
    const lookLater = (): void => {
      // The random part keeps readers from asking all at once.
      timer = setTimeout(look, POLL_MS * (1 + Math.random() / 2));
    };
    lookLater();
    document.addEventListener('visibilitychange', look, { signal: stopped.signal });
    return () => {
      stopped.abort();
      clearTimeout(timer);
    };
  }, [address]);
  return ticker;
};

/** Null when the server does not answer. The browser sends the ETag of the reply that it has. */
const readRecords = async (
  address: string,
  signal: AbortSignal,
): Promise<readonly RecentRecordView[] | null> => {
  try {
    const reply = await fetch(address, { signal });
    return reply.ok ? await reply.json() : null;
  } catch {
    return null;
  }
};

const withNews = ({ records: before, newKeys }: Ticker, records: readonly RecentRecordView[]): Ticker => {
  const known = new Set(before.map(keyOf));
  const added = records.map(keyOf).filter((key) => !known.has(key));
  return { records, newKeys: new Set([...newKeys, ...added]) };
};
