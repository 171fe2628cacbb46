/** The competitors of a contest, found by name or number as one types, and by event. */
import { useDeferredValue, useState } from 'react';
import type { ListedCompetitorView } from '../../../src/competition/contests/competitor-list.commands.js';
import type { CompetitorsPage as Model } from '../../../src/pages/page-models.js';
import { isMatch, STATE_NAMES } from '../competitor-text.js';
import { ContestHead, contestPath, eventName } from '../components/contest-frame.js';
import { EventSelect, Filters } from '../components/filters.js';
import { Region } from '../components/region.js';
import { PersonName, TableHead } from '../components/results.js';
import { countText } from '../format.js';

export const CompetitorsPage = ({ model }: { readonly model: Model }) => {
  const { events, contest, filter, competitors } = model;
  const [search, setSearch] = useState(filter.search);
  const searched = useDeferredValue(search);
  const found = competitors.filter((competitor) => isMatch(competitor, searched));
  const inContest = events.filter(({ eventId }) => contest.events.some((one) => one.eventId === eventId));
  return (
    <>
      <ContestHead model={model} />
      <h2>Competitors</h2>
      <search>
        <Filters action={`${contestPath(model)}/competitors`}>
          <label>
            <span>Name or number</span>
            <input
              name="search"
              type="search"
              defaultValue={filter.search}
              maxLength={100}
              onChange={({ target }) => setSearch(target.value)}
            />
          </label>
          <EventSelect events={inContest} value={filter.eventId} allName="All events" />
          <button type="submit">Show</button>
        </Filters>
      </search>
      <p className="count" role="status">
        {countText(found.length, 'competitor')}
        {filter.eventId !== null && ` in ${eventName(events, filter.eventId)}`}
      </p>
      {found.length > 0 && <Found model={model} found={found} />}
    </>
  );
};

const Found = ({
  model,
  found,
}: {
  readonly model: Model;
  readonly found: readonly ListedCompetitorView[];
}) => (
  <table className="results stacks competitors">
    <caption className="hidden">Competitors by number</caption>
    <TableHead
      columns={[['No.', 'place'], ['Name'], ['Country', 'wide'], ['State', 'wide'], ['Events', 'wide']]}
    />
    <tbody>
      {found.map(({ number, person, eventIds, state }) => (
        <tr key={number} className={state === 'withdrawn' ? 'withdrawn' : undefined}>
          <td className="place">{number}</td>
          <th scope="row">
            <a href={`${contestPath(model)}/competitors/${number}`}>
              <PersonName of={person} />
            </a>
          </th>
          <td className="wide">
            <Region code={person.regionCode} />
          </td>
          <td className="wide">{STATE_NAMES[state]}</td>
          <td className="wide">{eventIds.map((eventId) => eventName(model.events, eventId)).join(', ')}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
