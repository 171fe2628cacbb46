/** A page of a round on a screen: places, names, attempts, averages and records, and what one competitor needs next. */
import type { ReactNode } from 'react';
import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import type { RoundResultView, RoundView } from '../../../src/competition/contests/contest.queries.js';
import {
  awaitedIn,
  hallKey,
  type OutlookView,
  outlooksIn,
} from '../../../src/competition/hall/round-outlook.js';
import type { OneCategory } from '../../../src/domain/results.js';
import { attemptsOf, ranksByAverage } from '../../../src/domain/scoring.js';
import { prospectClass } from '../components/prospect.js';
import { RecordBadge } from '../components/record-badge.js';
import { Flag } from '../components/region.js';
import { averageText, droppedIndexes, resultText } from '../format.js';
import { isLastOf, placeNeeds, possibleText, projectedText, recordNeeds } from '../outlook-text.js';
import { progressText, roundName } from '../round-text.js';
import { outlookAddress, useKnownOfCompetitors } from '../standings.js';
import type { SeenRound } from './use-screen.js';

interface RoundOnScreenProps {
  readonly event: EventDefinition;
  readonly seen: SeenRound;
  /** Address of the round's event stream. */
  readonly live: string;
  readonly category: OneCategory;
  readonly part: { readonly page: number; readonly pages: number; readonly rowsOfPage: number };
  /** Width of the screen by its height. */
  readonly aspect: number;
  /** Counts up: each competitor with an open attempt has a turn. */
  readonly ticks: number;
}

export const RoundOnScreen = (props: RoundOnScreenProps) => {
  const { event, live, category, aspect, ticks } = props;
  const { round, changedIds } = props.seen;
  const { page, pages, rowsOfPage } = props.part;
  const known = useKnownOfCompetitors(round.open ? outlookAddress(live) : null, round, event);
  const outlooks = outlooksIn(round, event, known);
  const byResult = new Map(outlooks.map((outlook) => [outlook.resultId, outlook]));
  const isLast = isLastOf(outlooks, round);
  const told = outlooks.flatMap((outlook) => {
    const needs = needsOf(outlook, isLast, { event, category });
    return needs.length === 0 ? [] : [{ outlook, needs }];
  });
  const started = told.filter(({ outlook }) => !outlook.isEveryAttempt);
  // Those without an attempt have their turn only until others have begun: there may be hundreds.
  const inTurn = started.length > 0 ? started : told;
  const spotlight = inTurn[ticks % Math.max(1, inTurn.length)];
  const rows = round.results.slice(page * rowsOfPage, (page + 1) * rowsOfPage);
  const attempts = hasRoom(round, event, aspect) ? attemptsOf(round.format) : 0;
  return (
    <>
      <div className="screen-title">
        <h1>
          {event.name}, {roundName(round)}
        </h1>
        <p>
          {round.roster && round.provisional && <span>{progressText(round.roster)}</span>}
          {pages > 1 && (
            <span>
              {page + 1}/{pages}
            </span>
          )}
        </p>
      </div>
      {rows.length === 0 ? (
        <p className="screen-empty">No results yet</p>
      ) : (
        <ol className={`screen-rows attempts-${attempts}`}>
          {rows.map((result) => (
            <Row
              key={result.resultId}
              {...{ result, round, event, category }}
              outlook={byResult.get(result.resultId) ?? null}
              withAttempts={attempts > 0}
              isChanged={changedIds.has(result.resultId)}
            />
          ))}
        </ol>
      )}
      {spotlight && <Spotlight {...spotlight} round={round} event={event} />}
    </>
  );
};

/** Of the screen's height: what a line holds beside the attempts, with half a name at least; and a character of an attempt. */
const WITHOUT_ATTEMPTS = 0.9;
const CHARACTER = 0.026;

/** Whether the attempts of a competitor fit a line without pressing the name to a letter or two. */
const hasRoom = ({ format, results }: RoundView, event: EventDefinition, aspect: number): boolean => {
  const lengths = results.flatMap(({ attempts }) =>
    attempts.map(({ result }) => resultText(result, event.format).length),
  );
  return WITHOUT_ATTEMPTS + Math.max(0, ...lengths) * attemptsOf(format) * CHARACTER <= aspect;
};

type Shown = Pick<RoundOnScreenProps, 'event' | 'category'> & { readonly round: RoundView };

const Row = ({
  result,
  round,
  event,
  category,
  outlook,
  withAttempts,
  isChanged,
}: Shown & {
  readonly result: RoundResultView;
  readonly outlook: OutlookView | null;
  readonly withAttempts: boolean;
  readonly isChanged: boolean;
}) => {
  const { best, average, recordTags, attempts } = result;
  const averaged = ranksByAverage(round.format);
  const single = (
    <Value badge={<RecordBadge tag={recordTags.single} category={category} />}>
      {resultText(best, event.format)}
    </Value>
  );
  const projected = averaged && average === 0 && outlook ? projectedText(outlook, round, event.format) : null;
  const mean = (
    <Value badge={<RecordBadge tag={recordTags.average} category={category} />}>
      {projected === null ? (
        averageText(average, event.format)
      ) : (
        <span className="projected" title="Average so far">
          ~{projected}
        </span>
      )}
    </Value>
  );
  const classes = [prospectClass(result, round), isChanged && 'changed'].filter(Boolean).join(' ');
  const values = attempts.map((attempt) => attempt.result);
  const dropped = average === 0 ? new Set() : droppedIndexes(values);
  return (
    <li className={classes}>
      <span className="place">{result.place}</span>
      <Flag
        code={result.persons.length === 1 ? (result.persons[0]?.regionCode ?? null) : result.regionCode}
      />
      <span className="name">{namesOf(result)}</span>
      {withAttempts &&
        values.map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the number of the attempt.
          <span key={index} className={dropped.has(index) ? 'attempt dropped' : 'attempt'}>
            {resultText(value, event.format)}
          </span>
        ))}
      {averaged ? mean : single}
      {averaged ? single : mean}
    </li>
  );
};

const Value = ({ badge, children }: { readonly badge: ReactNode; readonly children: ReactNode }) => (
  <span className="value">
    {badge} {children}
  </span>
);

const namesOf = ({ persons }: Pick<RoundResultView, 'persons'>): string =>
  persons.map(({ name }) => name).join(', ');

const needsOf = (
  outlook: OutlookView,
  isLast: boolean,
  { event: { format }, category }: Pick<Shown, 'event' | 'category'>,
) => [...placeNeeds(outlook, format, isLast), ...recordNeeds(outlook, format, category)];

/** One competitor with an open attempt. */
const Spotlight = ({
  outlook,
  needs,
  round,
  event,
}: Pick<Shown, 'round' | 'event'> & {
  readonly outlook: OutlookView;
  readonly needs: ReturnType<typeof needsOf>;
}) => {
  const competitor = [...round.results, ...awaitedIn(round, event)].find(
    ({ resultId, persons }) =>
      hallKey({ resultId, personIds: persons.map(({ id }) => id) }) === hallKey(outlook),
  );
  const possible = possibleText(outlook, event.format);
  return (
    <div className="spotlight">
      <p>
        <b className="name">{competitor && namesOf(competitor)}</b>
        <span>{outlook.isEveryAttempt ? 'each attempt' : `attempt ${outlook.attemptNumber}`}</span>
        {possible !== null && <span>average {possible}</span>}
      </p>
      <ul>
        {needs.map(({ name, text }) => (
          <li key={name}>
            {name} <b>{text}</b>
          </li>
        ))}
      </ul>
    </div>
  );
};
