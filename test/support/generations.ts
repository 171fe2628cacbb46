/** One generation at a time, which is all that most tests need. */
import type {
  Generation,
  ProjectionSchema,
  PromotionOutcome,
  ReadModelStore,
} from '../../src/foundation/read-models/read-model-store.js';

type Store = Pick<ReadModelStore, 'startGenerations' | 'promote'>;

export const startGeneration = async (
  store: Store,
  schema: ProjectionSchema,
  storeId: string,
): Promise<Generation> => {
  const [generation] = await store.startGenerations([schema], storeId);
  if (!generation) throw new Error('no generation was begun');
  return generation;
};

export const promote = async (
  store: Store,
  generation: Generation,
  options: { readonly allowBehind?: boolean } = {},
): Promise<PromotionOutcome | undefined> => {
  const [outcome] = await store.promote([generation], options);
  return outcome;
};
