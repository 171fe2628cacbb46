/** The parts of every table of results: the head, the competitors, the day and the attempts. */

import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import type { PersonView } from '../../../src/competition/persons/person.queries.js';
import type { ValueFormat } from '../../../src/domain/attempts.js';
import { dateText, droppedIndexes, resultText } from '../format.js';
import { Flag } from './region.js';

/** Each name keeps its own writing direction. */
export const PersonName = ({ of: { name, localizedName } }: { readonly of: NamedPerson }) => (
  <>
    <bdi>{name}</bdi>
    {localizedName !== null && (
      <span className="localized">
        {' '}
        (<bdi>{localizedName}</bdi>)
      </span>
    )}
  </>
);

type NamedPerson = Pick<PersonView, 'name' | 'localizedName'>;

/** The page of a person. */
const personPath = (personId: number): string => `/persons/${personId}`;

export interface PersonLinksProps {
  readonly persons: readonly PersonView[];
  /** Where the names lead to: by default to the pages of the persons. */
  readonly pathOf?: (personId: number) => string;
}

export const PersonLinks = ({ persons, pathOf = personPath }: PersonLinksProps) => (
  <span className="persons">
    {persons.map((person) => (
      <span key={person.id} className="person">
        <Flag code={person.regionCode} />
        <a href={pathOf(person.id)}>
          <PersonName of={person} />
        </a>
      </span>
    ))}
  </span>
);

/** The title of the column with an event's competitors. */
export const competitorTitle = (event: Pick<EventDefinition, 'participants'> | undefined): string =>
  (event?.participants ?? 1) > 1 ? 'Team' : 'Person';

/** `date`: YYYY-MM-DD. */
export const Day = ({ date }: { readonly date: string }) => <time dateTime={date}>{dateText(date)}</time>;

/** A column's title, and its class when it has one. Only screen readers get the title of a column of `row-actions`. */
export type HeadCell = readonly [title: string, className?: string];

export const TableHead = ({ columns }: { readonly columns: readonly HeadCell[] }) => (
  <thead>
    <tr>
      {columns.map(([title, className]) => (
        <th key={title} scope="col" className={className}>
          {className === 'row-actions' ? <span className="hidden">{title}</span> : title}
        </th>
      ))}
    </tr>
  </thead>
);

export const NoResults = () => <p className="empty">There are no results here yet.</p>;

interface AttemptsProps {
  readonly attempts: readonly { readonly result: number }[];
  readonly format: ValueFormat;
  /** Puts the best and the worst of five in brackets. */
  readonly isAveraged: boolean;
}

export const Attempts = ({ attempts, format, isAveraged }: AttemptsProps) => {
  const values = attempts.map(({ result }) => result);
  const dropped = isAveraged ? droppedIndexes(values) : new Set<number>();
  const best = Math.min(...values.filter((value) => value > 0));
  return (
    <ol className="attempts">
      {values.map((value, index) => {
        const text = resultText(value, format);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the number of the attempt.
          <li key={index} className={value === best ? 'best' : undefined}>
            {dropped.has(index) ? `(${text})` : text}
          </li>
        );
      })}
    </ol>
  );
};
