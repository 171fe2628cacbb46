/**
 * The public paths and their methods, for what has to be known before or without routing: which paths are open to
 * pages of other sites (CORS), and which method was wrong (405).
 */

const READS = [
  /^\/api(?:\/[^/]+)?\/events$/,
  /^\/api(?:\/[^/]+)?\/competitions(?:\/[^/]+)?$/,
  /^\/api(?:\/[^/]+)?\/results\/rankings\/[^/]+\/[^/]+\/[^/]+$/,
  /^\/api\/healthcheck$/,
  /^\/api\/docs(?:\/.*)?$/,
  /^\/metrics$/,
];

const ENTRIES = /^\/api(?:\/[^/]+)?\/enter-(?:attempt|results)$/;

/** The methods of the paths of log endpoints. */
const LOG_PATHS: readonly (readonly [path: RegExp, methods: readonly string[]])[] = [
  [/^\/api\/endpoints\/query\/[^/]+$/, ['GET', 'HEAD', 'POST']],
  [/^\/api\/endpoints\/query\/[^/]+\/outline$/, ['GET', 'HEAD']],
  [/^\/api\/endpoints\/query\/[^/]+\/check$/, ['POST']],
  [/^\/api\/endpoints\/[^/]+\/versions$/, ['GET', 'HEAD']],
  [/^\/api\/endpoints\/check$/, ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']],
  [/^\/api\/endpoints\/[^/]+$/, ['GET', 'HEAD', 'PATCH', 'DELETE']],
  [/^\/api\/endpoints$/, ['GET', 'HEAD', 'POST']],
  [/^\/api\/logs$/, ['POST']],
];

/** Whether the path belongs to the log endpoints: each of its requests needs an access token. */
export const isLogPath = (url: string): boolean => /^\/api\/(?:endpoints|logs)(?:[/?]|$)/.test(url);

/** Whether what the path answers is the business of whoever is signed in alone. */
export const isPrivatePath = (url: string): boolean => PRIVATE.test(url);

const PRIVATE = /^\/(?:dashboard|sign-in|api\/(?:[^/]+\/moderation|moderation|session))(?:[/?]|$)/;

/** The methods of a path, `url` with or without its query; empty when there is no such path. */
export const methodsOf = (url: string): readonly string[] => {
  const path = pathOf(url);
  if (ENTRIES.test(path)) return ['POST', 'OPTIONS'];
  const logs = LOG_PATHS.find(([pattern]) => pattern.test(path));
  if (logs) return [...logs[1], 'OPTIONS'];
  return READS.some((read) => read.test(path)) ? ['GET', 'HEAD', 'OPTIONS'] : [];
};

export const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
};

/** A Link header (RFC 8288) to the same list behind this item. */
export const linkToNext = (url: string, after: string): string => {
  const query = new URLSearchParams(url.slice(pathOf(url).length));
  query.set('after', after);
  return `<${pathOf(url)}?${query}>; rel="next"`;
};
