/** The row of a profile, with the key that keeps an association id unique and the text that a search scans. */
import { caseFolded } from '../../../foundation/operational/case-folded.js';
import type { NewProfile } from '../../../foundation/operational/operational-store.js';

export interface ProfileRow extends NewProfile {
  readonly assocKey: string | null;
  readonly search: string;
}

export const rowOf = ({ spaceId, name, localizedName, assocId }: NewProfile): ProfileRow => ({
  spaceId,
  name,
  localizedName,
  assocId,
  assocKey: assocId === null ? null : caseFolded(assocId),
  search: [name, localizedName, assocId].map((text) => caseFolded(text ?? '')).join('\n'),
});

export const PROFILE_COLUMNS =
  'person_id AS personId, space_id AS spaceId, name, localized_name AS localizedName, assoc_id AS assocId';
