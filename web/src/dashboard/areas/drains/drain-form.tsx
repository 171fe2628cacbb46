/** The form of a new drain. A drain does not change: another one is made instead. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DrainFields } from '../../../../../src/logs/drains/drain-body.js';
import { SubmitButton } from '../../parts/button.js';
import { Checkbox, Field, SelectField } from '../../parts/field.js';
import { Form, fieldText } from '../../parts/form.js';
import { listSources } from './requests.js';

interface DrainFormProps {
  readonly onSubmit: (fields: DrainFields) => void;
  readonly problem: Error | null;
  readonly isPending: boolean;
}

const KINDS = [
  { value: 'http', name: 'Posts, signed' },
  { value: 's3', name: 'Parquet files in the bucket of the server' },
];
const FORMATS = [
  { value: 'json', name: 'A JSON array' },
  { value: 'ndjson', name: 'A line of JSON for each entry' },
];

const destinationIn = (fields: FormData, isFiles: boolean): DrainFields['destination'] =>
  isFiles
    ? { kind: 's3' }
    : {
        kind: 'http',
        url: fieldText(fields, 'destination.url').trim(),
        format: fieldText(fields, 'destination.format') === 'ndjson' ? 'ndjson' : 'json',
      };

/** The names of fields are those of the API, so that its errors are shown at them; a select shows none, so `sends` has another. */
export const DrainForm = ({ onSubmit, problem, isPending }: DrainFormProps) => {
  const [kind, setKind] = useState('http');
  const { data: sources = ['edge_logs'] } = useQuery({ queryKey: ['logs', 'sources'], queryFn: listSources });
  const isFiles = kind === 's3';
  const submit = (fields: FormData): void => {
    const project = fieldText(fields, 'project').trim();
    onSubmit({
      name: fieldText(fields, 'name'),
      source: fieldText(fields, 'source'),
      project: project === '' ? null : project,
      lql: fieldText(fields, 'lql'),
      redactPii: fields.has('redactPii'),
      batchSeconds: Number(fieldText(fields, 'batchSeconds')),
      destination: destinationIn(fields, isFiles),
    });
  };
  return (
    <Form className="form endpoint-form" onSubmit={submit} problem={problem}>
      <Field name="name" label="Name" isRequired maxLength={100} autoComplete="off" />
      <div className="question-fields">
        <SelectField
          name="source"
          label="Source"
          choices={sources.map((name) => ({ value: name, name }))}
          defaultValue="edge_logs"
        />
        <Field name="project" label="Project" help="Empty: all" autoComplete="off" />
        <Field name="lql" label="Filter in LQL" help="Without times and aggregates" autoComplete="off" />
      </div>
      <div className="question-fields">
        <SelectField name="sends" label="Sends" choices={KINDS} value={kind} onChange={setKind} />
        {!isFiles && (
          <>
            <Field
              name="destination.url"
              label="URL"
              placeholder="https://example.com/logs"
              autoComplete="off"
              isRequired
            />
            <SelectField name="destination.format" label="Body" choices={FORMATS} defaultValue="json" />
          </>
        )}
        <Field
          key={kind}
          name="batchSeconds"
          label="Batch, seconds"
          help="How long an entry waits at most for others"
          inputMode="numeric"
          defaultValue={isFiles ? '300' : '1'}
          isRequired
        />
      </div>
      <Checkbox name="redactPii" value="true">
        Redact addresses
      </Checkbox>
      <SubmitButton isPending={isPending}>Save</SubmitButton>
    </Form>
  );
};
