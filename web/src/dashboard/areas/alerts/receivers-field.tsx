/** The receivers in the form of an alert: the kind of each, and its URL or address. */

import type { ReceiverFields } from '../../../../../src/logs/alerts/alert-body.js';
import { Button } from '../../parts/button.js';
import { Field, SelectField } from '../../parts/field.js';

const KINDS: readonly { readonly value: ReceiverFields['kind']; readonly name: string }[] = [
  { value: 'webhook', name: 'Webhook, signed' },
  { value: 'slack', name: 'Slack' },
  { value: 'email', name: 'E-mail' },
];

const MAILTO = 'mailto:';

/** A receiver in few words: the host of its URL, or its address. */
export const receiverName = (url: string): string =>
  url.startsWith(MAILTO) ? url.slice(MAILTO.length) : new URL(url).host;

interface ReceiversFieldProps {
  readonly receivers: readonly ReceiverFields[];
  readonly onChange: (receivers: readonly ReceiverFields[]) => void;
}

export const ReceiversField = ({ receivers, onChange }: ReceiversFieldProps) => {
  const replace = (index: number, change: Partial<ReceiverFields>): void =>
    onChange(receivers.map((receiver, at) => (at === index ? { ...receiver, ...change } : receiver)));
  return (
    <fieldset>
      <legend>Receivers</legend>
      {receivers.map(({ kind, url }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a receiver that is being typed has nothing else.
        <div key={index} className="alert-receiver">
          <SelectField
            name={`receivers[${index}].kind`}
            label="Kind"
            choices={KINDS}
            value={kind}
            onChange={(chosen) =>
              replace(index, {
                kind: KINDS.find(({ value }) => value === chosen)?.value ?? 'webhook',
                url: '',
              })
            }
          />
          {kind === 'email' ? (
            <Field
              name={`receivers[${index}].url`}
              label="Address"
              type="email"
              value={url.slice(MAILTO.length)}
              onChange={(typed) => replace(index, { url: `${MAILTO}${typed}` })}
              placeholder="ops@example.com"
              autoComplete="off"
              isRequired
            />
          ) : (
            <Field
              name={`receivers[${index}].url`}
              label="URL"
              value={url}
              onChange={(typed) => replace(index, { url: typed })}
              placeholder="https://example.com/alerts"
              autoComplete="off"
              isRequired
            />
          )}
          <Button
            isQuiet
            label={`Remove receiver ${index + 1}`}
            onPress={() => onChange(receivers.filter((_, at) => at !== index))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button onPress={() => onChange([...receivers, { kind: 'webhook', url: '' }])}>Add a receiver</Button>
    </fieldset>
  );
};
