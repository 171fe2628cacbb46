/**
 * Which settings a change belongs to. Alerts and drains also change by their runs, so a revision is of the settings alone: the same settings
 * have the same one, on each node.
 */
import { createHash } from 'node:crypto';
import { RejectedError, type RejectionCode } from '../domain/rejections.js';
import { invalidRequest } from '../http/problems/invalid-request.js';

export interface Seen {
  /** Of the settings that the client has seen; missing: it changes any. */
  readonly revision?: string;
}

/** Of plain data, always named in the same order. */
export const revisionOf = (...settings: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(settings)).digest('base64url').slice(0, 22);

/** Throws RejectedError with this code when the settings are no longer those that were seen; null: there are none. */
export const refuseUnseen = (
  seen: string | null | undefined,
  now: string | null,
  code: RejectionCode,
): void => {
  if (seen === undefined || seen === now) return;
  const detail =
    seen === null
      ? 'another has just made it: read it, then change that'
      : 'another change came first: read it again, then change that';
  throw new RejectedError({ code, detail });
};

/** A change without a field would change the owner alone. Throws RejectedError `invalid-request`. */
export const refuseEmpty = (change: object): void => {
  if (Object.keys(change).length > 0) return;
  const message = 'the change names no field: nothing would change but the owner';
  throw invalidRequest([{ field: 'body', rule: 'required', message }]);
};
