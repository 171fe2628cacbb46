/** The form of a log query: the endpoint with its parameters, a time range, and an own query in SQL or LQL. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import type { EndpointView } from '../../../../../src/logs/endpoints/endpoint.queries.js';
import { Problem } from '../../api.js';
import { Button, SubmitButton } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Checkbox, Field, SelectField } from '../../parts/field.js';
import { type FacetNames, withFacets } from './chosen-facets.js';
import { useDebounced } from './debounced.js';
import { EstimateButton, EstimateText, useEstimate } from './estimate.js';
import { filtersOf, useSavedFilters } from './filters.js';
import { QueryEditor } from './lazy-editor.js';
import {
  absoluteRange,
  curlText,
  hasTimeRange,
  type LogQuery,
  type QueryLanguage,
  RANGE_PARAMETERS,
  toSearch,
} from './log-query.js';
import { type EndpointOutline, type Parameter, projectParameter } from './outline.js';
import { ProjectField } from './project-choice.js';
import { checkQuery, faultIn } from './requests.js';
import { templatesFor } from './templates.js';
import { TimeRangeFields } from './time-range-fields.js';

interface QueryFormProps {
  readonly endpoints: readonly EndpointView[];
  readonly outline: EndpointOutline | null;
  readonly draft: LogQuery;
  /** Those that a copied link has. */
  readonly facets: FacetNames;
  readonly onChange: (part: Partial<LogQuery>) => void;
  readonly onAsk: () => void;
  readonly onSave: (what: 'query' | 'filter') => void;
  /** The failure of the last run; null after the query has changed. */
  readonly failure: Error | null;
  readonly isRunning: boolean;
  readonly onCancel: () => void;
}

const LANGUAGES = [
  { value: 'lql', name: 'Filter in LQL' },
  { value: 'sql', name: 'Query in SQL' },
  { value: 'stored', name: 'Stored query' },
] as const satisfies readonly { readonly value: QueryLanguage; readonly name: string }[];

const languageOf = (value: string): QueryLanguage =>
  LANGUAGES.find((language) => language.value === value)?.value ?? 'stored';

export const QueryForm = ({
  endpoints,
  outline,
  draft,
  facets,
  onChange,
  onAsk,
  onSave,
  failure,
  isRunning,
  onCancel,
}: QueryFormProps) => {
  // Keeps the text of each language while the user switches between them.
  const written = useRef<Partial<Record<QueryLanguage, string>>>({});
  const changeLanguage = (language: QueryLanguage): void => {
    written.current[draft.language] = draft.query;
    onChange({ language, query: written.current[language] ?? firstQuery(language, outline) });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onAsk();
  };
  const own = (outline?.parameters ?? []).filter(({ name }) => !isOfRange(name));
  const project = outline && projectParameter(outline);
  const estimating = useEstimate(draft);
  return (
    <form className="question" onSubmit={submit}>
      <div className="question-fields">
        <SelectField
          name="endpoint"
          label="Endpoint"
          value={draft.endpoint}
          choices={endpointChoices(endpoints, draft.endpoint)}
          onChange={(endpoint) => onChange({ endpoint })}
        />
        <SelectField
          name="language"
          label="Query with"
          value={draft.language}
          choices={LANGUAGES}
          onChange={(language) => changeLanguage(languageOf(language))}
        />
        {own.map((parameter) => {
          const { name } = parameter;
          const value = draft.parameters[name] ?? '';
          const change = (to: string): void => onChange({ parameters: { ...draft.parameters, [name]: to } });
          return name === project?.name ? (
            <ProjectField key={name} value={value} onChange={change} />
          ) : (
            <ParameterField key={name} parameter={parameter} value={value} onChange={change} />
          );
        })}
        {outline !== null && hasTimeRange(outline) && (
          <TimeRangeFields range={draft.range} onChange={(range) => onChange({ range })} />
        )}
        {outline && <TemplateField outline={outline} onChoose={onChange} />}
      </div>
      {outline?.description && <p className="quiet">{outline.description}</p>}
      {draft.language !== 'stored' && (
        <OwnQuery
          draft={draft}
          language={draft.language}
          onChange={onChange}
          {...{ outline, onAsk, failure }}
        />
      )}
      <div className="question-actions">
        <SubmitButton isPending={isRunning}>Run</SubmitButton>
        {isRunning && <Button onPress={onCancel}>Cancel</Button>}
        <EstimateButton {...estimating} />
        <Checkbox
          name="redact"
          isSelected={draft.redact || (outline?.redactPii ?? false)}
          isDisabled={outline?.redactPii ?? false}
          onChange={(redact) => onChange({ redact })}
        >
          Redact addresses
        </Checkbox>
        <Button isQuiet onPress={() => onSave('query')}>
          Save query
        </Button>
        {draft.language === 'lql' && draft.query.trim() !== '' && (
          <Button isQuiet onPress={() => onSave('filter')}>
            Save filter
          </Button>
        )}
        <CopyButton what="link" text={() => linkTo(draft, facets)}>
          Copy link
        </CopyButton>
        <CopyButton
          what="curl line"
          text={() => curlText(draft, { origin: location.origin, now: Date.now() })}
        >
          Copy as curl
        </CopyButton>
      </div>
      <EstimateText {...estimating} hasPlan={draft.language !== 'lql'} />
    </form>
  );
};

