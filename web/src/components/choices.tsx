/** The selects of the forms that filter lists. A form is sent as soon as a choice is made, where scripts run. */
import type { ChangeEvent } from 'react';
import { COUNTRIES_BY_CODE } from '../../../src/domain/regions.js';
import type { EventDefinition } from '../../../src/spaces/space.events.js';
import { CONTINENT_OPTIONS } from './region.js';

const submit = (event: ChangeEvent<HTMLSelectElement>): void => event.target.form?.requestSubmit();

interface Option {
  readonly value: string;
  readonly name: string;
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options?: readonly Option[];
  /** Options under headings, behind the others. */
  readonly groups?: Readonly<Record<string, readonly Option[]>>;
}

const optionsOf = (options: readonly Option[]) =>
  options.map(({ value, name }) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));

export const Choice = ({ name, label, value, options = [], groups = {} }: ChoiceProps) => (
  <label>
    <span>{label}</span>
    <select name={name} defaultValue={value} onChange={submit}>
      {optionsOf(options)}
      {Object.entries(groups).map(([heading, grouped]) => (
        <optgroup key={heading} label={heading}>
          {optionsOf(grouped)}
        </optgroup>
      ))}
    </select>
  </label>
);

export const optionsFrom = (names: Readonly<Record<string, string>>): readonly Option[] =>
  Object.entries(names).map(([value, name]) => ({ value, name }));

export const CATEGORY_OPTIONS = optionsFrom({
  all: 'All contests',
  competitions: 'Competitions',
  meetups: 'Meetups',
  online: 'Online',
});

const WORLD: readonly Option[] = [{ value: '', name: 'World' }];
const REGIONS = {
  Continents: CONTINENT_OPTIONS.map(({ code, name }) => ({ value: code, name })),
  Countries: [...COUNTRIES_BY_CODE.values()]
    .map(({ code, name }) => ({ value: code, name }))
    .sort((a, b) => (a.name < b.name ? -1 : 1)),
};

export const RegionChoice = ({ value }: { readonly value: string | null }) => (
  <Choice name="region" label="Region" value={value ?? ''} options={WORLD} groups={REGIONS} />
);

/** `any`: what the choice of all events is called, where there is one. */
export const EventChoice = ({
  events,
  value,
  any,
}: {
  readonly events: readonly EventDefinition[];
  readonly value: string | null;
  readonly any?: string;
}) => (
  <Choice
    name="eventId"
    label="Event"
    value={value ?? ''}
    options={[
      ...(any === undefined ? [] : [{ value: '', name: any }]),
      ...events.map(({ eventId, name }) => ({ value: eventId, name })),
    ]}
  />
);
