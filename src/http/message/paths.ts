/**
 * What a URL tells without routing: whether it is a log path or a private path, and the link to the next page
 * of a list.
 */

/** Whether the path belongs to the log endpoints: each of its requests needs an access token. */
export const isLogPath = (url: string): boolean => LOGS.test(routedPathOf(url));

const LOGS = /^\/(?:api\/(?:endpoints|logs)|v1\/(?:logs|traces)|loki\/api\/v1\/push)(?:\/|$)/;

/** The paths that take log entries. Senders write to them many times a second. */
export const INGEST_PATHS = [
  '/api/logs',
  '/api/logs/cloudflare',
  '/api/logs/logplex',
  '/loki/api/v1/push',
  '/v1/logs',
  '/v1/traces',
] as const;
export type IngestPath = (typeof INGEST_PATHS)[number];

/** `path` as the request has it, or as the router reads it. */
export const isIngestPath = (path: string): path is IngestPath => INGEST.has(path);

const INGEST: ReadonlySet<string> = new Set(INGEST_PATHS);

/** Whether the path is private: its replies are for the signed-in account only. */
export const isPrivatePath = (url: string): boolean => PRIVATE.test(routedPathOf(url));

const PRIVATE = /^\/(?:dashboard|sign-in|api\/(?:[^/]+\/moderation|moderation|session))(?:\/|$)/;

export const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
};

/**
 * Returns the path as the router reads it: percent-decoded, without scheme and host (RFC 9112, 3.2.2), without
 * a fragment. A path that cannot be decoded is returned as it is; no route matches it.
 */
export const routedPathOf = (url: string): string => {
  const given = pathOf(url);
  const isPlain = given.startsWith('/') && !given.includes('#');
  const path = isPlain ? given : given.replace(/^https?:\/\/[^/#]*/i, '').replace(/#.*$/, '');
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
};

/** Returns a Link header (RFC 8288) to the next page of the list, after this item. */
export const linkToNext = (url: string, after: string): string => {
  const query = new URLSearchParams(url.slice(pathOf(url).length));
  query.set('after', after);
  return `<${pathOf(url)}?${query}>; rel="next"`;
};
