/** The thread that renders pages. It has the components, and no access to stores or requests. */
import { workerData } from 'node:worker_threads';
import { type AnsweredValue, answerRequests } from '../foundation/basics/request-thread.messages.js';
import type { PageAssets } from './page-head.js';
import type { PageModel } from './page-models.js';
import type { RendererData } from './page-renderer.js';

/** What the build of web/src/server.tsx exports. */
interface ServerEntry {
  readonly renderDocument: (model: PageModel, assets: PageAssets) => string;
}

const { serverEntry, assets }: RendererData = workerData;
const { renderDocument }: ServerEntry = await import(serverEntry);

answerRequests<PageModel, Uint8Array>({
  answer: async (model): Promise<AnsweredValue<Uint8Array>> => ({
    value: new TextEncoder().encode(renderDocument(model, assets)),
  }),
});
