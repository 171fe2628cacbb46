/** The form of an alert. The parameters are those of the chosen endpoint, with a query of one's own in LQL. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertFields } from '../../../../../src/logs/alerts/alert-body.js';
import { COMPARISONS, type Condition } from '../../../../../src/logs/alerts/condition.js';
import { SCHEDULES, WINDOW_PARAMETERS } from '../../../../../src/logs/alerts/schedule.js';
import { SubmitButton } from '../../parts/button.js';
import { Checkbox, Field, SelectField } from '../../parts/field.js';
import { Form, fieldText } from '../../parts/form.js';
import { getOutline, listEndpoints } from '../logs/requests.js';
import { everyText } from './alert-state.js';
import { ReceiversField } from './receivers-field.js';

interface AlertFormProps {
  readonly fields: AlertFields;
  /** The text of the submit button. */
  readonly action: string;
  readonly onSubmit: (fields: AlertFields) => void;
  readonly problem: Error | null;
  readonly isPending: boolean;
}

const SCHEDULE_CHOICES = SCHEDULES.map((minutes) => ({ value: String(minutes), name: everyText(minutes) }));
const COMPARISON_CHOICES = COMPARISONS.map((is) => ({ value: is, name: is }));
const FIRES_CHOICES = [
  { value: 'any', name: 'any row' },
  { value: 'rows', name: 'the number of rows' },
  { value: 'column', name: 'a column of any row' },
];

type Fires = 'any' | 'rows' | 'column';

const firesOn = (condition: Condition | null): Fires => {
  if (condition === null) return 'any';
  return condition.column === null ? 'rows' : 'column';
};

/** A text that is no number would be sent as null, which means never. */
const minutesProblem = (text: string): string | null =>
  /^\d*$/.test(text.trim()) ? null : 'A number, or nothing';

const PARAMETER = 'parameter:';

