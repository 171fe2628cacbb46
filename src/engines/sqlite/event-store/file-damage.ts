/** The engine's own errors about the event file: a page that cannot be one of SQLite's. */
import { messageOf } from '../../../foundation/basics/error-message.js';
import type { Damage } from '../../../foundation/integrity/damage.js';
import { isDamage } from '../replaceable-file.js';

/** `place`: what was read. */
export const fileDamage = (place: string, error: unknown): Damage => ({
  store: 'events',
  place,
  reason: `its pages cannot be read: ${messageOf(error)}`,
});

/** What `read` returns, or the damage of the file that it has met. */
export const readOrDamage = <T>(
  place: string,
  read: () => T,
): { readonly value: T; readonly damage: null } | { readonly value: null; readonly damage: Damage } => {
  try {
    return { value: read(), damage: null };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { value: null, damage: fileDamage(place, error) };
  }
};
