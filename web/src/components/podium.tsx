/** The podium of an event: the first three places, ties whole, with their values and what records they were. */
import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import type { PodiumView } from '../../../src/competition/contests/contest.queries.js';
import type { OneCategory } from '../../../src/domain/results.js';
import { ranksByAverage } from '../../../src/domain/scoring.js';
import { competitorTitle, type HeadCell, PersonLinks, TableHead } from './results.js';
import { AverageValue, SingleValue } from './values.js';

interface PodiumProps {
  readonly podium: PodiumView;
  readonly event: EventDefinition | undefined;
  readonly category: OneCategory;
  /** Of the contest's page. */
  readonly path: string;
}

const MEDALS: Readonly<Record<number, string>> = { 1: 'gold', 2: 'silver', 3: 'bronze' };

export const Podium = ({ podium, event, category, path }: PodiumProps) => {
  const { eventId, roundNumber, format, results } = podium;
  if (event === undefined) return null;
  const hasAverages = results.some(({ average }) => average !== 0);
  const columns = format === null ? [] : valueColumns(ranksByAverage(format), hasAverages);
  return (
    <section className="podium" aria-labelledby={`podium-${eventId}`}>
      <h3 id={`podium-${eventId}`}>
        <a href={`${path}/rounds/${eventId}/${roundNumber}`}>{event.name}</a>
      </h3>
      <table className="results stacks scores">
        <caption className="hidden">Podium of {event.name}</caption>
        <TableHead
          columns={[
            ['#', 'place'],
            [competitorTitle(event)],
            ...columns.map(({ title }): HeadCell => [title, 'value']),
          ]}
        />
        <tbody>
          {results.map((result) => (
            <tr key={result.persons.map(({ id }) => id).join()} className={MEDALS[result.place]}>
              <td className="place">{result.place}</td>
              <td>
                <PersonLinks persons={result.persons} />
              </td>
              {columns.map(({ title, Value }, index) => (
                <td key={title} className={index === 0 ? 'value' : 'value secondary'}>
                  <Value of={result} event={event} category={category} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

/** First the one that decides. */
const valueColumns = (averaged: boolean, hasAverages: boolean) => {
  const single = { title: 'Single', Value: SingleValue };
  const average = { title: 'Average', Value: AverageValue };
  if (averaged) return [average, single];
  return hasAverages ? [single, average] : [single];
};
