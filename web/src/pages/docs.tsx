/** Explains the two APIs by requests that the reader can run against this server. */
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
      Podium has two HTTP APIs with JSON. The first one serves contests and rankings to everyone and takes
      attempts from devices. The second one answers log queries for clients with an access token. <b>Run</b>{' '}
      sends a request to this server and shows the reply. Every path, field and reply is in the{' '}
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
