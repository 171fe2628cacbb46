/** A request that the reader can change and run, with its curl line and this server's reply. */
import { type FormEvent, useId, useState } from 'react';
import { curlText, type ExampleReply, type ExampleRequest, runRequest } from './run-request.js';

interface ExampleProps {
  readonly title: string;
  readonly origin: string;
  readonly request: ExampleRequest;
}

/** The part of the request that the reader can change: the query or the body if it has one, else the path. */
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
  const [isRunning, setRunning] = useState(false);
  const current = changed(request, edited);

  const run = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setRunning(true);
    setReply(await runRequest(current));
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
        <button type="submit" disabled={isRunning}>
          Run<span className="hidden">: {title}</span>
        </button>
      </div>
      <pre>{curlText(origin, current)}</pre>
      <p className={reply && !reply.isGood ? 'status bad' : 'status'} role="status">
        {isRunning ? 'Running…' : reply?.status}
      </p>
      {reply && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach an element that scrolls.
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
 * The secret for the examples below it. It stays in the memory of the page: it is in no storage, no address and no curl
 * line. It is no password field, so browsers do not offer to store it.
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
