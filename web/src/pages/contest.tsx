/** A contest: what goes on now, its podiums, and its organizers. */
import { Fragment, useEffect } from 'react';
import { categoryOf } from '../../../src/domain/results.js';
import type { ContestPage as Model } from '../../../src/pages/page-models.js';
import { ContestHead, contestPath } from '../components/contest-frame.js';
import { NowInRooms } from '../components/now-in-rooms.js';
import { OpenRounds } from '../components/open-rounds.js';
import { Podium } from '../components/podium.js';
import { isLive } from '../components/round.js';
import { useFreshPage, useNow } from '../fresh-page.js';
import { daysOf } from '../schedule-text.js';

export const ContestPage = ({ model: shown }: { readonly model: Model }) => {
  const model = useFreshPage(shown, isLive(shown.contest.state) ? contestPath(shown) : null);
  const { contest, events, organizers, openRounds, podiums, schedule } = model;
  const now = useNow();
  useFormerAddress(model);
  return (
    <>
      <ContestHead model={model}>{organizers.length > 0 && <Organizers names={organizers} />}</ContestHead>
      {openRounds.length > 0 && <OpenRounds model={model} />}
      {schedule !== null && now !== null && (
        <NowInRooms days={daysOf(schedule)} now={now} title="In the rooms" />
      )}
      {podiums.length > 0 && (
        <section aria-labelledby="podiums">
          <h2 id="podiums">Podiums</h2>
          <div className="podiums">
            {podiums.map((podium) => (
              <Podium
                key={podium.eventId}
                podium={podium}
                event={events.find(({ eventId }) => eventId === podium.eventId)}
                category={categoryOf(contest.type)}
                path={contestPath(model)}
              />
            ))}
          </div>
        </section>
      )}
      {podiums.length === 0 && openRounds.length === 0 && (
        <p className="empty">
          {contest.events.length === 0 ? 'No rounds are planned yet.' : 'There are no results yet.'}
        </p>
      )}
    </>
  );
};

/** Leads on from addresses of the time when all rounds were on this page: `#333-r1` and `#333`. */
const useFormerAddress = (model: Model): void => {
  const { events } = model.contest;
  const path = contestPath(model);
  useEffect(() => {
    const named = decodeURIComponent(location.hash.slice(1));
    for (const { eventId, rounds } of events) {
      const round = rounds.find(({ roundNumber }) => named === `${eventId}-r${roundNumber}`);
      if (round) location.replace(`${path}/rounds/${eventId}/${round.roundNumber}`);
      else if (named === eventId) location.replace(`${path}/rounds/${eventId}`);
    }
  }, [events, path]);
};

const Organizers = ({ names }: { readonly names: readonly string[] }) => (
  <span>
    Organized by{' '}
    {names.map((name, index) => (
      <Fragment key={name}>
        {index > 0 && ', '}
        <bdi>{name}</bdi>
      </Fragment>
    ))}
  </span>
);
