/**
 * The page that the dashboard and its sign-in run in: nothing but the frame of a document, since all of it is for one
 * person and is made in the browser. Who is signed in travels in a data block, so that nothing has to be asked first.
 */
import type { SignedInAccount } from '../foundation/operational/account.js';
import { assetLinks, type PageAssets } from './page-head.js';

export const dashboardShell = (
  account: SignedInAccount | null,
  { assets, nonce }: { readonly assets: PageAssets; readonly nonce: string },
): string =>
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<meta property="csp-nonce" nonce="${nonce}"><title>Podium</title>
${assetLinks(assets)}</head>
<body><div id="dashboard"><noscript><p>The dashboard needs scripts; the public pages do not.</p></noscript></div>
<script type="application/json" id="account">${asData(account)}</script></body></html>
`;

/** No text of the data can end the element that holds it. */
const asData = (account: SignedInAccount | null): string =>
  JSON.stringify(account).replaceAll('<', '\\u003c');
