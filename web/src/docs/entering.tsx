/** How devices enter results, and what keeps a lost reply from doing harm. */
import { useState } from 'react';
import { Example, SecretField } from './example.js';
import { jsonText } from './json-text.js';
import { type DocsSectionProps, Section } from './section.js';

export const Entering = ({ model }: DocsSectionProps) => {
  const { origin, examples } = model;
  const [key, setKey] = useState('');
  const post = (title: string, path: string, body: unknown) => (
    <Example
      title={title}
      origin={origin}
      request={{ method: 'POST', path, body: jsonText(body), secret: { variable: 'KEY', value: key } }}
    />
  );
  return (
    <Section id="entering">
      <p>
        Entry needs an API key of the contest, which its moderator issues for a device. It goes into the
        header <code>x-api-key</code>, or behind <code>Authorization: Bearer</code>. Paste one to run the
        examples; it stays in this page until you leave it, and is sent to this server alone. Without one the
        answer is a 401.
      </p>
      <SecretField label="API key" value={key} onChange={setKey} />
      {post('Enter one attempt', '/api/enter-attempt', examples.attempt)}
      <p>
        {examples.hasContest
          ? 'This attempt is in already or names nobody, so running it as it is changes nothing; a key of this contest is needed, and other values are entered in earnest.'
          : 'Contest and competitor are made up: put in your own, and values are entered in earnest.'}
      </p>
      <ul>
        <li>
          The competitor is named by <code>personId</code> or <code>assocId</code>, a team by its members
          separated by commas.
        </li>
        <li>
          201 is success. The same values again change nothing and are answered with 201 and{' '}
          <code>"changed": false</code>, so send again whatever was not answered.
        </li>
        <li>
          Another value for an attempt that is in is a correction; the history keeps both. <code>0</code>{' '}
          clears it.
        </li>
        <li>
          With an <code>Idempotency-Key</code> header a repeat does nothing however late it comes, even after
          a correction.
        </li>
      </ul>
      {post('Replace whole results, all or nothing', '/api/enter-results', examples.results)}
      <p>
        Attempts are refused with 422 when the round is closed, the cutoff was not met, or a time is over the
        limit. A request with several rows is refused whole, and names each bad row by its index.
      </p>
    </Section>
  );
};
