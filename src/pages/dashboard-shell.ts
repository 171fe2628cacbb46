/**
 * The HTML frame of the dashboard and its sign-in. The browser renders the rest, which is for one account. A
 * data block holds the account, so the scripts need no first request.
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

/** Escapes `<`, so that no text can close the element that holds the data. */
const asData = (account: SignedInAccount | null): string =>
  JSON.stringify(account).replaceAll('<', '\\u003c');
