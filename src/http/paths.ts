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

/** The methods of a path, `url` with or without its query; empty when there is no such path. */
export const methodsOf = (url: string): readonly string[] => {
  const path = pathOf(url);
  if (ENTRIES.test(path)) return ['POST', 'OPTIONS'];
  if (path === '/api/logs') return ['POST'];
  return READS.some((read) => read.test(path)) ? ['GET', 'HEAD', 'OPTIONS'] : [];
};

export const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
};
