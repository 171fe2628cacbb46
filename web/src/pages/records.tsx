/** The records of a region that stand: every event, by single and by average, with all who share one. */
import { regionName } from '../../../src/domain/regions.js';
import type { RecordsPage as Model } from '../../../src/pages/page-models.js';
import { RecordsForm, recordAddress } from '../components/records-form.js';
import { Persons } from '../components/results.js';
import { averageText, dateText, resultText } from '../format.js';

type Records = Model['records'][number];
type EventOfPage = Model['events'][number];

export const recordsTitle = ({ region }: Pick<Model, 'region'>): string =>
  region === null ? 'World records' : `Records · ${regionName(region) ?? region}`;

export const RecordsPage = ({ model }: { readonly model: Model }) => {
  const held = model.events.flatMap((event) => {
    const records = model.records.find(({ eventId }) => eventId === event.eventId);
    return records && records.single.length + records.average.length > 0 ? [{ event, records }] : [];
  });
  return (
    <>
      <h1>{recordsTitle(model)}</h1>
      <RecordsForm model={model} />
      {held.length === 0 ? (
        <p className="empty">Nobody has a result here yet.</p>
      ) : (
        <table className="results stacks records">
          <caption className="hidden">{recordsTitle(model)}</caption>
          <thead>
            <tr>
              <th scope="col">Type</th>
              <th scope="col" className="value">
                Result
              </th>
              <th scope="col">Held by</th>
              <th scope="col" className="wide">
                Contest
              </th>
              <th scope="col" className="wide">
                Date
              </th>
            </tr>
          </thead>
          {held.map(({ event, records }) => (
            <OfEvent key={event.eventId} {...{ model, event, records }} />
          ))}
        </table>
      )}
    </>
  );
};

interface OfEventProps {
  readonly model: Model;
  readonly event: EventOfPage;
  readonly records: Records;
}

const OfEvent = ({ model, event, records }: OfEventProps) => {
  const { base, category, region } = model;
  const rows = (['single', 'average'] as const).flatMap((type) =>
    records[type].map((record, index) => ({ type, record, isFirst: index === 0 })),
  );
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={5}>
          {event.name}
        </th>
      </tr>
      {rows.map(({ type, record, isFirst }) => (
        <tr key={`${type} ${record.resultId}`}>
          <td>
            {isFirst && (
              <a href={recordAddress(base, { eventId: event.eventId, type, category, region })}>
                {type === 'single' ? 'Single' : 'Average'}
              </a>
            )}
          </td>
          <td className="value">
            {(type === 'single' ? resultText : averageText)(record.result, event.format)}
          </td>
          <td>
            <Persons persons={record.persons} />
          </td>
          <td className="wide">
            <a href={`${base}/contests/${record.contest.competitionId}`}>
              <bdi>{record.contest.shortName}</bdi>
            </a>
          </td>
          <td className="wide">
            <time dateTime={record.date}>{dateText(record.date)}</time>
          </td>
        </tr>
      ))}
    </tbody>
  );
};