/** Writes a template into the editor. Null when none is about a table of the endpoint. */
const TemplateField = ({
  outline,
  onChoose,
}: {
  readonly outline: EndpointOutline;
  readonly onChoose: (template: Pick<LogQuery, 'language' | 'query'>) => void;
}) => {
  const templates = templatesFor(outline.tables.map(({ name }) => name));
  if (templates.size === 0) return null;
  const names = [...templates.keys()].map((name) => ({ value: name, name }));
  const choose = (name: string): void => {
    const template = templates.get(name);
    if (template) onChoose({ language: template.language, query: template.query });
  };
  return (
    <SelectField
      name="template"
      label="Templates"
      value=""
      choices={[{ value: '', name: 'Begin with …' }, ...names]}
      onChange={choose}
    />
  );
};

const OwnQuery = ({
  draft,
  language,
  onChange,
  outline,
  onAsk,
  failure,
}: Pick<QueryFormProps, 'draft' | 'outline' | 'onAsk' | 'failure'> & {
  readonly language: 'sql' | 'lql';
  readonly onChange: (part: Partial<LogQuery>) => void;
}) => {
  const { query } = draft;
  const { data: filters = [] } = useSavedFilters();
  const debounced = useDebounced(draft);
  const check = useQuery({
    queryKey: [
      'logs',
      'check',
      debounced.endpoint,
      debounced.language,
      debounced.query,
      debounced.parameters,
    ],
    queryFn: () => checkQuery(debounced),
    enabled: debounced.query.trim() !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isChecked = debounced === draft && query.trim() !== '';
  const fault = isChecked ? faultIn(failure instanceof Problem ? failure : check.data?.fault) : null;
  return (
    <div className="own-query">
      <QueryEditor
        key={language}
        label={language === 'sql' ? 'Query in SQL' : 'Filter in LQL'}
        value={query}
        onChange={(text) => onChange({ query: text })}
        onRun={onAsk}
        filters={filtersOf(filters, draft.parameters.project ?? '')}
        {...{ language, outline, fault }}
      />
      <p className={fault ? 'wrong' : 'help'} role={fault ? 'status' : undefined}>
        {fault
          ? fault.message
          : language === 'sql'
            ? 'SQL over the tables of the endpoint. Ctrl-Space suggests names, Ctrl-Enter runs the query.'
            : 'Terms that must all hold, such as m.response.status_code:>=500. An empty filter finds everything. Ctrl-Space suggests names, Ctrl-Enter runs the query.'}
      </p>
    </div>
  );
};

export const ParameterField = ({
  parameter: { name, use, among },
  value,
  onChange,
}: {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => {
  const label = `@${name}`;
  if (use === 'choice') {
    const choices = [{ value: '', name: 'None' }, ...among.map((one) => ({ value: one, name: one }))];
    return <SelectField {...{ name, label, value, onChange, choices }} />;
  }
  return <Field {...{ name, label, value, onChange }} placeholder={use === 'text' ? '' : HINTS[use]} />;
};

const HINTS = {
  timestamp: '2026-03-17T14:47:02Z',
  number: 'a number',
  pattern: 'a regular expression',
} as const;

const firstQuery = (language: QueryLanguage, outline: EndpointOutline | null): string =>
  language === 'sql' && outline?.reads
    ? `select timestamp, event_message, metadata\nfrom ${outline.reads}\nlimit 100`
    : '';

const isOfRange = (name: string): boolean => name === RANGE_PARAMETERS.from || name === RANGE_PARAMETERS.to;

/** Includes the chosen endpoint when the list does not have it: it was removed, or the list has not loaded. */
const endpointChoices = (endpoints: readonly EndpointView[], chosen: string) => {
  const names = endpoints.map(({ name }) => name);
  return (names.includes(chosen) ? names : [chosen, ...names]).map((name) => ({ value: name, name }));
};

/** A link with fixed times, so that it always shows the same entries. */
const linkTo = (asked: LogQuery, facets: FacetNames): string => {
  const fixed = { ...asked, range: absoluteRange(asked.range, Date.now()) };
  return `${location.origin}/dashboard/logs?${withFacets(toSearch(fixed), facets)}`;
};
