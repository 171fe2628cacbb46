/** Which node owns the log store, as LOG_STORE_URL says it. */

/** Where the owner answers; null: this node is it. */
export const ownerOf = (logStoreUrl: string): URL | null =>
  /^https?:/.test(logStoreUrl) ? new URL(logStoreUrl) : null;
