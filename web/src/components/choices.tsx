/**
 * The forms that filter lists, and their selects. What is chosen with a finger or a mouse sends the form at once. The keys go
 * from option to option and each is a choice, so who uses them sends the form by its button, when all is chosen.
 */
import { type ReactNode, useEffect, useRef } from 'react';
import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import { COUNTRIES_BY_CODE } from '../../../src/domain/regions.js';
import { CONTINENT_OPTIONS } from './region.js';

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

export const Choice = ({ name, label, value, options = [], groups = {} }: ChoiceProps) => {
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
        {optionsOf(options)}
        {Object.entries(groups).map(([heading, grouped]) => (
          <optgroup key={heading} label={heading}>
            {optionsOf(grouped)}
          </optgroup>
        ))}
      </select>
    </label>
  );
};

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
