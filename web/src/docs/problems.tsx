/** How the server refuses requests, and every code of a refusal. */
import { Example } from './example.js';
import { type DocsSectionProps, Section } from './section.js';

export const Problems = ({ model }: DocsSectionProps) => {
  const { base, origin, examples, problems } = model;
  const statuses = [...new Set(problems.map(({ status }) => status))].sort((a, b) => a - b);
  return (
    <Section id="problems">
      <p>
        The server answers a refused request with a problem document (RFC 9457). Its <code>type</code> ends in
        a code that never changes its meaning, <code>errors</code> names each bad field with the rule it
        breaks, and <code>instance</code> is the id of the request in the server's log.
      </p>
      <Example
        title="A ranking that does not exist"
        origin={origin}
        request={{
          method: 'GET',
          path: `/api${base}/results/rankings/${examples.eventId}/fastest/all?topN=0`,
        }}
      />
      <p>
        The codes by status. With 503 and 429, <code>Retry-After</code> says when to send the request again.
        The list is also available as <a href="/api/docs/problems">JSON</a>.
      </p>
      <dl className="codes">
        {statuses.map((status) => (
          <div key={status}>
            <dt>{status}</dt>
            {problems
              .filter((problem) => problem.status === status)
              .map(({ code }) => (
                <dd key={code}>
                  <a href={`/api/docs/problems/${code}`}>{code}</a>
                </dd>
              ))}
          </div>
        ))}
      </dl>
    </Section>
  );
};
