/** Chooses region and category of the records; on the page of one record also event and type. */
import type { RecordPage, RecordsPage } from '../../../src/pages/page-models.js';
import { RESULT_TYPE_NAMES } from '../format.js';
import { CATEGORY_OPTIONS, EventSelect, FilterSelect, Filters, RegionSelect } from './filters.js';
import { optionsFrom } from './options.js';

const TYPES = optionsFrom(RESULT_TYPE_NAMES);

export const RecordsForm = ({ model }: { readonly model: RecordsPage | RecordPage }) => {
  const { base, events, category, region } = model.page === 'record' ? { ...model, ...model.record } : model;
  return (
    <Filters action={`${base}/records`}>
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

/** The path of the page of one record. */
export const recordPath = (
  base: string,
  { eventId, type, category, region }: Omit<RecordPage['record'], 'current' | 'history'>,
): string => {
  const query = region === null ? '' : `?region=${region}`;
  return `${base}/records/${eventId}/${type}/${category}${query}`;
};
