/** The newest records, with what each took the place of. */
import type { RecentRecordsPage as Model } from '../../../src/pages/page-models.js';
import { ContestLink } from '../components/contest-list.js';
import { RecordBadge } from '../components/record-badge.js';
import { feedPath, RecordsForm, recordPath } from '../components/records-form.js';
import { ReferenceHolder } from '../components/reference-holder.js';
import { regionText } from '../components/region.js';
import { Day, NoResults, PersonLinks, TableHead } from '../components/results.js';
import { RESULT_TYPE_NAMES, valueText } from '../format.js';

type Shown = Model['records'][number];

export const recentRecordsTitle = ({ region }: Pick<Model, 'region'>): string =>
  region === null ? 'New records' : `New records · ${regionText(region)}`;

export const RecentRecordsPage = ({ model }: { readonly model: Model }) => (
  <>
    <h1>{recentRecordsTitle(model)}</h1>
    <RecordsForm model={model} />
    {model.records.length === 0 ? <NoResults /> : <Records model={model} />}
    <p className="about">
      {model.first !== null && <a href={model.first}>Newest records</a>}
      {model.next !== null && <a href={model.next}>Older records</a>}
      <a href={feedPath(model)}>Atom feed</a>
    </p>
  </>
);

const Records = ({ model }: { readonly model: Model }) => (
  <table className="results stacks news">
    <caption className="hidden">{recentRecordsTitle(model)}, newest first</caption>
    <TableHead
      columns={[['Set by'], ['Event', 'wide'], ['Result', 'value'], ['Before', 'wide'], ['Contest', 'wide']]}
    />
    <tbody>
      {model.records.map((record) => (
        <Row key={record.recordId} model={model} record={record} />
      ))}
    </tbody>
  </table>
);

const Row = ({ model, record }: { readonly model: Model; readonly record: Shown }) => {
  const { base, events } = model;
  const { eventId, type, category, region, tag, contest } = record;
  const event = events.find((known) => known.eventId === eventId);
  return (
    <tr>
      <td>
        <PersonLinks persons={record.persons} />
      </td>
      <td className="wide">
        <a href={recordPath(base, { eventId, type, category, region })}>{event?.name ?? eventId}</a>{' '}
        <span className="quiet">{RESULT_TYPE_NAMES[type]}</span>
      </td>
      <td className="value">
        <RecordBadge tag={tag} category={category} />{' '}
        {valueText(type, record.result, event?.format ?? 'time')}
      </td>
      <td className="wide">
        <Before record={record} format={event?.format ?? 'time'} />
      </td>
      <td className="wide">
        <ContestLink base={base} id={contest.competitionId} name={contest.shortName} />{' '}
        <Day date={record.date} />
      </td>
    </tr>
  );
};

const Before = ({
  record: { type, previous, previousReference, tie },
  format,
}: {
  readonly record: Shown;
  readonly format: Model['events'][number]['format'];
}) => {
  const [first] = previous;
  if (!first)
    return (
      previousReference && (
        <span className="quiet">
          {tie ? 'equals ' : `${valueText(type, previousReference.result, format)} by `}
          <ReferenceHolder reference={previousReference} />, <Day date={previousReference.since} />
        </span>
      )
    );
  const others = previous.length - 1;
  return (
    <span className="quiet">
      {tie ? 'equals ' : `${valueText(type, first.result, format)} by `}
      <bdi>{first.persons.map(({ name }) => name).join(', ')}</bdi>
      {others > 0 && ` and ${others} more`}, <Day date={first.date} />
    </span>
  );
};
