/** Which node owns the log store, by LOG_STORE_URL. */

/** The owner's base URL; null: this node is the owner. */
export const ownerOf = (logStoreUrl: string): URL | null =>
  /^https?:/.test(logStoreUrl) ? new URL(logStoreUrl) : null;
