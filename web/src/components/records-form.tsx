/** Chooses region and category of the records; on the page of one record also event and type. */
import type { RecentRecordsPage, RecordPage, RecordsPage } from '../../../src/pages/page-models.js';
import { RESULT_TYPE_NAMES } from '../format.js';
import { CATEGORY_OPTIONS, EventSelect, FilterSelect, Filters, RegionSelect } from './filters.js';
import { optionsFrom } from './options.js';

const TYPES = optionsFrom(RESULT_TYPE_NAMES);

export const RecordsForm = ({ model }: { readonly model: RecordsPage | RecordPage | RecentRecordsPage }) => {
  const { base, events, category, region } = model.page === 'record' ? { ...model, ...model.record } : model;
  return (
    <Filters action={model.page === 'recent-records' ? null : `${base}/records`}>
      {model.page === 'record' && (
        <>
          <EventSelect events={events} value={model.record.eventId} />
          <FilterSelect name="type" label="Type" value={model.record.type} options={TYPES} />
        </>
      )}
      <FilterSelect name="category" label="Category" value={category} options={CATEGORY_OPTIONS} />
      <RegionSelect value={region} />
      <button type="submit">Show</button>
    </Filters>
  );
};

/** The path of the feed of new records. */
export const feedPath = ({
  base,
  category = 'all',
  region = null,
}: Pick<RecordsPage, 'base'> & Partial<Pick<RecordsPage, 'category' | 'region'>>): string => {
  const query = new URLSearchParams({
    ...(category !== 'all' && { category }),
    ...(region !== null && { region }),
  });
  return `/api${base}/records/recent.atom${query.size > 0 ? `?${query}` : ''}`;
};

/** The path of the page of one record. */
export const recordPath = (
  base: string,
  { eventId, type, category, region }: Omit<RecordPage['record'], 'current' | 'history' | 'references'>,
): string => {
  const query = region === null ? '' : `?region=${region}`;
  return `${base}/records/${eventId}/${type}/${category}${query}`;
};
