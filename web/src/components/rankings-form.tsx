/** Chooses a ranking list. It is a plain HTML form, so it works before the script has loaded. */
import type { RankingsPage } from '../../../src/pages/page-models.js';
import { RESULT_TYPE_NAMES } from '../format.js';
import { CATEGORY_OPTIONS, EventSelect, FilterSelect, Filters, RegionSelect } from './filters.js';
import { optionsFrom } from './options.js';

export const RANKING_TYPE_NAMES = { ...RESULT_TYPE_NAMES, 'all-avg-formats': 'Average, all formats' };

const TYPES = optionsFrom(RANKING_TYPE_NAMES);
const SHOWS = optionsFrom({ persons: 'Persons', results: 'Results' });
const LENGTHS = [10, 100, 1_000];

const lengths = (chosen: number) =>
  [...new Set([...LENGTHS, chosen])]
    .sort((a, b) => a - b)
    .map((length) => ({ value: String(length), name: String(length) }));

export const RankingsForm = ({ model }: { readonly model: RankingsPage }) => {
  const { base, events, list } = model;
  return (
    <Filters action={`${base}/rankings`}>
      <EventSelect events={events} value={list.eventId} />
      <FilterSelect name="type" label="Type" value={list.type} options={TYPES} />
      <FilterSelect name="category" label="Category" value={list.category} options={CATEGORY_OPTIONS} />
      <RegionSelect value={list.region} />
      <FilterSelect name="show" label="Show" value={list.show} options={SHOWS} />
      <FilterSelect name="topN" label="Top" value={String(list.topN)} options={lengths(list.topN)} />
      <button type="submit">Show</button>
    </Filters>
  );
};
