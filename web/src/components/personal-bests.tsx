/** A person's bests in each event, with their places in the world, on the continent and in the country. */

import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import type {
  PersonBestsView,
  PersonBestView,
} from '../../../src/competition/persons/person-results.queries.js';
import { RESULT_TYPE_NAMES, type ResultType, valueText } from '../format.js';
import { recordPath } from './records-form.js';
import { regionText } from './region.js';
import { TableHead } from './results.js';

interface BestsProps {
  readonly base: string;
  readonly events: readonly EventDefinition[];
  readonly bests: readonly PersonBestsView[];
}

export const PersonalBests = ({ base, events, bests }: BestsProps) => (
  <table className="results stacks bests">
    <caption>Personal bests</caption>
    <TableHead
      columns={[
        ['Type'],
        ['Result', 'value'],
        ['World', 'value'],
        ['Continent', 'value'],
        ['Country', 'value'],
        ['Record', 'wide'],
      ]}
    />
    {bests.map(({ eventId, single, average }) => {
      const event = events.find((known) => known.eventId === eventId);
      if (!event || (!single && !average)) return null;
      return (
        <tbody key={eventId}>
          <tr>
            <th scope="rowgroup" colSpan={6}>
              <a href={`#${eventId}`}>{event.name}</a>
            </th>
          </tr>
          {single && <Best type="single" best={single} {...{ base, event }} />}
          {average && <Best type="average" best={average} {...{ base, event }} />}
        </tbody>
      );
    })}
  </table>
);

interface BestProps {
  readonly base: string;
  readonly event: EventDefinition;
  readonly type: ResultType;
  readonly best: PersonBestView;
}

const Best = ({ base, event, type, best }: BestProps) => {
  const { eventId, format } = event;
  const record = best.places.find(({ place }) => place === 1);
  return (
    <tr>
      <td>{RESULT_TYPE_NAMES[type]}</td>
      <td className="value">{valueText(type, best.value, format)}</td>
      {COLUMNS.map((column) => {
        const found = best.places.find(({ region }) => columnOf(region) === column);
        return (
          <td key={column} className={found?.place === 1 ? 'value first' : 'value secondary'}>
            {found?.place}
          </td>
        );
      })}
      <td className="wide">
        {record && (
          <a href={recordPath(base, { eventId, type, category: 'all', region: record.region })}>
            {recordName(record.region)}
          </a>
        )}
      </td>
    </tr>
  );
};

const COLUMNS = ['world', 'continent', 'country'] as const;

/** Codes of continents begin with X; codes of countries do not. */
const columnOf = (region: string | null): (typeof COLUMNS)[number] => {
  if (region === null) return 'world';
  return region.startsWith('X') ? 'continent' : 'country';
};

const recordName = (region: string | null): string =>
  region === null ? 'World record' : `Record of ${regionText(region)}`;
