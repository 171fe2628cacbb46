/** What the competitors of an open round need in their next attempts: folded away, and live when it is open. */
import { useState } from 'react';
import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import type { RoundView } from '../../../src/competition/contests/contest.queries.js';
import { type OutlookView, outlooksIn } from '../../../src/competition/hall/round-outlook.js';
import type { OneCategory } from '../../../src/domain/results.js';
import { ranksByAverage } from '../../../src/domain/scoring.js';
import { isLastOf, placeNeeds, possibleText, projectedText, recordNeeds } from '../outlook-text.js';
import { outlookAddress, useStandings } from '../standings.js';
import { PersonLinks } from './results.js';

interface RoundOutlookProps {
  readonly event: EventDefinition;
  readonly round: RoundView;
  /** Address of the round's event stream. */
  readonly live: string;
  readonly category: OneCategory;
}

export const RoundOutlook = (props: RoundOutlookProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="outlook unprinted" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What is needed</summary>
      {isOpen && <Outlooks {...props} />}
    </details>
  );
};

const Outlooks = ({ event, round, live, category }: RoundOutlookProps) => {
  const standings = useStandings(outlookAddress(live), round);
  const outlooks = outlooksIn(round, event, standings);
  if (outlooks.length === 0) return <p className="empty">No competitor has an open attempt now.</p>;
  return (
    <ul className="outlooks">
      {outlooks.map((outlook) => (
        <li key={outlook.resultId}>
          <PersonLinks
            persons={round.results.find(({ resultId }) => resultId === outlook.resultId)?.persons ?? []}
          />
          <p className="about">
            {factsOf(outlook, { event, round, category }, isLastOf(outlooks, round)).map(({ name, text }) => (
              <span key={name}>
                {name} <b>{text}</b>
              </span>
            ))}
          </p>
        </li>
      ))}
    </ul>
  );
};

const factsOf = (
  outlook: OutlookView,
  { event: { format }, round, category }: Pick<RoundOutlookProps, 'event' | 'round' | 'category'>,
  isLast: boolean,
) => {
  const fact = (name: string, text: string | null) => (text === null ? [] : [{ name, text }]);
  return [
    ...fact('Attempt', String(outlook.attemptNumber)),
    ...fact(
      ranksByAverage(round.format) ? 'Average so far' : 'Best so far',
      projectedText(outlook, round, format),
    ),
    ...fact('Possible', possibleText(outlook, format)),
    ...placeNeeds(outlook, format, isLast),
    ...recordNeeds(outlook, format, category),
  ];
};
