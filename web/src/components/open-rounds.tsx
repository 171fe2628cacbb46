/** The open rounds of a contest: how far each is, and who leads. */
import type { OpenRoundView } from '../../../src/competition/contests/contest.queries.js';
import { categoryOf } from '../../../src/domain/results.js';
import { ranksByAverage } from '../../../src/domain/scoring.js';
import type { ContestPage } from '../../../src/pages/page-models.js';
import { countText } from '../format.js';
import { progressText, roundName } from '../round-text.js';
import { contestPath, eventName } from './contest-frame.js';
import { PersonLinks, TableHead } from './results.js';
import { AverageValue, SingleValue } from './values.js';

export const OpenRounds = ({ model }: { readonly model: ContestPage }) => (
  <section aria-labelledby="open-rounds">
    <h2 id="open-rounds">
      Now <span className="badge ongoing">{countText(model.openRounds.length, 'open round')}</span>
    </h2>
    <table className="results stacks open-rounds">
      <caption className="hidden">Open rounds</caption>
      <TableHead columns={[['Round'], ['Leads', 'wide'], ['Best', 'value'], ['Entered', 'wide']]} />
      <tbody>
        {model.openRounds.map((round) => (
          <OpenRound key={`${round.eventId} ${round.roundNumber}`} model={model} round={round} />
        ))}
      </tbody>
    </table>
  </section>
);

const OpenRound = ({ model, round }: { readonly model: ContestPage; readonly round: OpenRoundView }) => {
  const { eventId, roundNumber, format, leaders, entered, progress } = round;
  const event = model.events.find((known) => known.eventId === eventId);
  const [leader] = leaders;
  const Value = ranksByAverage(format) && leader && (leader.average ?? 0) > 0 ? AverageValue : SingleValue;
  return (
    <tr>
      <td>
        <a href={`${contestPath(model)}/rounds/${eventId}/${roundNumber}`}>
          {eventName(model.events, eventId)}, {roundName(round)}
        </a>
      </td>
      <td className="wide">
        {leader && <PersonLinks persons={leaders.flatMap(({ persons }) => persons)} />}
      </td>
      <td className="value">
        {event && leader && <Value of={leader} event={event} category={categoryOf(model.contest.type)} />}
      </td>
      <td className="wide">{progress ? progressText(progress) : countText(entered, 'result')}</td>
    </tr>
  );
};
