/** What a URL says of itself before or without routing: whose business its answer is, and the same list's next part. */

/** Whether the path belongs to the log endpoints: each of its requests needs an access token. */
export const isLogPath = (url: string): boolean => LOGS.test(routedPathOf(url));

const LOGS = /^\/api\/(?:endpoints|logs)(?:\/|$)/;

/** Whether what the path answers is the business of whoever is signed in alone. */
export const isPrivatePath = (url: string): boolean => PRIVATE.test(routedPathOf(url));

const PRIVATE = /^\/(?:dashboard|sign-in|api\/(?:[^/]+\/moderation|moderation|session))(?:\/|$)/;

export const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
};

/**
 * The path as the router reads it: a route is found whichever of its letters are percent-encoded, behind a scheme and a host (RFC
 * 9112, 3.2.2), and before a fragment. As it is where it cannot be decoded, for then there is no route.
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

/** A Link header (RFC 8288) to the same list behind this item. */
export const linkToNext = (url: string, after: string): string => {
  const query = new URLSearchParams(url.slice(pathOf(url).length));
  query.set('after', after);
  return `<${pathOf(url)}?${query}>; rel="next"`;
};
