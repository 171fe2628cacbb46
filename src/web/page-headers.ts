/**
 * Headers of every page. The policy allows what the pages have and nothing else: no inline script or style, no other
 * site, no frame around them. The page's data travels in a script element of type application/json, which no browser runs.
 */

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const SECURITY_HEADERS: readonly (readonly [string, string])[] = [
  ['Content-Security-Policy', POLICY],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
];

export const PAGE_HEADERS: readonly (readonly [string, string])[] = [
  ...SECURITY_HEADERS,
  ['Content-Type', 'text/html; charset=utf-8'],
];
