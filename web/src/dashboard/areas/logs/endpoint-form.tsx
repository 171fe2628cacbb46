/** The form of a saved endpoint. The server checks its query while the user types, and the editor marks faults. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EndpointConfig } from '../../../../../src/logs/endpoints/endpoint.events.js';
import type { CheckedStoredQuery } from '../../../../../src/logs/query/outline-views.js';
import { Problem } from '../../api.js';
import { SubmitButton } from '../../parts/button.js';
import { Checkbox, Field } from '../../parts/field.js';
import { Form, fieldText } from '../../parts/form.js';
import { useDebounced } from './debounced.js';
import { QueryEditor } from './lazy-editor.js';
import type { QueryOutline } from './outline.js';
import { checkStoredQuery, faultIn } from './requests.js';

interface EndpointFormProps {
  readonly config: EndpointConfig;
  /** The text of the submit button. */
  readonly action: string;
  readonly onSubmit: (config: EndpointConfig) => void;
  readonly problem: Error | null;
  readonly isPending: boolean;
}

const SECONDS_FIELDS = [
  {
    name: 'cachingSeconds',
    label: 'Caching, seconds',
    help: 'Lifetime of a cached result; empty: no cache',
  },
  {
    name: 'cacheWarmingSeconds',
    label: 'Warming, seconds',
    help: 'Age at which a cached result in use is refreshed; empty: never',
  },
] as const;

/** Null for an empty text. The server validates the number. */
const numberIn = (text: string): number | null => (text === '' ? null : Number(text));

const problemAtQuery = (problem: Error | null): Problem | null =>
  problem instanceof Problem &&
  (problem.position !== null || problem.errors.some(({ field }) => field === 'query'))
    ? problem
    : null;

export const EndpointForm = ({ config, action, onSubmit, problem, isPending }: EndpointFormProps) => {
  const [query, setQuery] = useState(config.query);
  const [sandboxing, setSandboxing] = useState(config.sandboxing);
  const check = useStoredCheck(query, sandboxing);
  const submit = (fields: FormData): void =>
    onSubmit({
      name: fieldText(fields, 'name'),
      description: fieldText(fields, 'description') || null,
      queryLanguage: 'sql',
      query,
      maxRows: Number(fieldText(fields, 'maxRows')),
      cachingSeconds: numberIn(fieldText(fields, 'cachingSeconds')),
      cacheWarmingSeconds: numberIn(fieldText(fields, 'cacheWarmingSeconds')),
      sandboxing,
      redactPii: fields.has('redactPii'),
    });
  return (
    <Form className="form endpoint-form" onSubmit={submit} problem={problem}>
      <Field
        name="name"
        label="Name"
        defaultValue={config.name}
        isRequired
        maxLength={100}
        autoComplete="off"
      />
      <Field
        name="description"
        label="Description"
        defaultValue={config.description ?? ''}
        maxLength={1_000}
      />
      <StoredQuery query={query} onChange={setQuery} check={check} refused={problemAtQuery(problem)} />
      <div className="question-fields">
        <Field
          name="maxRows"
          label="Max rows"
          inputMode="numeric"
          defaultValue={String(config.maxRows)}
          isRequired
        />
        {SECONDS_FIELDS.map(({ name, ...field }) => (
          <Field
            key={name}
            name={name}
            {...field}
            inputMode="numeric"
            defaultValue={config[name]?.toString() ?? ''}
          />
        ))}
      </div>
      <div>
        <Checkbox name="sandboxing" isSelected={sandboxing} onChange={setSandboxing}>
          Sandboxing: queries of callers can only read the tables that this query defines
        </Checkbox>
        <Checkbox name="redactPii" value="true" defaultSelected={config.redactPii}>
          Redact addresses in every reply
        </Checkbox>
      </div>
      <SubmitButton isPending={isPending}>{action}</SubmitButton>
    </Form>
  );
};

const useStoredCheck = (query: string, sandboxing: boolean): CheckedStoredQuery | null => {
  const debounced = useDebounced(query);
  const { data } = useQuery({
    queryKey: ['logs', 'check-stored', debounced, sandboxing],
    queryFn: () => checkStoredQuery(debounced, sandboxing),
    enabled: debounced.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return debounced === query ? (data ?? null) : null;
};

const StoredQuery = ({
  query,
  onChange,
  check,
  refused,
}: {
  readonly query: string;
  readonly onChange: (query: string) => void;
  readonly check: CheckedStoredQuery | null;
  /** The server's refusal to save the query. */
  readonly refused: Problem | null;
}) => {
  const wrong = check === null ? refused : check.fault;
  return (
    <div className="field own-query">
      <span className="label">Query in SQL</span>
      <QueryEditor
        label="Query in SQL"
        language="sql"
        value={query}
        onChange={onChange}
        outline={check?.outline ?? null}
        fault={faultIn(wrong)}
      />
      <p className={wrong ? 'wrong' : 'help'} role={wrong ? 'status' : undefined}>
        {wrong ? wrong.detail : check?.outline ? offered(check.outline) : '@name is a parameter.'}
      </p>
    </div>
  );
};

const offered = ({ parameters, tables }: QueryOutline): string => {
  const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));
  const asked = listed(parameters.map(({ name }) => `@${name}`));
  return `The query can run. Parameters: ${asked}. Tables for queries of callers: ${listed(tables.map(({ name }) => name))}.`;
};
