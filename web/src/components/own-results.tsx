/** The results of a competitor in a contest by event and round. An open round is followed while it is visible. */
import { useRef } from 'react';
import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import type { RoundResultView, RoundView } from '../../../src/competition/contests/contest.queries.js';
import { ownPartOf } from '../../../src/competition/contests/own-part.js';
import { categoryOf } from '../../../src/domain/results.js';
import type { CompetitorPage } from '../../../src/pages/page-models.js';
import { useLiveRound } from '../live-round.js';
import { roundName } from '../round-text.js';
import { roundPath } from './contest-list.js';
import { prospectText } from './prospect.js';
import { Attempts, PersonLinks, TableHead } from './results.js';
import { isLive, liveAddress } from './round.js';
import { AverageValue, SingleValue } from './values.js';

export const OwnResults = ({ model }: { readonly model: CompetitorPage }) => {
  const { events, rounds } = model;
  const entered = events
    .map((event) => ({ event, own: rounds.filter(({ eventId }) => eventId === event.eventId) }))
    .filter(({ own }) => own.length > 0);
  return (
    <section aria-labelledby="results">
      <h2 id="results">Results</h2>
      {entered.length === 0 ? (
        <p className="empty">No results yet.</p>
      ) : (
        <table className="results stacks of-contest">
          <caption className="hidden">Results by event and round</caption>
          <TableHead
            columns={[
              ['Round'],
              ['Place', 'value'],
              ['Single', 'value'],
              ['Average', 'value'],
              ['Attempts', 'wide'],
              ['Standing', 'wide'],
            ]}
          />
          {entered.map(({ event, own }) => (
            <tbody key={event.eventId}>
              <tr>
                <th scope="rowgroup" colSpan={6}>
                  {event.name}
                </th>
              </tr>
              {own.toReversed().map(({ round }) => (
                <OwnRound
                  // A round that was opened or closed begins anew.
                  key={`${round.roundNumber} ${round.open}`}
                  model={model}
                  event={event}
                  shown={round}
                />
              ))}
            </tbody>
          ))}
        </table>
      )}
    </section>
  );
};

interface OwnRoundProps {
  readonly model: CompetitorPage;
  readonly event: EventDefinition;
  readonly shown: RoundView;
}

const OwnRound = ({ model: { base, contest, competitor }, event, shown }: OwnRoundProps) => {
  const row = useRef<HTMLTableRowElement>(null);
  const key = { competitionId: contest.competitionId, ...event, roundNumber: shown.roundNumber };
  const isFollowed = shown.open && isLive(contest.state);
  const { round, changedIds } = useLiveRound(shown, isFollowed ? liveAddress(base, key) : null, row);
  const own = ownPartOf(round, competitor.person.id);
  const result = own?.results[0];
  const category = categoryOf(contest.type);
  return (
    <tr ref={row} className={result && changedIds.has(result.resultId) ? 'changed' : undefined}>
      <td>
        <a href={roundPath(base, key)}>{roundName(round)}</a>{' '}
        {round.open && <span className="badge ongoing">Open</span>}
        {result && result.persons.length > 1 && <PersonLinks persons={result.persons} />}
      </td>
      <td className="value">{result?.place}</td>
      <td className="value">{result && <SingleValue of={result} event={event} category={category} />}</td>
      <td className="value">{result && <AverageValue of={result} event={event} category={category} />}</td>
      <td className="wide">
        {result && (
          <Attempts attempts={result.attempts} format={event.format} isAveraged={result.average !== 0} />
        )}
      </td>
      <td className="wide">{result ? standingText(result, round) : absenceText(own)}</td>
    </tr>
  );
};

const standingText = (result: RoundResultView, round: RoundView): string =>
  [round.provisional ? 'provisional' : null, prospectText(result, round)]
    .filter((part) => part !== null)
    .join(', ');

const ABSENCES: Readonly<Partial<Record<string, string>>> = { 'no-show': 'did not come', quit: 'has quit' };

/** Null: neither expected nor entered any more. */
const absenceText = (own: RoundView | null): string => {
  const mark = own?.roster?.missing[0]?.mark;
  if (mark === undefined) return '';
  return ABSENCES[mark] ?? 'no result yet';
};
