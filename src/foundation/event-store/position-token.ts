/**
 * The opaque text of a position in the header Podium-Position: the store's id and the position. A token of another
 * store is recognised, so no request waits for it.
 */
import type { Position } from './event-store.js';

const TOKEN = /^([0-9a-f]{8})-([0-9a-z]{1,11})$/;

const storeTag = (storeId: string): string => storeId.replaceAll('-', '').slice(0, 8);

export const encodePosition = (storeId: string, position: Position): string =>
  `${storeTag(storeId)}-${position.toString(36)}`;

/** `foreign`: well formed, but of another store. `malformed`: not a token of Podium. */
export const decodePosition = (storeId: string, token: string): Position | 'foreign' | 'malformed' => {
  const [, store, text] = TOKEN.exec(token) ?? [];
  if (store === undefined || text === undefined) return 'malformed';
  const position = Number.parseInt(text, 36);
  if (!Number.isSafeInteger(position)) return 'malformed';
  return store === storeTag(storeId) ? position : 'foreign';
};
