/**
 * Headers of every page. The policy allows only the site's own files: no inline script or style, no other site,
 * no frame. The page data stands in a script element of type application/json, which no browser runs.
 */

/** `styles`: further sources of styles beside the site's own files. */
const policyWith = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export const SECURITY_HEADERS: readonly (readonly [string, string])[] = [
  ['Content-Security-Policy', policyWith('')],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
];

export const PAGE_HEADERS: readonly (readonly [string, string])[] = [
  ...SECURITY_HEADERS,
  ['Content-Type', 'text/html; charset=utf-8'],
];

/**
 * Headers of the dashboard. Its components insert a style element, which carries the nonce of the page. The
 * nonce is random each time, so injected elements cannot have it.
 */
export const dashboardHeaders = (nonce: string): readonly (readonly [string, string])[] => [
  ...PAGE_HEADERS.filter(([name]) => name !== 'Content-Security-Policy'),
  ['Content-Security-Policy', policyWith(` 'nonce-${nonce}'`)],
  ['Cache-Control', 'no-store'],
];
