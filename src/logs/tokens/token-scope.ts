/** What an access token may do. A scope holds the id of its endpoint, so it survives a rename. */

/**
 * `ingest`: write entries. `query`: call every endpoint. `query:<endpoint id>`: call one endpoint. `admin`: manage
 * endpoints, and everything that the other scopes allow.
 */
export type TokenScope = 'ingest' | 'query' | 'admin' | `query:${string}`;

/** Prefix of the scope of one endpoint. Its id follows, or its name in the request that issues a token. */
const ENDPOINT_SCOPE = 'query:';

export const endpointScope = (endpointId: string): TokenScope => `query:${endpointId}`;

/** Returns the endpoint of a scope, or null when the scope is not for one endpoint. */
export const endpointOfScope = (scope: string): string | null =>
  scope.startsWith(ENDPOINT_SCOPE) ? scope.slice(ENDPOINT_SCOPE.length) : null;

/** The allowed scopes, for messages. */
export const SCOPES_ALLOWED = 'ingest, query, query:<endpoint>, admin';

/** Returns null when the text is not a scope. */
export const readScope = (text: string): TokenScope | null => {
  if (text === 'ingest' || text === 'query' || text === 'admin') return text;
  const endpoint = endpointOfScope(text);
  return endpoint === null || endpoint === '' ? null : endpointScope(endpoint);
};

/** Whether the scopes include `wanted`, or a scope that covers it: `admin`, or `query` for an endpoint. */
export const scopesAllow = (scopes: readonly TokenScope[], wanted: TokenScope): boolean =>
  scopes.includes(wanted) ||
  scopes.includes('admin') ||
  (endpointOfScope(wanted) !== null && scopes.includes('query'));
