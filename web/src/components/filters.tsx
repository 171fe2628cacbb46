/**
 * The forms that filter lists, and their selects. A choice by finger or mouse submits the form at once. A keyboard user
 * passes several options on the way to the wanted one, so the keyboard does not submit; the button does.
 */
import { type ReactNode, useEffect, useRef } from 'react';
import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import { CONTINENT_OPTIONS, COUNTRY_OPTIONS, type Option, Options, optionsFrom } from './options.js';

/** Shows the filter of the list, also when the reader comes back from another list. */
export const Filters = ({
  action,
  children,
}: {
  /** Null: the page itself. */
  readonly action: string | null;
  readonly children: ReactNode;
}) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // A page restored from the browser's cache still has the last choice. On a reload, autoComplete="off" resets the form.
    const reset = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) form.current?.reset();
    };
    addEventListener('pageshow', reset);
    return () => removeEventListener('pageshow', reset);
  }, []);
  return (
    <form ref={form} className="filters" method="get" autoComplete="off" {...(action !== null && { action })}>
      {children}
    </form>
  );
};

interface FilterSelectProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options?: readonly Option[];
  /** Options under headings, after the other options. */
  readonly groups?: Readonly<Record<string, readonly Option[]>>;
}

export const FilterSelect = ({ name, label, value, options = [], groups = {} }: FilterSelectProps) => {
  const isByKeyboard = useRef(false);
  return (
    <label>
      <span>{label}</span>
      <select
        name={name}
        defaultValue={value}
        onPointerDown={() => {
          isByKeyboard.current = false;
        }}
        onKeyDown={() => {
          isByKeyboard.current = true;
        }}
        onChange={({ target }) => {
          if (!isByKeyboard.current) target.form?.requestSubmit();
        }}
      >
        <Options options={options} />
        {Object.entries(groups).map(([heading, grouped]) => (
          <optgroup key={heading} label={heading}>
            <Options options={grouped} />
          </optgroup>
        ))}
      </select>
    </label>
  );
};

export const CATEGORY_OPTIONS = optionsFrom({
  all: 'All contests',
  competitions: 'Competitions',
  meetups: 'Meetups',
  online: 'Online',
});

const WORLD: readonly Option[] = [{ value: '', name: 'World' }];
const REGIONS = { Continents: CONTINENT_OPTIONS, Countries: COUNTRY_OPTIONS };

export const RegionSelect = ({ value }: { readonly value: string | null }) => (
  <FilterSelect name="region" label="Region" value={value ?? ''} options={WORLD} groups={REGIONS} />
);

/** `allName`: the name of the option for all events; without it there is no such option. */
export const EventSelect = ({
  events,
  value,
  allName,
}: {
  readonly events: readonly EventDefinition[];
  readonly value: string | null;
  readonly allName?: string;
}) => (
  <FilterSelect
    name="eventId"
    label="Event"
    value={value ?? ''}
    options={[
      ...(allName === undefined ? [] : [{ value: '', name: allName }]),
      ...events.map(({ eventId, name }) => ({ value: eventId, name })),
    ]}
  />
);
