/** What an access token may do. A scope names an endpoint by its id, so a rename keeps it. */

/**
 * `ingest`: write entries. `query`: call every endpoint; `query:<endpoint id>`: that one. `admin`: manage endpoints, and all
 * of the others.
 */
export type TokenScope = 'ingest' | 'query' | 'admin' | `query:${string}`;

/** An endpoint's scope as it is written, up to the endpoint's id (or, where a token is issued, its name). */
const ENDPOINT_SCOPE = 'query:';

export const endpointScope = (endpointId: string): TokenScope => `query:${endpointId}`;

/** The endpoint that the scope is for; null where it is for none in particular. */
export const endpointOfScope = (scope: string): string | null =>
  scope.startsWith(ENDPOINT_SCOPE) ? scope.slice(ENDPOINT_SCOPE.length) : null;

/** What there is to choose from, for messages. */
export const SCOPES_ALLOWED = 'ingest, query, query:<endpoint>, admin';

/** Null for what is no scope. */
export const readScope = (text: string): TokenScope | null => {
  if (text === 'ingest' || text === 'query' || text === 'admin') return text;
  const endpoint = endpointOfScope(text);
  return endpoint === null || endpoint === '' ? null : endpointScope(endpoint);
};

/** Whether these scopes allow what `wanted` names: the scope itself, `admin`, or `query` for every endpoint. */
export const scopesAllow = (scopes: readonly TokenScope[], wanted: TokenScope): boolean =>
  scopes.includes(wanted) ||
  scopes.includes('admin') ||
  (endpointOfScope(wanted) !== null && scopes.includes('query'));
