/** What the competitors of an open round need in their next attempts: folded away, and live when it is open. */
import { useState } from 'react';
import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import type { RoundView } from '../../../src/competition/contests/contest.queries.js';
import { type OutlookView, outlooksIn } from '../../../src/competition/hall/round-outlook.js';
import type { OneCategory } from '../../../src/domain/results.js';
import { ranksByAverage } from '../../../src/domain/scoring.js';
import { placeNeeds, possibleText, projectedText, recordNeeds } from '../outlook-text.js';
import { outlookAddress, useStandings } from '../standings.js';
import { competitorTitle, PersonLinks, TableHead } from './results.js';

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
      {isOpen && <OutlookTable {...props} />}
    </details>
  );
};

const OutlookTable = ({ event, round, live, category }: RoundOutlookProps) => {
  const standings = useStandings(outlookAddress(live), round);
  const outlooks = outlooksIn(round, event, standings);
  if (outlooks.length === 0) return <p className="empty">No competitor has an open attempt now.</p>;
  return (
    <table className="results">
      <caption className="hidden">What is needed in the next attempts</caption>
      <TableHead
        columns={[
          [competitorTitle(event)],
          ['Attempt', 'value'],
          [ranksByAverage(round.format) ? 'Average so far' : 'Best so far', 'value'],
          ['Needed'],
        ]}
      />
      <tbody>
        {outlooks.map((outlook) => (
          <tr key={outlook.resultId}>
            <td>
              <PersonLinks
                persons={round.results.find(({ resultId }) => resultId === outlook.resultId)?.persons ?? []}
              />
            </td>
            <td className="value">{outlook.attemptNumber}</td>
            <td className="value">{projectedText(outlook, round, event.format)}</td>
            <td>
              <Needs outlook={outlook} event={event} category={category} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Needs = ({
  outlook,
  event: { format },
  category,
}: Pick<RoundOutlookProps, 'event' | 'category'> & { readonly outlook: OutlookView }) => {
  const possible = possibleText(outlook, format);
  const needs = [...placeNeeds(outlook, format), ...recordNeeds(outlook, format, category)];
  return (
    <ul className="needs">
      {possible !== null && <li>Average {possible}</li>}
      {needs.map(({ name, text }) => (
        <li key={name}>
          {name} <b>{text}</b>
        </li>
      ))}
    </ul>
  );
};
