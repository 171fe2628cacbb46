/** How devices enter results, and why they can safely send again after a lost reply. */
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
        Entry needs an API key of the contest, which its moderator issues for a device. Send it in the header{' '}
        <code>x-api-key</code>, or as <code>Authorization: Bearer</code>. Paste a key to run the examples. The
        page keeps it until you leave and sends it to this server only. Without a key the reply is a 401.
      </p>
      <SecretField label="API key" value={key} onChange={setKey} />
      {post('Enter one attempt', '/api/enter-attempt', examples.attempt)}
      <p>
        {examples.hasContest
          ? 'Unchanged, this example changes nothing: the attempt is already entered, or its person does not exist. You need a key of this contest. Other values are really entered.'
          : 'Contest and competitor are made up. If you put in your own, the values are really entered.'}
      </p>
      <ul>
        <li>
          Name the competitor by <code>personId</code> or <code>assocId</code>, a team by its members
          separated by commas. Or by <code>registrantId</code>, see below.
        </li>
        <li>
          201 is success. The same values again change nothing; the reply is 201 with{' '}
          <code>"changed": false</code>. So send a request again when its reply was lost.
        </li>
        <li>
          Another value for an entered attempt is a correction; the history keeps both. <code>0</code> clears
          the attempt.
        </li>
        <li>
          With an <code>Idempotency-Key</code> header a repeated request changes nothing, however late it
          arrives, even after a correction. It counts together with the API key and the round: under a new API
          key a repeat is a new request.
        </li>
      </ul>
      <h3>Devices that know competitors by number</h3>
      {post('Enter one attempt by number', '/api/enter-attempt', examples.numbered)}
      <ul>
        <li>
          <code>registrantId</code> is the number in the contest: an integer, or a text with one. A team has
          its numbers separated by commas. <code>GET …/competitors</code> lists them.
        </li>
        <li>
          When every row of a request has a <code>registrantId</code>, success is 200, as devices of the
          association's own API expect. Otherwise it is 201.
        </li>
        <li>
          A <code>wcaId</code> or <code>assocId</code> beside it may be null or empty. Otherwise it has to
          name the same person: another one is a 422. Beside a <code>personId</code> it is a 400.
        </li>
        <li>
          A number that the contest does not have is a 404. In a contest that has no numbers at all, the
          association id beside it counts alone.
        </li>
      </ul>
      <h3>Whole results</h3>
      {post('Replace whole results, all or nothing', '/api/enter-results', examples.results)}
      <p>
        The server refuses attempts with 422 when the round is closed or does not expect the competitor, the
        cutoff was not met, or a time reaches the limit. It refuses a request with several rows as a whole,
        and names each bad row by its index, whatever its fault. The status is that of the first kind: 400 for
        a wrong shape, then 404 for an unknown person, then 422.
      </p>
    </Section>
  );
};
