/** The current records of a region: singles and averages of every event, with all holders of a shared record. */

import { categoryOf } from '../../../src/domain/results.js';
import type { RecordsPage as Model } from '../../../src/pages/page-models.js';
import { ContestLink } from '../components/contest-list.js';
import { RecordBadge } from '../components/record-badge.js';
import { RecordsForm, recordPath } from '../components/records-form.js';
import { ReferenceHolder } from '../components/reference-holder.js';
import { regionText } from '../components/region.js';
import { Day, NoResults, PersonLinks, TableHead } from '../components/results.js';
import { RESULT_TYPE_NAMES, type ResultType, valueText } from '../format.js';

type Records = Model['records'][number];
type EventOfPage = Model['events'][number];

export const recordsTitle = ({ region }: Pick<Model, 'region'>): string =>
  region === null ? 'World records' : `Records · ${regionText(region)}`;

export const RecordsPage = ({ model }: { readonly model: Model }) => {
  const held = model.events.flatMap((event) => {
    const records = model.records.find(({ eventId }) => eventId === event.eventId);
    const { single = [], average = [], references } = records ?? {};
    const shown = [single, average, references?.single ?? [], references?.average ?? []].flat();
    return records && shown.length > 0 ? [{ event, records }] : [];
  });
  return (
    <>
      <h1>{recordsTitle(model)}</h1>
      <RecordsForm model={model} />
      <p className="about">
        <a href={`${model.base}/records/recent`}>New records</a>
      </p>
      {held.length === 0 ? (
        <NoResults />
      ) : (
        <table className="results stacks records">
          <caption className="hidden">{recordsTitle(model)}</caption>
          <TableHead
            columns={[['Type'], ['Result', 'value'], ['Held by'], ['Contest', 'wide'], ['Date', 'wide']]}
          />
          {held.map(({ event, records }) => (
            <EventRecords key={event.eventId} {...{ model, event, records }} />
          ))}
        </table>
      )}
    </>
  );
};

interface EventRecordsProps {
  readonly model: Model;
  readonly event: EventOfPage;
  readonly records: Records;
}

const EventRecords = ({ model, event, records }: EventRecordsProps) => {
  const { base, category, region } = model;
  const typeOf = (type: ResultType) => (
    <a href={recordPath(base, { eventId: event.eventId, type, category, region })}>
      {RESULT_TYPE_NAMES[type]}
    </a>
  );
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={5}>
          {event.name}
        </th>
      </tr>
      {(['single', 'average'] as const).flatMap((type) => [
        ...records[type].map((record, index) => (
          <tr key={`${type} ${record.resultId}`}>
            <td>{index === 0 && typeOf(type)}</td>
            <td className="value">
              <RecordBadge tag={record.recordTag} category={categoryOf(record.contest.type)} />{' '}
              {valueText(type, record.result, event.format)}
            </td>
            <td>
              <PersonLinks persons={record.persons} />
            </td>
            <td className="wide">
              <ContestLink base={base} id={record.contest.competitionId} name={record.contest.shortName} />
            </td>
            <td className="wide">
              <Day date={record.date} />
            </td>
          </tr>
        )),
        ...records.references[type].map((reference, index) => (
          <tr key={`${type} ${reference.since}`}>
            <td>{records[type].length + index === 0 && typeOf(type)}</td>
            <td className="value">{valueText(type, reference.result, event.format)}</td>
            <td>
              <ReferenceHolder reference={reference} />
            </td>
            <td className="wide" />
            <td className="wide">
              <Day date={reference.since} />
            </td>
          </tr>
        )),
      ])}
    </tbody>
  );
};
