/** A round of a contest: its rules and its results, which are live while the round is open. */
import { useRef } from 'react';
import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import type {
  ContestStage,
  RoundResultView,
  RoundRosterView,
  RoundView,
} from '../../../src/competition/contests/contest.queries.js';
import { awaitedIn } from '../../../src/competition/hall/round-outlook.js';
import type { RoundKey } from '../../../src/domain/references.js';
import type { OneCategory } from '../../../src/domain/results.js';
import { ranksByAverage } from '../../../src/domain/scoring.js';
import { useLiveRound } from '../live-round.js';
import { missingText, progressText, provisionalText, roundName, ruleTexts } from '../round-text.js';
import { ProspectKey, ProspectText, prospectClass } from './prospect.js';
import { Attempts, competitorTitle, PersonLinks, type PersonLinksProps, TableHead } from './results.js';
import { RoundOutlook } from './round-outlook.js';
import { AverageValue, SingleValue } from './values.js';

interface RoundProps {
  readonly event: EventDefinition;
  readonly shown: RoundView;
  /** Address of the round's event stream; null when the round cannot change any more. */
  readonly live: string | null;
  readonly contestName: string;
  /** Of the contest: its results were records in it. */
  readonly category: OneCategory;
  /** Address of its score cards. */
  readonly cards: string;
  readonly pathOf?: PersonLinksProps['pathOf'];
}

export const isLive = (state: ContestStage): boolean => state === 'ongoing' || state === 'announced';

type RoundOfContest = Omit<RoundKey, 'spaceId'>;

/** Address of the event stream of a round. */
export const liveAddress = (base: string, { competitionId, eventId, roundNumber }: RoundOfContest): string =>
  `/api${base}/competitions/${competitionId}/rounds/${eventId}/${roundNumber}/live`;

export const scoreCardsPath = (
  base: string,
  { competitionId, eventId, roundNumber }: RoundOfContest,
): string => `${base}/contests/${competitionId}/scorecards/${eventId}/${roundNumber}`;

export const Round = ({ event, shown, live, contestName, category, cards, pathOf }: RoundProps) => {
  const section = useRef<HTMLElement>(null);
  const { round, changedIds, isDeleted } = useLiveRound(shown, live, section);
  const id = `${event.eventId}-r${round.roundNumber}`;
  const averaged = ranksByAverage(round.format);
  const provisional = provisionalText(round);
  const hasCompetitors = round.results.length > 0 || awaitedIn(round, event).length > 0;
  return (
    <section className="round" aria-labelledby={`${event.eventId}-name ${id}`} ref={section}>
      <p className="printed" aria-hidden="true">
        <bdi>{contestName}</bdi> · {event.name}
      </p>
      <h3 id={id}>
        {roundName(round)}
        {round.open && !isDeleted && <span className="badge ongoing">Open</span>}
      </h3>
      <p className="about">
        {ruleTexts(round, event.format).map((rule) => (
          <span key={rule}>{rule}</span>
        ))}
        {round.roster && round.provisional && <Progress roster={round.roster} />}
        <a className="unprinted" href={cards}>
          Score cards
        </a>
      </p>
      {provisional !== null && <p className="about">{provisional}</p>}
      {round.results.length === 0 ? (
        <p className="empty">No results yet.</p>
      ) : (
        <table className="results stacks scores">
          <caption className="hidden">
            {event.name}, {roundName(round)}
          </caption>
          <TableHead
            columns={[
              ['#', 'place'],
              [competitorTitle(event)],
              [averaged ? 'Average' : 'Single', 'value'],
              [averaged ? 'Single' : 'Average', 'value'],
              ['Attempts', 'wide'],
            ]}
          />
          <tbody>
            {round.results.map((result) => (
              <Row
                key={result.resultId}
                {...{ result, round, event, category, averaged, pathOf }}
                isChanged={changedIds.has(result.resultId)}
              />
            ))}
          </tbody>
        </table>
      )}
      <ProspectKey round={round} />
      {live !== null && !isDeleted && round.open && hasCompetitors && (
        <RoundOutlook event={event} round={round} live={live} category={category} />
      )}
    </section>
  );
};

const Progress = ({ roster }: { readonly roster: RoundRosterView }) => {
  const missing = missingText(roster);
  return (
    <>
      <span>{progressText(roster)}</span>
      {missing !== null && <span>{missing}</span>}
    </>
  );
};

const Row = ({
  result,
  round,
  event,
  category,
  averaged,
  isChanged,
  pathOf,
}: Pick<RoundProps, 'event' | 'category' | 'pathOf'> & {
  readonly result: RoundResultView;
  readonly round: RoundView;
  readonly averaged: boolean;
  readonly isChanged: boolean;
}) => {
  const single = <SingleValue of={result} event={event} category={category} />;
  const average = <AverageValue of={result} event={event} category={category} />;
  const classes = [prospectClass(result, round), isChanged && 'changed'].filter(Boolean).join(' ');
  return (
    <tr className={classes === '' ? undefined : classes}>
      <td className="place">
        {result.place}
        <ProspectText of={result} round={round} />
      </td>
      <td>
        <PersonLinks persons={result.persons} {...(pathOf && { pathOf })} />
      </td>
      <td className="value">{averaged ? average : single}</td>
      <td className="value secondary">{averaged ? single : average}</td>
      <td className="wide">
        <Attempts attempts={result.attempts} format={event.format} isAveraged={result.average !== 0} />
      </td>
    </tr>
  );
};
