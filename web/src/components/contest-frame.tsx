/** The frame of a contest's pages: its name and dates, and links to its parts, its events and the rounds of an event. */
import { type ReactNode, useEffect, useRef } from 'react';
import type { ContestCover, PageModel } from '../../../src/pages/page-models.js';
import { dateRangeText } from '../format.js';
import { useIsDeleted, useIsDisconnected } from '../live-round.js';
import { roundName } from '../round-text.js';
import { ContestLocation, roundPath, StateBadge } from './contest-list.js';
import { isLive } from './round.js';

interface ContestHeadProps {
  readonly model: ContestCover & Pick<PageModel, 'page'>;
  /** The round that is shown; null: none. */
  readonly round?: { readonly eventId: string; readonly roundNumber: number } | null;
  /** More about the contest, in the line of its dates. */
  readonly children?: ReactNode;
}

export const contestPath = ({ base, contest }: Pick<ContestCover, 'base' | 'contest'>): string =>
  `${base}/contests/${contest.competitionId}`;

export const ContestHead = ({ model, round = null, children }: ContestHeadProps) => {
  const { contest } = model;
  const isDeleted = useIsDeleted();
  return (
    <>
      <h1>
        <bdi>{contest.name}</bdi> <StateBadge state={isDeleted ? 'deleted' : contest.state} />
      </h1>
      <p className="about">
        <span>{dateRangeText(contest.startDate, contest.endDate)}</span>
        <ContestLocation contest={contest} />
        {children}
      </p>
      <Parts model={model} />
      <Events model={model} round={round} />
      {isLive(contest.state) && <LiveStatus contests={`${model.base}/contests`} />}
    </>
  );
};

const currentIf = (isCurrent: boolean) => (isCurrent ? 'page' : undefined);

const Parts = ({ model }: Pick<ContestHeadProps, 'model'>) => {
  const { page, contest, hasSchedule, hasCompetitors } = model;
  const path = contestPath(model);
  return (
    <Tabs name="Contest">
      <a href={path} aria-current={currentIf(page === 'contest')}>
        {isLive(contest.state) ? 'Overview' : 'Podiums'}
      </a>
      {hasSchedule && <a href={`${path}/schedule`}>Schedule</a>}
      {hasCompetitors && (
        <a href={`${path}/competitors`} aria-current={currentIf(page === 'competitors')}>
          Competitors
        </a>
      )}
      {contest.events.length > 0 && (
        <a href={`${path}/results`} aria-current={currentIf(page === 'contest-results')}>
          All results
        </a>
      )}
    </Tabs>
  );
};

const Events = ({ model, round }: Required<Pick<ContestHeadProps, 'model' | 'round'>>) => {
  const { base, events, contest } = model;
  const rounds = contest.events.find(({ eventId }) => eventId === round?.eventId)?.rounds ?? [];
  return (
    <>
      {contest.events.length > 0 && (
        <Tabs name="Events">
          {contest.events.map(({ eventId }) => (
            <a
              key={eventId}
              href={`${contestPath(model)}/rounds/${eventId}`}
              aria-current={eventId === round?.eventId ? 'true' : undefined}
            >
              {eventName(events, eventId)}
            </a>
          ))}
        </Tabs>
      )}
      {round !== null && (
        <Tabs name={`Rounds of ${eventName(events, round.eventId)}`}>
          {rounds.map((tab) => (
            <a
              key={tab.roundNumber}
              href={roundPath(base, { ...contest, eventId: round.eventId, roundNumber: tab.roundNumber })}
              aria-current={currentIf(tab.roundNumber === round.roundNumber)}
            >
              {roundName(tab)}
            </a>
          ))}
        </Tabs>
      )}
    </>
  );
};

export const eventName = (events: ContestCover['events'], eventId: string): string =>
  events.find((event) => event.eventId === eventId)?.name ?? eventId;

/** On a phone the links are in one line, which scrolls to the current one. */
const Tabs = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => {
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = tabs.current?.querySelector<HTMLElement>('[aria-current]');
    if (tabs.current && current) tabs.current.scrollLeft = current.offsetLeft - tabs.current.offsetLeft - 16;
  }, []);
  return (
    <nav ref={tabs} className="tabs" aria-label={name}>
      {children}
    </nav>
  );
};

/** Always in the page, because screen readers announce only changes of an element that exists. */
const LiveStatus = ({ contests }: { readonly contests: string }) => {
  const isDisconnected = useIsDisconnected();
  const isDeleted = useIsDeleted();
  return (
    <p className="cut-off" role="status">
      {isDeleted ? (
        <>
          This contest was deleted while the page was open. You see its last state; its results no longer
          count. <a href={contests}>Other contests</a>
        </>
      ) : (
        isDisconnected && 'The connection is lost, so results may be missing. Connecting again…'
      )}
    </p>
  );
};
