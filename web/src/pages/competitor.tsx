/** A competitor in a contest: events, groups and duties with what is next, and results, which are live while rounds are open. */
import type { CompetitorPage as Model } from '../../../src/pages/page-models.js';
import { STATE_NAMES } from '../competitor-text.js';
import { Agenda } from '../components/agenda.js';
import { contestPath, eventName } from '../components/contest-frame.js';
import { ContestLink } from '../components/contest-list.js';
import { OwnResults } from '../components/own-results.js';
import { Region } from '../components/region.js';
import { PersonName } from '../components/results.js';
import { isLive } from '../components/round.js';
import { dateRangeText } from '../format.js';
import { useFreshPage } from '../fresh-page.js';

export const competitorTitle = ({ competitor, contest }: Model): string =>
  `${competitor.person.name} · ${contest.name}`;

export const CompetitorPage = ({ model: shown }: { readonly model: Model }) => {
  const own = `${contestPath(shown)}/competitors/${shown.competitor.number}`;
  const model = useFreshPage(shown, isLive(shown.contest.state) ? own : null);
  const { base, events, contest, competitor, appointments } = model;
  const { number, person, eventIds, state } = competitor;
  const planned = contest.events.filter(({ eventId }) => eventIds.includes(eventId));
  return (
    <>
      <h1>
        <PersonName of={person} />
      </h1>
      <p className="about">
        <ContestLink base={base} id={contest.competitionId} name={contest.name} />
        <span>{dateRangeText(contest.startDate, contest.endDate)}</span>
      </p>
      <p className="about">
        <Region code={person.regionCode} />
        <span>Number {number}</span>
        <span>{STATE_NAMES[state]}</span>
        <a className="unprinted" href={`${contestPath(model)}/competitors`}>
          All competitors
        </a>
        <a className="unprinted" href={`/persons/${person.id}`}>
          All results of this person
        </a>
      </p>
      <section aria-labelledby="events">
        <h2 id="events">Events</h2>
        {planned.length === 0 ? (
          <p className="empty">Registered for no event.</p>
        ) : (
          <ul className="chosen">
            {planned.map(({ eventId }) => (
              <li key={eventId}>
                <a href={`${contestPath(model)}/rounds/${eventId}`}>{eventName(events, eventId)}</a>
              </li>
            ))}
          </ul>
        )}
      </section>
      {appointments.length > 0 && (
        <Agenda appointments={appointments} calendar={`/api${base}${calendarPath(model)}`} />
      )}
      <OwnResults model={model} />
    </>
  );
};

const calendarPath = ({ contest, competitor }: Model): string =>
  `/competitions/${contest.competitionId}/competitors/${competitor.number}/schedule.ics`;
