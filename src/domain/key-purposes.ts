/** What API keys are for, and whether one may be used for it in a contest. */
import type { ContestRef } from './references.js';
import type { Rejection } from './rejections.js';

/** What a key is for: entering results, or replacing the competitor list. */
export const KEY_PURPOSES = ['entry', 'competitors'] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

const PURPOSES: Readonly<Record<KeyPurpose, string>> = {
  entry: 'the entry of results',
  competitors: 'the competitor list',
};

/**
 * Returns why the key may not be used in this contest for this purpose, or null. `issued` null: there is no such key; without a
 * purpose: for entry.
 */
export const keyRefusal = (
  issued: (ContestRef & { readonly purpose?: KeyPurpose }) | null,
  { spaceId, competitionId }: ContestRef,
  wanted: KeyPurpose,
): Rejection | null => {
  if (issued?.spaceId !== spaceId || issued.competitionId !== competitionId)
    return { code: 'key-of-another-contest', detail: `the API key is not for contest ${competitionId}` };
  const { purpose = 'entry' } = issued;
  if (purpose === wanted) return null;
  return {
    code: 'key-purpose',
    detail: `the API key is for ${PURPOSES[purpose]}, not for ${PURPOSES[wanted]}`,
  };
};
