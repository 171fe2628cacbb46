/** One ranking list. All its parameters are in the address, so a link shows the same list. */

import { categoryOf } from '../../../src/domain/results.js';
import type { RankingsPage as Model } from '../../../src/pages/page-models.js';
import { ContestLink } from '../components/contest-list.js';
import { RANKING_TYPE_NAMES, RankingsForm } from '../components/rankings-form.js';
import { RecordBadge } from '../components/record-badge.js';
import { regionText } from '../components/region.js';
import { Attempts, competitorTitle, Day, NoResults, PersonLinks, TableHead } from '../components/results.js';
import { RESULT_TYPE_NAMES, valueText } from '../format.js';

type Entry = Model['entries'][number];

const eventOf = ({ events, list }: Model) => events.find(({ eventId }) => eventId === list.eventId);

export const rankingsTitle = (model: Model): string => {
  const { eventId, type, region } = model.list;
  const name = eventOf(model)?.name ?? eventId;
  return `${name} · ${RANKING_TYPE_NAMES[type]} · ${regionText(region) ?? 'World'}`;
};

export const RankingsPage = ({ model }: { readonly model: Model }) => (
  <>
    <h1>{rankingsTitle(model)}</h1>
    <RankingsForm model={model} />
    {model.entries.length === 0 ? <NoResults /> : <Entries model={model} />}
  </>
);

const Entries = ({ model }: { readonly model: Model }) => {
  const { base, list, entries } = model;
  const event = eventOf(model);
  const format = event?.format ?? 'time';
  const type = list.type === 'single' ? 'single' : 'average';
  return (
    <table className="results stacks rankings">
      <caption className="hidden">{rankingsTitle(model)}</caption>
      <TableHead
        columns={[
          ['#', 'place'],
          [competitorTitle(event)],
          [RESULT_TYPE_NAMES[type], 'value'],
          ['Contest', 'wide'],
          ['Attempts', 'wide'],
        ]}
      />
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.rankingId} className={medal(entry)}>
            <td className="place">{entry.ranking}</td>
            <td>
              <PersonLinks persons={entry.persons} />
            </td>
            <td className="value">
              <RecordBadge tag={shownTag(entry, list)} category={categoryOf(entry.contest.type)} />{' '}
              {valueText(type, entry.result, format)}
            </td>
            <td className="wide">
              <ContestLink base={base} id={entry.contest.competitionId} name={entry.contest.shortName} />{' '}
              <Day date={entry.date} />
            </td>
            <td className="wide">
              <Attempts attempts={entry.attempts} format={format} isAveraged={type === 'average'} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** A list of persons has everybody's best, so it goes without saying that most are personal records. */
const shownTag = ({ recordTag }: Entry, { show }: Model['list']): Entry['recordTag'] =>
  show === 'persons' && recordTag === 'PR' ? null : recordTag;

const MEDALS = ['gold', 'silver', 'bronze'];

const medal = ({ ranking }: Entry): string | undefined => MEDALS[ranking - 1];