/** The parameters that were filled in. */
const parametersIn = (fields: FormData): Readonly<Record<string, string>> => {
  const names = [...fields.keys()].filter((name) => name.startsWith(PARAMETER));
  const given = names.map((name) => [name.slice(PARAMETER.length), fieldText(fields, name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
};

const conditionIn = (fields: FormData, on: Fires): Condition | null => {
  if (on === 'any') return null;
  const given = fieldText(fields, 'condition.is');
  const is = COMPARISONS.find((known) => known === given) ?? '>';
  const column = on === 'column' ? fieldText(fields, 'condition.column') : null;
  return { column, is, value: Number(fieldText(fields, 'condition.value')) };
};

export const AlertForm = ({ fields: initial, action, onSubmit, problem, isPending }: AlertFormProps) => {
  const [endpoint, setEndpoint] = useState(initial.endpoint);
  const [on, setOn] = useState(firesOn(initial.condition));
  const [receivers, setReceivers] = useState(initial.receivers);
  const submit = (fields: FormData): void => {
    const repeat = fieldText(fields, 'repeatMinutes');
    onSubmit({
      name: fieldText(fields, 'name'),
      endpoint,
      parameters: parametersIn(fields),
      everyMinutes: Number(fieldText(fields, 'everyMinutes')),
      windowMinutes: Number(fieldText(fields, 'windowMinutes')),
      condition: conditionIn(fields, on),
      repeatMinutes: repeat === '' ? null : Number(repeat),
      redactPii: fields.has('redactPii'),
      enabled: fields.has('enabled'),
      receivers: receivers.map(({ kind, url }) => ({ kind, url: url.trim() })),
    });
  };
  return (
    <Form className="form endpoint-form" onSubmit={submit} problem={problem}>
      <Field
        name="name"
        label="Name"
        defaultValue={initial.name}
        isRequired
        maxLength={100}
        autoComplete="off"
      />
      <QueryFields endpoint={endpoint} onEndpoint={setEndpoint} parameters={initial.parameters} />
      <div className="question-fields">
        <SelectField
          name="everyMinutes"
          label="Runs"
          choices={SCHEDULE_CHOICES}
          defaultValue={String(initial.everyMinutes)}
        />
        <Field
          name="windowMinutes"
          label="Looks at, minutes"
          help="Up to one minute before the run"
          inputMode="numeric"
          defaultValue={String(initial.windowMinutes)}
          isRequired
        />
        <Field
          name="repeatMinutes"
          label="Told again after, minutes"
          help="While it stays open; empty: never"
          inputMode="numeric"
          defaultValue={initial.repeatMinutes?.toString() ?? ''}
          validate={minutesProblem}
        />
      </div>
      <ConditionFields on={on} onOn={setOn} condition={initial.condition} />
      <ReceiversField receivers={receivers} onChange={setReceivers} />
      <div>
        <Checkbox name="enabled" value="true" defaultSelected={initial.enabled}>
          It runs
        </Checkbox>
        <Checkbox name="redactPii" value="true" defaultSelected={initial.redactPii}>
          Redact addresses
        </Checkbox>
      </div>
      <SubmitButton isPending={isPending}>{action}</SubmitButton>
    </Form>
  );
};

const ofWindow: readonly string[] = WINDOW_PARAMETERS;

const QueryFields = ({
  endpoint,
  onEndpoint,
  parameters,
}: {
  readonly endpoint: string;
  readonly onEndpoint: (name: string) => void;
  readonly parameters: AlertFields['parameters'];
}) => {
  const { data: endpoints = [] } = useQuery({ queryKey: ['logs', 'endpoints'], queryFn: listEndpoints });
  const { data: outline } = useQuery({
    queryKey: ['logs', 'outline', endpoint],
    queryFn: () => getOutline(endpoint),
    refetchOnWindowFocus: false,
  });
  const names = endpoints.map(({ name }) => name);
  const listed = names.includes(endpoint) ? names : [endpoint, ...names];
  const asked = (outline?.parameters ?? [])
    .map(({ name }) => name)
    .filter((name) => !ofWindow.includes(name));
  const own = parameters.sql === undefined ? ['lql'] : ['lql', 'sql'];
  return (
    <>
      <SelectField
        name="endpoint"
        label="Endpoint"
        choices={listed.map((name) => ({ value: name, name }))}
        value={endpoint}
        onChange={onEndpoint}
      />
      {outline && (
        <div className="question-fields">
          {[...asked, ...own].map((name) => (
            <Field
              key={`${endpoint} ${name}`}
              name={`${PARAMETER}${name}`}
              label={LABELS[name] ?? name}
              defaultValue={parameters[name] ?? ''}
              autoComplete="off"
            />
          ))}
        </div>
      )}
    </>
  );
};

const LABELS: Readonly<Record<string, string>> = {
  project: 'Project',
  lql: 'Filter in LQL',
  sql: 'Query in SQL',
};

const ConditionFields = ({
  on,
  onOn,
  condition,
}: {
  readonly on: Fires;
  readonly onOn: (on: Fires) => void;
  readonly condition: Condition | null;
}) => (
  <div className="question-fields">
    <SelectField
      name="fires"
      label="Fires on"
      choices={FIRES_CHOICES}
      value={on}
      onChange={(chosen) => onOn(chosen === 'rows' || chosen === 'column' ? chosen : 'any')}
    />
    {on === 'column' && (
      <Field name="condition.column" label="Column" defaultValue={condition?.column ?? ''} isRequired />
    )}
    {on !== 'any' && (
      <>
        <SelectField
          name="condition.is"
          label="Comparison"
          choices={COMPARISON_CHOICES}
          defaultValue={condition?.is ?? '>'}
        />
        <Field
          name="condition.value"
          label="Value"
          defaultValue={condition?.value.toString() ?? ''}
          isRequired
        />
      </>
    )}
  </div>
);
