/** The collections in which profiles are. */
import type { BatchDocument, CounterDocument, ProfileDocument } from './documents.js';
import { SummedCollection, type SummedParts } from './summed-collection.js';

export interface ProfileCollections {
  readonly profiles: SummedCollection<ProfileDocument>;
  readonly batches: SummedCollection<BatchDocument>;
  readonly counters: SummedCollection<CounterDocument>;
}

export const profileCollections = (parts: SummedParts): ProfileCollections => ({
  // The mark of a batch goes from many profiles in one command. A profile has it for moments only.
  profiles: new SummedCollection<ProfileDocument>(parts, 'profiles', { unsummed: 'batch' }),
  batches: new SummedCollection<BatchDocument>(parts, 'batches', { isListed: false }),
  counters: new SummedCollection<CounterDocument>(parts, 'counters'),
});
