/** Renders a page to a whole HTML document. The reader sees the page before any script runs; the script then hydrates it. */
import { renderToString } from 'react-dom/server';
import { assetLinks, type PageAssets } from '../../src/pages/page-head.js';
import type { PageModel } from '../../src/pages/page-models.js';

import { feedPath } from './components/records-form.js';
import { Page, pageTitle } from './page.js';

export const renderDocument = (model: PageModel, assets: PageAssets): string =>
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escaped(pageTitle(model))}</title>
<meta property="og:title" content="${quoted(pageTitle(model))}">
${feedLink(model)}${assetLinks(assets, 'later')}</head>
<body><div id="page">${renderToString(<Page model={model} />)}</div>
<script type="application/json" id="model">${asData(model)}</script></body></html>
`;

/** Feed readers find the feed of a page that shows new records by this link. */
const feedLink = (model: PageModel): string => {
  if (model.page !== 'home' && model.page !== 'recent-records') return '';
  const href = quoted(feedPath(model));
  return `<link rel="alternate" type="application/atom+xml" title="New records" href="${href}">`;
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** For the value of an attribute. */
const quoted = (text: string): string => escaped(text).replaceAll('"', '&quot;');

/** Escapes `<`, so that no text of the data can end the script element. */
const asData = (model: PageModel): string => JSON.stringify(model).replaceAll('<', '\\u003c');
