/** The facets beside a list of entries. On a narrow screen they are folded, and are counted only when they are open. */
import { useQuery } from '@tanstack/react-query';
import { memo, useMemo, useState, useSyncExternalStore } from 'react';
import { SelectField } from '../../parts/field.js';
import { ProblemNotice } from '../../parts/notice.js';
import { numberText } from '../../parts/number-text.js';
import { type FacetNames, fieldsIn } from './chosen-facets.js';
import { entriesIn } from './entries.js';
import { type Answered, addable, type Facet, type FacetValue, facetsOf, valuesIn } from './facets.js';
import type { LogQuery } from './log-query.js';
import { isNested } from './paths.js';
import { AFTER_CANCELLED, runQuery } from './requests.js';

export interface FacetsProps extends Answered {
  readonly onAsk: (query: LogQuery) => void;
  readonly onFacets: (facets: FacetNames) => void;
}

/** Not again for each page of entries. */
export const FacetsSection = memo(({ onAsk, onFacets, ...answered }: FacetsProps) => {
  const isWide = useSyncExternalStore(subscribeToWidth, isWideNow);
  const [opened, setOpened] = useState<boolean | null>(null);
  const isOpen = opened ?? isWide;
  const { result, facets: added } = answered;
  const facets = facetsOf(answered);
  const seen = useMemo(() => fieldsIn(entriesIn(result.rows) ?? []), [result.rows]);
  if (facets.length === 0) return null;
  const remove = (title: string): void => onFacets(added.filter((name) => name !== title));
  return (
    <details className="facets" open={isOpen} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary>Values in all rows</summary>
      {isOpen &&
        facets.map((facet) => <FacetList key={facet.title} {...{ facet, onAsk }} onRemove={remove} />)}
      {isOpen && <FacetPicker names={addable(seen, answered)} onAdd={(name) => onFacets([...added, name])} />}
    </details>
  );
});

/** Adds a field that the entries have. */
const FacetPicker = ({
  names,
  onAdd,
}: {
  readonly names: FacetNames;
  readonly onAdd: (name: string) => void;
}) =>
  names.length > 0 && (
    <SelectField
      name="facet"
      label="Add a field"
      value=""
      choices={[{ value: '', name: 'Choose …' }, ...names.map((name) => ({ value: name, name }))]}
      onChange={onAdd}
    />
  );

/** More are shown on demand. */
const FIRST_VALUES = 6;

interface FacetListProps extends Pick<FacetsProps, 'onAsk'> {
  readonly facet: Facet;
  readonly onRemove: (title: string) => void;
}

const FacetList = ({ facet, onAsk, onRemove }: FacetListProps) => {
  const { title, note, query, part, isAdded } = facet;
  const [isLong, setLong] = useState(false);
  const counted = useQuery({
    queryKey: ['logs', 'facet', query, part],
    queryFn: async ({ signal }) => valuesIn((await runQuery(query, { signal, part })).rows),
    ...AFTER_CANCELLED,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const values = counted.data ?? [];
  return (
    <section aria-label={`Values of ${title}`}>
      <h3>
        {title}
        {isAdded && (
          <button type="button" className="text-button" onClick={() => onRemove(title)}>
            <span aria-hidden="true">×</span>
            <span className="hidden">Remove the field {title}</span>
          </button>
        )}
      </h3>
      {note && <p className="quiet">{note}</p>}
      {counted.isPending && <p className="quiet">Counting…</p>}
      {counted.error && <ProblemNotice problem={counted.error} />}
      <ul>
        {values.slice(0, isLong ? undefined : FIRST_VALUES).map((counted) => (
          <Value key={JSON.stringify(counted.value)} {...{ facet, counted, onAsk }} />
        ))}
      </ul>
      {values.length > FIRST_VALUES && (
        <button type="button" className="text-button" onClick={() => setLong(!isLong)}>
          {isLong ? 'Fewer' : `${values.length - FIRST_VALUES} more`}
          <span className="hidden"> values of {title}</span>
        </button>
      )}
    </section>
  );
};

interface ValueProps extends Pick<FacetsProps, 'onAsk'> {
  readonly facet: Facet;
  readonly counted: FacetValue;
}

const Value = ({
  facet: { title, only, without, isChosen },
  counted: { value, count },
  onAsk,
}: ValueProps) => {
  const [one, others] = [only(value), without(value)];
  const name = nameOf(value);
  return (
    <li>
      <button
        type="button"
        className="facet-value"
        aria-pressed={isChosen(value)}
        disabled={one === null}
        title={name}
        onClick={() => one && onAsk(one)}
      >
        <span className={value === null ? 'nothing' : undefined}>{name}</span>
        <span className="count">{numberText(count)}</span>
      </button>
      {others && (
        <button type="button" className="text-button" onClick={() => onAsk(others)}>
          <span aria-hidden="true">−</span>
          <span className="hidden">{`All but ${name} of ${title}`}</span>
        </button>
      )}
    </li>
  );
};

const nameOf = (value: unknown): string => {
  if (value === null) return 'none';
  if (value === '') return '(empty)';
  return isNested(value) ? JSON.stringify(value) : String(value);
};

/** As in logs.css. */
const wide = matchMedia('(min-width: 64rem)');
const isWideNow = (): boolean => wide.matches;
const subscribeToWidth = (onChange: () => void): (() => void) => {
  wide.addEventListener('change', onChange);
  return () => wide.removeEventListener('change', onChange);
};
