/** The history of one record, as a chart and as a table. */

import { categoryOf } from '../../../src/domain/results.js';
import { textOrder } from '../../../src/domain/text-order.js';
import type { RecordPage as Model } from '../../../src/pages/page-models.js';
import { plottedValue } from '../chart-scale.js';
import { Chart, type ChartPoint } from '../components/chart.js';
import { ContestLink } from '../components/contest-list.js';
import { RecordBadge } from '../components/record-badge.js';
import { RecordsForm } from '../components/records-form.js';
import { ReferenceHolder } from '../components/reference-holder.js';
import { regionText } from '../components/region.js';
import { Attempts, competitorTitle, Day, NoResults, PersonLinks, TableHead } from '../components/results.js';
import { dateText, RESULT_TYPE_NAMES, valueText } from '../format.js';

type Held = Model['record']['history'][number];
type Reference = Model['record']['references'][number];

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
    {model.record.history.length + model.record.references.length === 0 ? (
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
  const { type, history, references } = model.record;
  const ofResults = history.flatMap((held): readonly ChartPoint[] => {
    const value = plottedValue(held.result, format, type);
    if (value === null) return [];
    const text = `${valueText(type, held.result, format)} ${namesOf(held)}, ${dateText(held.date)}`;
    return [{ key: held.resultId, date: held.date, value, text, isMarked: !held.tie }];
  });
  const ofReferences = references.flatMap(({ result, who, since, tie }): readonly ChartPoint[] => {
    const value = plottedValue(result, format, type);
    if (value === null) return [];
    const text = `${valueText(type, result, format)} ${who ?? ''} (reference), ${dateText(since)}`;
    return [{ key: `reference ${since}`, date: since, value, text, isMarked: !tie }];
  });
  const points = [...ofResults, ...ofReferences].sort((a, b) => textOrder(a.date, b.date));
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

/** Newest first. */
const heldOrReferred = ({ history, references }: Model['record']): readonly (Held | Reference)[] => {
  const dateOf = (held: Held | Reference): string => ('since' in held ? held.since : held.date);
  return [...references, ...history].sort((a, b) => textOrder(dateOf(a), dateOf(b))).reverse();
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
        {heldOrReferred(record).map((held) => (
          <tr
            key={'since' in held ? `reference ${held.since}` : held.resultId}
            className={held.until === null ? 'standing' : undefined}
          >
            <td>
              <Day date={'since' in held ? held.since : held.date} />
            </td>
            <td className="value">
              {'since' in held || (
                <RecordBadge tag={held.recordTag} category={categoryOf(held.contest.type)} />
              )}{' '}
              {valueText(record.type, held.result, format)}
              {held.tie && <span className="tie"> tie</span>}
            </td>
            <td>
              {'since' in held ? (
                <ReferenceHolder reference={held} />
              ) : (
                <PersonLinks persons={held.persons} />
              )}
            </td>
            <td className="wide">
              {'since' in held || (
                <ContestLink base={base} id={held.contest.competitionId} name={held.contest.shortName} />
              )}
            </td>
            <td className="wide">
              {'since' in held || (
                <Attempts attempts={held.attempts} format={format} isAveraged={record.type === 'average'} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
