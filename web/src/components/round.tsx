/** A round of a contest: its rules in words, and everybody's results, live while it is open. */
import type { ContestState, RoundResultView, RoundView } from '../../../src/contests/contest.queries.js';
import type { RoundFormat, TimeLimit, ValueFormat } from '../../../src/domain/attempts.js';
import { ranksByAverage } from '../../../src/domain/scoring.js';
import type { EventDefinition } from '../../../src/spaces/space.events.js';
import { averageText, dateText, resultText } from '../format.js';
import { useLiveRound } from '../live-round.js';
import { Attempts, Persons } from './results.js';

interface RoundProps {
  readonly event: EventDefinition;
  readonly shown: RoundView;
  /** Null where nothing can change any more. */
  readonly live: string | null;
  readonly isOnly: boolean;
}

export const isLive = (state: ContestState): boolean => state === 'ongoing' || state === 'announced';

export const Round = ({ event, shown, live, isOnly }: RoundProps) => {
  const { round, changed, connected } = useLiveRound(shown, live);
  const averaged = ranksByAverage(round.format);
  return (
    <section className="round" aria-labelledby={`${event.eventId}-r${round.roundNumber}`}>
      <h3 id={`${event.eventId}-r${round.roundNumber}`}>
        {isOnly ? 'Final' : roundName(round)}
        {round.open && <span className="badge ongoing">Open</span>}
        {connected === false && (
          <span className="badge" role="status">
            Connecting again…
          </span>
        )}
      </h3>
      <p className="about">
        {rulesOf(round, event.format).map((rule) => (
          <span key={rule}>{rule}</span>
        ))}
      </p>
      {round.results.length === 0 ? (
        <p className="empty">No results yet.</p>
      ) : (
        <table className="results">
          <thead>
            <tr>
              <th scope="col" className="place">
                #
              </th>
              <th scope="col">{event.participants > 1 ? 'Team' : 'Person'}</th>
              <th scope="col" className="value">
                {averaged ? 'Average' : 'Single'}
              </th>
              <th scope="col" className="value">
                {averaged ? 'Single' : 'Average'}
              </th>
              <th scope="col" className="wide">
                Attempts
              </th>
            </tr>
          </thead>
          <tbody>
            {round.results.map((result) => (
              <Row
                key={result.resultId}
                {...{ result, event, averaged }}
                isChanged={changed.has(result.resultId)}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};

const Row = ({
  result,
  event,
  averaged,
  isChanged,
}: {
  readonly result: RoundResultView;
  readonly event: EventDefinition;
  readonly averaged: boolean;
  readonly isChanged: boolean;
}) => {
  const single = resultText(result.best, event.format);
  const average = averageText(result.average, event.format);
  const classes = [result.advances ? 'advances' : '', isChanged ? 'changed' : ''].join(' ').trim();
  return (
    <tr className={classes === '' ? undefined : classes}>
      <td className="place">
        {result.place}
        {result.advances && <span className="hidden"> goes on to the next round</span>}
      </td>
      <td>
        <Persons persons={result.persons} />
      </td>
      <td className="value">{averaged ? average : single}</td>
      <td className="value secondary">{averaged ? single : average}</td>
      <td className="wide">
        <Attempts attempts={result.attempts} format={event.format} averaged={result.average !== 0} />
      </td>
    </tr>
  );
};

/** The association's kinds of rounds: the last one is `f`, or `c` with a cutoff. */
const roundName = ({ roundTypeId, roundNumber }: RoundView): string =>
  roundTypeId === 'f' || roundTypeId === 'c' ? 'Final' : `Round ${roundNumber}`;

const FORMAT_NAMES: Readonly<Record<RoundFormat, string>> = {
  '1': 'Best of 1',
  '2': 'Best of 2',
  '3': 'Best of 3',
  '5': 'Best of 5',
  m: 'Mean of 3',
  a: 'Average of 5',
};

const rulesOf = (
  { format, date, timeLimit, cutoff, advancement }: RoundView,
  values: ValueFormat,
): string[] => {
  const rules = [FORMAT_NAMES[format]];
  if (date !== null) rules.push(dateText(date));
  if (timeLimit !== null) rules.push(limitText(timeLimit));
  if (cutoff !== null) {
    const value = resultText(cutoff.attemptResult, values);
    rules.push(
      `Cutoff: under ${value} in ${cutoff.numberOfAttempts === 1 ? '1 attempt' : `${cutoff.numberOfAttempts} attempts`}`,
    );
  }
  if (advancement !== null) {
    rules.push(
      advancement.type === 'percent' ? `Top ${advancement.value}% go on` : `Top ${advancement.value} go on`,
    );
  }
  return rules;
};

const limitText = ({ centiseconds, cumulativeRounds }: TimeLimit): string => {
  const limit = resultText(centiseconds, 'time');
  return cumulativeRounds.length === 0
    ? `Time limit ${limit}`
    : `Time limit ${limit} over ${cumulativeRounds.join(', ')}`;
};
