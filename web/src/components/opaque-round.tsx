/** A round of a format that Podium does not have, such as head to head: its places as the file of the contest gives them. */
import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import type { OpaqueRoundView } from '../../../src/competition/contests/contest.queries.js';
import { dateText } from '../format.js';
import { Attempts, competitorTitle, PersonLinks, TableHead } from './results.js';

export const OpaqueRound = ({
  event,
  round,
  isFinal,
}: {
  readonly event: EventDefinition;
  readonly round: OpaqueRoundView;
  readonly isFinal: boolean;
}) => {
  const id = `${event.eventId}-r${round.roundNumber}`;
  const name = `${isFinal ? 'Final' : `Round ${round.roundNumber}`}: head to head`;
  const hasAttempts = round.results.some(({ attempts }) => attempts.length > 0);
  return (
    <section className="round" aria-labelledby={`${event.eventId}-name ${id}`}>
      <h3 id={id}>{name}</h3>
      <p className="about">
        {round.date !== null && <span>{dateText(round.date)}</span>}
        <span>Places as the organisers gave them. They count for no ranking and no record.</span>
      </p>
      {round.results.length === 0 ? (
        <p className="empty">No results yet.</p>
      ) : (
        <table className="results stacks scores">
          <caption className="hidden">
            {event.name}, {name}
          </caption>
          <TableHead
            columns={[
              ['#', 'place'],
              [competitorTitle(event)],
              ...(hasAttempts ? [['Attempts', 'wide'] as const] : []),
            ]}
          />
          <tbody>
            {round.results.map(({ place, persons, attempts }) => (
              <tr key={persons.map((person) => person.id).join()}>
                <td className="place">{place}</td>
                <td>
                  <PersonLinks persons={persons} />
                </td>
                {hasAttempts && (
                  <td className="wide">
                    <Attempts attempts={attempts} format={event.format} isAveraged={false} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};
