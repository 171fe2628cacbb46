/**
 * The forms that filter lists, and their selects. What is chosen with a finger or a mouse sends the form at once. The keys go
 * from option to option and each is a choice, so who uses them sends the form by its button, when all is chosen.
 */
import { type ReactNode, useEffect, useRef } from 'react';
import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import { CONTINENT_OPTIONS, COUNTRY_OPTIONS, type Option, Options, optionsFrom } from './options.js';

/** Shows what the list is of, also when one comes back to it from the list that was chosen next. */
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
    // The browser may have kept the page as it was left; one that it loads again is told by autoComplete.
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
  /** Options under headings, behind the others. */
  readonly groups?: Readonly<Record<string, readonly Option[]>>;
}

export const FilterSelect = ({ name, label, value, options = [], groups = {} }: FilterSelectProps) => {
  const byKeys = useRef(false);
  return (
    <label>
      <span>{label}</span>
      <select
        name={name}
        defaultValue={value}
        onPointerDown={() => {
          byKeys.current = false;
        }}
        onKeyDown={() => {
          byKeys.current = true;
        }}
        onChange={({ target }) => {
          if (!byKeys.current) target.form?.requestSubmit();
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

/** `any`: what the choice of all events is called, where there is one. */
export const EventSelect = ({
  events,
  value,
  any,
}: {
  readonly events: readonly EventDefinition[];
  readonly value: string | null;
  readonly any?: string;
}) => (
  <FilterSelect
    name="eventId"
    label="Event"
    value={value ?? ''}
    options={[
      ...(any === undefined ? [] : [{ value: '', name: any }]),
      ...events.map(({ eventId, name }) => ({ value: eventId, name })),
    ]}
  />
);
