/** The two APIs, explained by requests that run against the server that the page came from. */
import type { DocsPage as Model } from '../../../src/pages/page-models.js';
import { Entering } from '../docs/entering.js';
import { Logs } from '../docs/logs.js';
import { Problems } from '../docs/problems.js';
import { Reading } from '../docs/reading.js';
import { SECTIONS } from '../docs/section.js';

export const DocsPage = ({ model }: { readonly model: Model }) => (
  <div className="docs">
    <h1>The API</h1>
    <p>
      Podium has two APIs over HTTP, both in JSON. With one, everybody reads contests and rankings and devices
      enter attempts; with the other, holders of an access token query logs. <b>Run</b> sends a request to
      this server and shows its answer. Every path, field and reply is in the{' '}
      <a href="/api/docs">reference</a>, also as <a href="/api/docs/openapi.json">OpenAPI 3.1</a>.
    </p>
    <nav className="jump" aria-label="Sections">
      {Object.entries(SECTIONS).map(([id, name]) => (
        <a key={id} href={`#${id}`}>
          {name}
        </a>
      ))}
    </nav>
    <Reading model={model} />
    <Entering model={model} />
    <Logs model={model} />
    <Problems model={model} />
  </div>
);
