/** All contests, newest first, filtered by event and region. */
import type { ContestsPage as Model } from '../../../src/pages/page-models.js';
import { ContestList } from '../components/contest-list.js';
import { EventSelect, Filters, RegionSelect } from '../components/filters.js';
import { countText } from '../format.js';

export const ContestsPage = ({ model }: { readonly model: Model }) => {
  const { base, events, filter, contests, total, next } = model;
  return (
    <>
      <h1>Contests</h1>
      <Filters action={`${base}/contests`}>
        <EventSelect events={events} value={filter.eventId} allName="All events" />
        <RegionSelect value={filter.region} />
        <button type="submit">Show</button>
      </Filters>
      <p className="count">{countText(total, 'contest')}</p>
      <ContestList base={base} contests={contests} />
      {next !== null && (
        <p>
          <a href={next}>More contests</a>
        </p>
      )}
    </>
  );
};
