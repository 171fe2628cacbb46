/** Says why a page cannot be shown, with a link to the first page. */
import type { ProblemPage as Model } from '../../../src/pages/page-models.js';

export const ProblemPage = ({ model }: { readonly model: Model }) => (
  <>
    <h1>{model.title}</h1>
    <p>{model.detail}</p>
    <p>
      <a href={model.base === '' ? '/' : model.base}>Go to the first page</a>
    </p>
  </>
);
