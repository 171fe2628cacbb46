/** A request that the reader can change and run: its curl line, and below it what this server answers. */
import { type FormEvent, useId, useState } from 'react';
import { curlText, type ExampleReply, type ExampleRequest, runRequest } from './run-request.js';

interface ExampleProps {
  readonly title: string;
  readonly origin: string;
  readonly request: ExampleRequest;
}

/** What of the request can be changed: the query or the body where it has one, else the path. */
const editable = ({ method, path, parameter, body }: ExampleRequest) => {
  if (parameter) return { label: parameter.name.toUpperCase(), text: parameter.value };
  return method === 'POST' ? { label: 'Body', text: body ?? '' } : { label: 'Path', text: path };
};

const changed = (request: ExampleRequest, text: string): ExampleRequest => {
  if (request.parameter) return { ...request, parameter: { ...request.parameter, value: text } };
  return request.method === 'POST' ? { ...request, body: text } : { ...request, path: text };
};

export const Example = ({ title, origin, request }: ExampleProps) => {
  const id = useId();
  const { label, text } = editable(request);
  const [edited, setEdited] = useState(text);
  const [reply, setReply] = useState<ExampleReply | null>(null);
  const [running, setRunning] = useState(false);
  const asked = changed(request, edited);

  const run = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setRunning(true);
    setReply(await runRequest(asked));
    setRunning(false);
  };

  return (
    <form className="example" onSubmit={run} aria-label={title}>
      <div className="asked">
        <label htmlFor={id}>
          <b>{request.method}</b> {title}
        </label>
        {label === 'Path' ? (
          <input
            id={id}
            value={edited}
            onChange={({ target }) => setEdited(target.value)}
            spellCheck={false}
          />
        ) : (
          <textarea
            id={id}
            value={edited}
            rows={edited.split('\n').length}
            onChange={({ target }) => setEdited(target.value)}
            spellCheck={false}
          />
        )}
        <button type="submit" disabled={running}>
          Run<span className="hidden">: {title}</span>
        </button>
      </div>
      <pre>{curlText(origin, asked)}</pre>
      <p className={reply && !reply.isGood ? 'status bad' : 'status'} role="status">
        {running ? 'Running…' : reply?.status}
      </p>
      {reply && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        <section className="reply" tabIndex={0} aria-label={`Reply: ${title}`}>
          <pre>{reply.text}</pre>
        </section>
      )}
    </form>
  );
};

interface SecretFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/**
 * Pasted for the examples below it. It stays in this page's memory: no storage, no address and no curl line has it, and
 * as it is no password field, no browser offers to keep it.
 */
export const SecretField = ({ label, value, onChange }: SecretFieldProps) => (
  <label className="secret">
    <span>{label}</span>
    <input
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={({ target }) => onChange(target.value.trim())}
    />
  </label>
);
