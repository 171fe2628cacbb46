/** What a URL says of itself before or without routing: whose business its answer is, and the same list's next part. */

/** Whether the path belongs to the log endpoints: each of its requests needs an access token. */
export const isLogPath = (url: string): boolean => /^\/api\/(?:endpoints|logs)(?:[/?]|$)/.test(url);

/** Whether what the path answers is the business of whoever is signed in alone. */
export const isPrivatePath = (url: string): boolean => PRIVATE.test(url);

const PRIVATE = /^\/(?:dashboard|sign-in|api\/(?:[^/]+\/moderation|moderation|session))(?:[/?]|$)/;

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
