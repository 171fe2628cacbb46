/** A filter of LQL that is saved under a name, as it is stored, and as clients see it. */
import { revisionOf } from '../revision.js';

export interface SavedFilter {
  readonly name: string;
  /** Whose queries find it; null: those of all. */
  readonly project: string | null;
  readonly lql: string;
}

export interface SavedFilterView extends SavedFilter {
  /** Of its text. */
  readonly revision: string;
}

export const savedFilterView = (filter: SavedFilter): SavedFilterView => ({
  ...filter,
  revision: revisionOf(filter.lql),
});
