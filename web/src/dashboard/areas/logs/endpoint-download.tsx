/** Downloads the result of a saved endpoint as a file, with a value for each of its parameters. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EndpointView } from '../../../../../src/logs/endpoints/endpoint.queries.js';
import { Button } from '../../parts/button.js';
import { Form } from '../../parts/form.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import { numberText } from '../../parts/number-text.js';
import { download } from './download.js';
import { ParameterField } from './query-form.js';
import { downloadResult, FILE_TYPES, type FileFormat, getOutline } from './requests.js';

type Values = Readonly<Record<string, string>>;

const FORMATS: readonly (readonly [format: FileFormat, label: string])[] = [
  ['csv', 'CSV'],
  ['ndjson', 'NDJSON'],
  ['parquet', 'Parquet'],
];

export const EndpointDownload = ({ endpoint }: { readonly endpoint: EndpointView }) => {
  const { id, name, version, maxRows } = endpoint;
  const [values, setValues] = useState<Values>({});
  const outline = useQuery({ queryKey: ['logs', 'outline', id, version], queryFn: () => getOutline(id) });
  const result = useMutation({
    mutationFn: (format: FileFormat) => downloadResult(id, values, format),
    onSuccess: ({ file }, format) => download(`${name}.${format}`, FILE_TYPES[format], file),
  });
  const parameters = outline.data?.parameters ?? [];
  return (
    <section aria-labelledby="download">
      <h2 id="download">Download</h2>
      <p>The result of the saved query as a file, with at most {numberText(maxRows)} rows.</p>
      {outline.error && <ProblemNotice problem={outline.error} />}
      <Form className="question" problem={result.error} onSubmit={() => result.mutate('csv')}>
        <div className="question-fields">
          {parameters.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={values[parameter.name] ?? ''}
              onChange={(value) => setValues({ ...values, [parameter.name]: value })}
            />
          ))}
        </div>
        {result.data?.isTruncated && (
          <Notice kind="info">
            The result has more rows than the file: the endpoint returns {numberText(maxRows)} at most.
          </Notice>
        )}
        <div className="actions left">
          {FORMATS.map(([format, label]) => (
            <Button
              key={format}
              label={`Download as ${label}`}
              isDisabled={result.isPending}
              onPress={() => result.mutate(format)}
            >
              {label}
            </Button>
          ))}
        </div>
      </Form>
    </section>
  );
};
