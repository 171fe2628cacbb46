/**
 * Values that results had until an entry made them worse or removed them. Somebody may have read such a value as a
 * record, so the feed of records says that it was withdrawn. A value is kept whether it was a record or not: that depends
 * on other results, which may change later.
 */
import type { RoundKey } from '../../domain/references.js';
import type { BareResult, ValueKind } from '../../domain/results.js';
import { tags } from '../../domain/tags.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import type { LostValue } from './entered-values.js';

type NamedResult = Pick<BareResult, 'id' | 'resultId' | 'personIds' | 'enteredFor'> & RoundKey;

/** At most one for each result and kind of value. */
export interface WithdrawnValueDocument extends Document, Omit<NamedResult, 'id'> {
  /** Id of the ResultDocument, which may not exist any more. */
  readonly result: string;
  readonly kind: ValueKind;
  /** The best value that the result has lost. It may have been entered again since. */
  readonly value: number;
  /** When that value was entered, in milliseconds since 1970. */
  readonly enteredAt: number;
  /** When the result was last made worse. */
  readonly withdrawnAt: number;
}

export const withdrawnValues: Collection<WithdrawnValueDocument> = {
  name: 'withdrawnValues',
  indexes: { bySpace: ['spaceId', 'withdrawnAt'] },
};

export const keepWithdrawn = async (
  session: ProjectionSession,
  { id: result, ...named }: NamedResult,
  lost: readonly LostValue[],
): Promise<void> => {
  for (const { kind, lostAt, ...entered } of lost) {
    const id = `${result} ${kind}`;
    const known = await session.get(withdrawnValues, id);
    const { value, enteredAt } = known && known.value <= entered.value ? known : entered;
    session.put(withdrawnValues, { id, ...named, result, kind, value, enteredAt, withdrawnAt: lostAt });
    session.touch(() => tags.recentRecords(named.spaceId));
  }
};
