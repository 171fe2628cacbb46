/** The form of a drain: a new one, or one that is there. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DrainFields } from '../../../../../src/logs/drains/drain-body.js';
import type { DrainView } from '../../../../../src/logs/drains/drain-view.js';
import { Button, SubmitButton } from '../../parts/button.js';
import { Checkbox, Field, SelectField } from '../../parts/field.js';
import { Form, fieldText } from '../../parts/form.js';
import { listSources } from './requests.js';

interface DrainFormProps {
  /** Missing: a new one. */
  readonly drain?: DrainView;
  readonly onSubmit: (fields: DrainFields) => void;
  /** Missing: there is nothing to go back to. */
  readonly onCancel?: () => void;
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

/** The names of fields are those of the API, so that its errors are shown at them. */
export const DrainForm = ({ drain, onSubmit, onCancel, problem, isPending }: DrainFormProps) => {
  const [kind, setKind] = useState<string>(drain?.destination.kind ?? 'http');
  const source = drain?.source ?? 'edge_logs';
  const { data: sources = [source] } = useQuery({ queryKey: ['logs', 'sources'], queryFn: listSources });
  const isFiles = kind === 's3';
  const seconds = drain?.destination.kind === kind ? String(drain.batchSeconds) : isFiles ? '300' : '1';
  const format = drain?.destination.format === 'ndjson' ? 'ndjson' : 'json';
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
      <Field
        name="name"
        label="Name"
        defaultValue={drain?.name ?? ''}
        isRequired
        maxLength={100}
        autoComplete="off"
      />
      <div className="question-fields">
        <SelectField
          name="source"
          label="Source"
          key={sources.length}
          choices={sources.map((name) => ({ value: name, name }))}
          defaultValue={source}
        />
        <Field
          name="project"
          label="Project"
          help="Empty: all"
          defaultValue={drain?.project ?? ''}
          autoComplete="off"
        />
        <Field
          name="lql"
          label="Filter in LQL"
          help="Without times and aggregates"
          defaultValue={drain?.lql ?? ''}
          autoComplete="off"
        />
      </div>
      <div className="question-fields">
        <SelectField name="destination.kind" label="Sends" choices={KINDS} value={kind} onChange={setKind} />
        {!isFiles && (
          <>
            <Field
              name="destination.url"
              label="URL"
              placeholder="https://example.com/logs"
              defaultValue={drain?.destination.url ?? ''}
              autoComplete="off"
              isRequired
            />
            <SelectField name="destination.format" label="Body" choices={FORMATS} defaultValue={format} />
          </>
        )}
        <Field
          key={kind}
          name="batchSeconds"
          label="Batch, seconds"
          help="How long an entry waits at most for others"
          inputMode="numeric"
          defaultValue={seconds}
          isRequired
        />
      </div>
      <Checkbox name="redactPii" value="true" defaultSelected={drain?.redactPii ?? false}>
        Redact addresses
      </Checkbox>
      <div className="actions left">
        <SubmitButton isPending={isPending}>Save</SubmitButton>
        {onCancel && <Button onPress={onCancel}>Cancel</Button>}
      </div>
    </Form>
  );
};
