/** A person: the bests in each event with their places, and every result as a chart and a table. */
import type { PersonPage as Model } from '../../../src/pages/page-models.js';
import { ContestLink, roundPath } from '../components/contest-list.js';
import { PersonalBests } from '../components/personal-bests.js';
import { Region } from '../components/region.js';
import { Attempts, Day, type HeadCell, PersonLinks, PersonName, TableHead } from '../components/results.js';
import { ResultsChart } from '../components/results-chart.js';
import { AverageValue, SingleValue } from '../components/values.js';

type Result = Model['person']['results'][number];
type EventOfPage = Model['events'][number];

/** A person's results in one event. */
interface EventResults {
  readonly event: EventOfPage;
  readonly results: readonly Result[];
}

export const PersonPage = ({ model }: { readonly model: Model }) => {
  const { base, events, person } = model;
  const entered = events
    .map((event) => ({ event, results: person.results.filter(({ eventId }) => eventId === event.eventId) }))
    .filter(({ results }) => results.length > 0);
  return (
    <>
      <h1>
        <PersonName of={person} />
      </h1>
      <p className="about">
        <Region code={person.regionCode} />
        {person.assocId !== null && <span>{person.assocId}</span>}
      </p>
      {entered.length === 0 ? (
        <p className="empty">No results yet.</p>
      ) : (
        <PersonalBests base={base} events={events} bests={person.bests} />
      )}
      {entered.map(({ event, results }) => (
        <section key={event.eventId} id={event.eventId}>
          <h2>
            <a href={`${base}/rankings/${event.eventId}/single/all`}>{event.name}</a>
          </h2>
          <ResultsChart name={person.name} event={event} results={results} />
          <Results base={base} event={event} results={results} />
        </section>
      ))}
    </>
  );
};

const Results = ({ base, event, results }: EventResults & { readonly base: string }) => {
  const isTeam = event.participants > 1;
  const team: readonly HeadCell[] = isTeam ? [['Team', 'team']] : [];
  return (
    <table className="results stacks of-person">
      <caption className="hidden">Results in {event.name}, newest first</caption>
      <TableHead
        columns={[
          ['Contest'],
          ['Round'],
          ...team,
          ['Single', 'value'],
          ['Average', 'value'],
          ['Attempts', 'wide'],
        ]}
      />
      <tbody>
        {results.map((result) => (
          <tr key={result.resultId}>
            <td>
              <ContestLink base={base} id={result.competitionId} name={result.contestName} />{' '}
              <Day date={result.date} />
            </td>
            <td>
              <a
                href={roundPath(base, result)}
                aria-label={`Round ${result.roundNumber} of ${result.contestName}`}
              >
                {result.roundNumber}
              </a>
            </td>
            {isTeam && (
              <td className="team">
                <PersonLinks persons={result.persons} />
              </td>
            )}
            <td className="value">
              <SingleValue of={result} event={event} category={result.category} />
            </td>
            <td className="value">
              <AverageValue of={result} event={event} category={result.category} />
            </td>
            <td className="wide">
              <Attempts attempts={result.attempts} format={event.format} isAveraged={result.average !== 0} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
