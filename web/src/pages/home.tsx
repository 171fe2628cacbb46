/** The first page: current, upcoming and recent contests, the newest records, and links to the rankings of every event. */
import type { HomePage as Model } from '../../../src/pages/page-models.js';
import { ContestList } from '../components/contest-list.js';
import { RecordTicker } from '../components/record-ticker.js';

export const HomePage = ({ model }: { readonly model: Model }) => {
  const { base, events, ongoing, coming, recent } = model;
  const lists = [
    { title: 'On now', contests: ongoing },
    { title: 'Upcoming', contests: coming },
    { title: 'Latest results', contests: recent },
  ].filter(({ contests }) => contests.length > 0);
  return (
    <>
      <h1>Contests, results and rankings</h1>
      <div className="columns">
        <div>
          {lists.length === 0 && <p className="empty">No contest has been announced yet.</p>}
          {lists.map(({ title, contests }) => (
            <section key={title}>
              <h2>{title}</h2>
              <ContestList base={base} contests={contests} />
            </section>
          ))}
        </div>
        <div>
          <RecordTicker model={model} />
          <section>
            <h2>Rankings</h2>
            <ul className="events">
              {events.map(({ eventId, name }) => (
                <li key={eventId}>
                  <a href={`${base}/rankings/${eventId}/single/all`}>{name}</a>
                </li>
              ))}
            </ul>
          </section>
        </div>
      </div>
    </>
  );
};
