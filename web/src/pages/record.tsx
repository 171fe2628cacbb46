/** The history of one record, as a chart and as a table. */

import { categoryOf } from '../../../src/domain/results.js';
import type { RecordPage as Model } from '../../../src/pages/page-models.js';
import { plottedValue } from '../chart-scale.js';
import { Chart, type ChartPoint } from '../components/chart.js';
import { ContestLink } from '../components/contest-list.js';
import { RecordBadge } from '../components/record-badge.js';
import { RecordsForm } from '../components/records-form.js';
import { regionText } from '../components/region.js';
import { Attempts, competitorTitle, Day, NoResults, PersonLinks, TableHead } from '../components/results.js';
import { dateText, RESULT_TYPE_NAMES, valueText } from '../format.js';

type Held = Model['record']['history'][number];

const eventOf = ({ events, record }: Model) => events.find(({ eventId }) => eventId === record.eventId);

export const recordTitle = (model: Model): string => {
  const { eventId, type, region } = model.record;
  const name = eventOf(model)?.name ?? eventId;
  const where = region === null ? 'World record' : `Record · ${regionText(region)}`;
  return `${name} · ${RESULT_TYPE_NAMES[type]} · ${where}`;
};

export const RecordPage = ({ model }: { readonly model: Model }) => (
  <>
    <h1>{recordTitle(model)}</h1>
    <RecordsForm model={model} />
    {model.record.history.length === 0 ? (
      <NoResults />
    ) : (
      <>
        <HistoryChart model={model} />
        <History model={model} />
      </>
    )}
  </>
);

const namesOf = ({ persons }: Held): string => persons.map(({ name }) => name).join(', ');

const HistoryChart = ({ model }: { readonly model: Model }) => {
  const format = eventOf(model)?.format ?? 'time';
  const { type, history } = model.record;
  const points = history.flatMap((held): readonly ChartPoint[] => {
    const value = plottedValue(held.result, format, type);
    if (value === null) return [];
    const text = `${valueText(type, held.result, format)} ${namesOf(held)}, ${dateText(held.date)}`;
    return [{ key: held.resultId, date: held.date, value, text, isMarked: !held.tie }];
  });
  if (new Set(points.map(({ date }) => date)).size < 2) return null;
  return (
    <Chart
      id="history"
      title={recordTitle(model)}
      description="How the record came down over time. The table below has every value."
      format={format}
      series={[{ name: 'Record', points }]}
      form="steps"
    />
  );
};

const History = ({ model }: { readonly model: Model }) => {
  const { base, record } = model;
  const event = eventOf(model);
  const format = event?.format ?? 'time';
  return (
    <table className="results stacks records">
      <caption>History, newest first</caption>
      <TableHead
        columns={[
          ['Date'],
          [RESULT_TYPE_NAMES[record.type], 'value'],
          [competitorTitle(event)],
          ['Contest', 'wide'],
          ['Attempts', 'wide'],
        ]}
      />
      <tbody>
        {record.history.toReversed().map((held) => (
          <tr key={held.resultId} className={held.until === null ? 'standing' : undefined}>
            <td>
              <Day date={held.date} />
            </td>
            <td className="value">
              <RecordBadge tag={held.recordTag} category={categoryOf(held.contest.type)} />{' '}
              {valueText(record.type, held.result, format)}
              {held.tie && <span className="tie"> tie</span>}
            </td>
            <td>
              <PersonLinks persons={held.persons} />
            </td>
            <td className="wide">
              <ContestLink base={base} id={held.contest.competitionId} name={held.contest.shortName} />
            </td>
            <td className="wide">
              <Attempts attempts={held.attempts} format={format} isAveraged={record.type === 'average'} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
