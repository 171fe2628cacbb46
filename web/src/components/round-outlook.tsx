/** What the competitors of an open round need in their open attempts: folded away, and live when it is open. */
import { useState } from 'react';
import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import type { RoundView } from '../../../src/competition/contests/contest.queries.js';
import {
  awaitedIn,
  hallKey,
  type OutlookView,
  outlooksIn,
} from '../../../src/competition/hall/round-outlook.js';
import type { OneCategory } from '../../../src/domain/results.js';
import { ranksByAverage } from '../../../src/domain/scoring.js';
import { isLastOf, placeNeeds, possibleText, projectedText, recordNeeds } from '../outlook-text.js';
import { outlookAddress, useKnownOfCompetitors } from '../standings.js';
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
  const known = useKnownOfCompetitors(outlookAddress(live), round, event);
  const outlooks = outlooksIn(round, event, known);
  const isLast = isLastOf(outlooks, round);
  const persons = new Map(
    [...round.results, ...awaitedIn(round, event)].map((competitor) => [
      hallKey({ ...competitor, personIds: competitor.persons.map(({ id }) => id) }),
      competitor.persons,
    ]),
  );
  if (outlooks.length === 0) return <p className="empty">No competitor has an open attempt now.</p>;
  return (
    <ul className="outlooks">
      {outlooks.map((outlook) => (
        <li key={hallKey(outlook)}>
          <PersonLinks persons={persons.get(hallKey(outlook)) ?? []} />
          <p className="about">
            {factsOf(outlook, { event, round, category }, isLast).map(({ name, text }) => (
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
    outlook.isEveryAttempt
      ? { name: 'In', text: 'each attempt' }
      : { name: 'Attempt', text: String(outlook.attemptNumber) },
    ...fact(
      ranksByAverage(round.format) ? 'Average so far' : 'Best so far',
      projectedText(outlook, round, format),
    ),
    ...fact('Possible', possibleText(outlook, format)),
    ...placeNeeds(outlook, format, isLast),
    ...recordNeeds(outlook, format, category),
  ];
};
