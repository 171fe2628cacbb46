/** A contest: its dates, location and organizers, and its rounds with their results. */
import { Fragment } from 'react';
import type { RoundView } from '../../../src/competition/contests/contest.queries.js';
import { categoryOf } from '../../../src/domain/results.js';
import type { ContestPage as Model } from '../../../src/pages/page-models.js';
import { ContestLocation, StateBadge } from '../components/contest-list.js';
import { OpaqueRound } from '../components/opaque-round.js';
import { isLive, Round } from '../components/round.js';
import { dateRangeText } from '../format.js';
import { useIsDeleted, useIsDisconnected } from '../live-round.js';

export const ContestPage = ({ model }: { readonly model: Model }) => {
  const { base, events, contest, hasSchedule } = model;
  const isDeleted = useIsDeleted();
  const planned = events.flatMap((event) => {
    const isOfEvent = ({ eventId }: { readonly eventId: string }): boolean => eventId === event.eventId;
    const rounds = contest.events.find(isOfEvent)?.rounds ?? [];
    const opaque = contest.opaqueRounds.filter(isOfEvent);
    return rounds.length + opaque.length === 0 ? [] : [{ event, rounds, opaque }];
  });
  const liveAddress = (eventId: string, roundNumber: number): string | null =>
    isLive(contest.state)
      ? `/api${base}/competitions/${contest.competitionId}/rounds/${eventId}/${roundNumber}/live`
      : null;
  return (
    <>
      <h1>
        <bdi>{contest.name}</bdi> <StateBadge state={isDeleted ? 'deleted' : contest.state} />
      </h1>
      <p className="about">
        <span>{dateRangeText(contest.startDate, contest.endDate)}</span>
        <ContestLocation contest={contest} />
        {contest.organizers.length > 0 && <Organizers names={contest.organizers} />}
        {hasSchedule && (
          <a className="unprinted" href={`${base}/contests/${contest.competitionId}/schedule`}>
            Schedule
          </a>
        )}
      </p>
      {planned.length > 1 && (
        <nav className="jump" aria-label="Events">
          {planned.map(({ event }) => (
            <a key={event.eventId} href={`#${event.eventId}`}>
              {event.name}
            </a>
          ))}
        </nav>
      )}
      {isLive(contest.state) && <LiveStatus contests={`${base}/contests`} />}
      {planned.length === 0 && <p className="empty">No rounds are planned yet.</p>}
      {planned.map(({ event, rounds, opaque }) => (
        <section key={event.eventId} id={event.eventId}>
          <h2 id={`${event.eventId}-name`}>
            <a href={`${base}/rankings/${event.eventId}/single/all`}>{event.name}</a>
          </h2>
          {opaque.toReversed().map((round) => (
            <OpaqueRound
              key={round.roundNumber}
              event={event}
              round={round}
              isFinal={[...rounds, ...opaque].every(({ roundNumber }) => roundNumber <= round.roundNumber)}
            />
          ))}
          {newestFirst(rounds).map((round) => (
            <Round
              key={round.roundNumber}
              event={event}
              shown={round}
              live={round.open ? liveAddress(event.eventId, round.roundNumber) : null}
              contestName={contest.name}
              category={categoryOf(contest.type)}
              cards={`${base}/contests/${contest.competitionId}/scorecards/${event.eventId}/${round.roundNumber}`}
            />
          ))}
        </section>
      ))}
    </>
  );
};

/** Rounds that have begun, newest first; then the planned ones in their order. */
const newestFirst = (rounds: readonly RoundView[]): readonly RoundView[] => {
  const hasBegun = ({ open, results }: RoundView): boolean => open || results.length > 0;
  return [...rounds.filter(hasBegun).toReversed(), ...rounds.filter((round) => !hasBegun(round))];
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

const Organizers = ({ names }: { readonly names: readonly string[] }) => (
  <span>
    Organised by{' '}
    {names.map((name, index) => (
      <Fragment key={name}>
        {index > 0 && ', '}
        <bdi>{name}</bdi>
      </Fragment>
    ))}
  </span>
);
