/** The live round beside the desk: the results, the checked ones among them, and a button that opens each card. */
import type {
  CompetitorView,
  RoundRosterView,
} from '../../../../../src/competition/contests/contest.queries.js';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type { EntrySheetView } from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import { ranksByAverage } from '../../../../../src/domain/scoring.js';
import { ProspectKey, ProspectText, prospectClass } from '../../../components/prospect.js';
import { Attempts, competitorTitle, TableHead } from '../../../components/results.js';
import { averageText, countText, resultText } from '../../../format.js';
import { type LiveRound, useIsDisconnected } from '../../../live-round.js';
import { progressText, provisionalText } from '../../../round-text.js';
import { Button } from '../../parts/button.js';
import { TeamNames } from './team-names.js';
import { isChecked } from './typists.js';

interface RoundListProps {
  readonly sheet: EntrySheetView;
  readonly live: LiveRound;
  /** By result id, the attempts at the time of the check. */
  readonly checked: ReadonlyMap<string, string>;
  readonly onPick: (persons: readonly PersonView[]) => void;
  readonly onNumber: (personIds: readonly number[]) => void;
}

export const RoundList = ({
  sheet,
  live: { round, changedIds },
  checked,
  onPick,
  onNumber,
}: RoundListProps) => {
  const { event, competitors } = sheet;
  const isDisconnected = useIsDisconnected();
  const isAveraged = ranksByAverage(round.format);
  const provisional = provisionalText(round);
  const numbers = new Map(competitors.map(({ number, person }) => [person.id, number]));
  return (
    <section className="round" aria-labelledby="desk-round">
      <h3 id="desk-round">
        In the round: {round.roster ? progressText(round.roster) : countText(round.results.length, 'result')}
        <span className="badge" role="status">
          {isDisconnected && 'Connecting again…'}
        </span>
      </h3>
      {round.roster && (
        <Missing of={round.roster} size={event.participants} numbers={numbers} onPick={onPick} />
      )}
      <WithoutNumbers competitors={competitors} onNumber={onNumber} />
      {provisional !== null && <p className="about">{provisional}</p>}
      {round.results.length === 0 ? (
        <p className="empty">No results yet.</p>
      ) : (
        <table className="results">
          <caption className="hidden">Results of the round</caption>
          <TableHead
            columns={[
              ['#', 'place'],
              [competitorTitle(event)],
              [isAveraged ? 'Average' : 'Single', 'value'],
              ['Attempts', 'wide'],
            ]}
          />
          <tbody>
            {round.results.map((result) => {
              const number = numbers.get(result.persons[0]?.id ?? 0) ?? null;
              const classes = [prospectClass(result, round), changedIds.has(result.resultId) && 'changed'];
              return (
                <tr key={result.resultId} className={classes.filter(Boolean).join(' ') || undefined}>
                  <td className="place">
                    {result.place}
                    <ProspectText of={result} round={round} />
                  </td>
                  <td>
                    <button type="button" className="link" onClick={() => onPick(result.persons)}>
                      {number !== null && <span className="quiet">{number} </span>}
                      <TeamNames of={result.persons} />
                    </button>{' '}
                    {isChecked(result, checked) && <span className="badge ongoing">checked</span>}
                  </td>
                  <td className="value">
                    {isAveraged
                      ? averageText(result.average, event.format)
                      : resultText(result.best, event.format)}
                  </td>
                  <td className="wide">
                    <Attempts
                      attempts={result.attempts}
                      format={event.format}
                      isAveraged={result.average !== 0}
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      <ProspectKey round={round} />
    </section>
  );
};

/** Who still has to come. Round 1 of a team event expects single persons, who make no card. */
const Missing = ({
  of: { missing },
  size,
  numbers,
  onPick,
}: Pick<RoundListProps, 'onPick'> & {
  readonly of: RoundRosterView;
  readonly size: number;
  readonly numbers: ReadonlyMap<number, number | null>;
}) => {
  const awaited = missing.filter(({ mark, persons }) => mark === 'expected' && persons.length === size);
  if (awaited.length === 0) return null;
  return (
    <details className="missing">
      <summary>Missing: {awaited.length}</summary>
      <ul>
        {awaited.map(({ persons }) => (
          <li key={persons.map(({ id }) => id).join()}>
            <button type="button" className="link" onClick={() => onPick(persons)}>
              <span className="quiet">{numbers.get(persons[0]?.id ?? 0)} </span>
              <TeamNames of={persons} />
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
};

/** Competitors without a number: devices have entered them, no desk has. */
const WithoutNumbers = ({
  competitors,
  onNumber,
}: {
  readonly competitors: readonly CompetitorView[];
  readonly onNumber: (personIds: readonly number[]) => void;
}) => {
  const without = competitors.filter(({ number }) => number === null);
  if (without.length === 0) return null;
  return (
    <p className="without-numbers">
      {without.length === 1 ? 'One competitor has' : `${without.length} competitors have`} no number.
      <Button isQuiet onPress={() => onNumber(without.map(({ person }) => person.id))}>
        Give numbers
      </Button>
    </p>
  );
};
