/** Which node owns the log store, by LOG_STORE_URL. On ClickHouse none does: every node writes and reads. */
import { withoutCredentials } from '../basics/without-credentials.js';

/** The owner's base URL; null: this node is the owner. */
export const owningNode = (logStoreUrl: string): URL | null =>
  /^https?:/.test(logStoreUrl) ? new URL(logStoreUrl) : null;

/** Whether every node writes into it. */
export const isSharedLogStore = (logStoreUrl: string): boolean => /^clickhouses?:/.test(logStoreUrl);

/** The URL without what it holds of users. */
export const shownLogStore = (logStoreUrl: string): string => {
  if (!isSharedLogStore(logStoreUrl)) return logStoreUrl;
  if (!URL.canParse(logStoreUrl)) return withoutCredentials(logStoreUrl).replace(/\?.*$/s, '');
  const { protocol, host, pathname } = new URL(logStoreUrl);
  return `${protocol}//${host}${pathname}`;
};
