/** One ranking list. Its address says which, so that a link shows the same list. */
import { regionName } from '../../../src/domain/regions.js';
import type { RankingsPage as Model } from '../../../src/pages/page-models.js';
import { RankingsForm, TYPE_NAMES } from '../components/rankings-form.js';
import { Attempts, Persons } from '../components/results.js';
import { averageText, dateText, resultText } from '../format.js';

type Entry = Model['entries'][number];

const eventOf = ({ events, list }: Model) => events.find(({ eventId }) => eventId === list.eventId);

export const rankingsTitle = (model: Model): string => {
  const { eventId, type, region } = model.list;
  const name = eventOf(model)?.name ?? eventId;
  return `${name} · ${TYPE_NAMES[type]} · ${region === null ? 'World' : (regionName(region) ?? region)}`;
};

export const RankingsPage = ({ model }: { readonly model: Model }) => (
  <>
    <h1>{rankingsTitle(model)}</h1>
    <RankingsForm model={model} />
    {model.entries.length === 0 ? (
      <p className="empty">Nobody has a result here yet.</p>
    ) : (
      <Entries model={model} />
    )}
  </>
);

const Entries = ({ model }: { readonly model: Model }) => {
  const { base, list, entries } = model;
  const event = eventOf(model);
  const format = event?.format ?? 'time';
  const isSingle = list.type === 'single';
  const valueText = isSingle ? resultText : averageText;
  return (
    <table className="results stacks rankings">
      <caption className="hidden">{rankingsTitle(model)}</caption>
      <thead>
        <tr>
          <th className="place" scope="col">
            #
          </th>
          <th scope="col">{(event?.participants ?? 1) > 1 ? 'Team' : 'Person'}</th>
          <th className="value" scope="col">
            {isSingle ? 'Single' : 'Average'}
          </th>
          <th className="wide" scope="col">
            Contest
          </th>
          <th className="wide" scope="col">
            Attempts
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.rankingId} className={medal(entry)}>
            <td className="place">{entry.ranking}</td>
            <td>
              <Persons persons={entry.persons} />
            </td>
            <td className="value">{valueText(entry.result, format)}</td>
            <td className="wide">
              <a href={`${base}/contests/${entry.contest.competitionId}`}>
                <bdi>{entry.contest.shortName}</bdi>
              </a>{' '}
              <time dateTime={entry.date}>{dateText(entry.date)}</time>
            </td>
            <td className="wide">
              <Attempts attempts={entry.attempts} format={format} averaged={!isSingle} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const MEDALS = ['gold', 'silver', 'bronze'];

const medal = ({ ranking }: Entry): string | undefined => MEDALS[ranking - 1];
