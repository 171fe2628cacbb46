/** Decisions about generations, as pure functions from one bookkeeping to the next. */
import { condemnedVersion, type DamageExtent } from '../../../foundation/read-models/damaged-generation.js';
import { promotionOf } from '../../../foundation/read-models/promotion.js';
import type {
  Generation,
  ProjectionBatch,
  ProjectionProgress,
  PromotionOutcome,
} from '../../../foundation/read-models/read-model-store.js';
import type { Bookkeeping, GenerationState, Phase, Step } from './documents.js';
import { advancedTallies, type Tallies, type TallyChanges } from './tallies.js';

export const EMPTY_BOOKS: Bookkeeping = { sequence: 0, nextNumber: 1, generations: [] };

const changed = (
  books: Bookkeeping,
  change: (generation: GenerationState) => GenerationState,
): Bookkeeping => ({
  ...books,
  sequence: books.sequence + 1,
  generations: books.generations.map(change),
});

export const stateOf = ({ generations }: Bookkeeping, number: number): GenerationState | null =>
  generations.find((generation) => generation.number === number) ?? null;

export const inPhase = (books: Bookkeeping, projection: string, phase: Phase): GenerationState | null =>
  books.generations.find((one) => one.projection === projection && one.phase === phase) ?? null;

export const retiredNumbers = ({ generations }: Bookkeeping): readonly number[] =>
  generations.filter(({ phase }) => phase === 'retired').map(({ number }) => number);

/** Whether every generation is at its batch's `from`. If not, another process has moved or retired one. */
export const areNext = (books: Bookkeeping, batches: readonly ProjectionBatch[]): boolean =>
  batches.every(({ generation, from }) => {
    const state = stateOf(books, generation.number);
    return state !== null && state.phase !== 'retired' && state.position === from;
  });

export const advanced = (
  books: Bookkeeping,
  batches: readonly ProjectionBatch[],
  changes: TallyChanges,
): Bookkeeping => {
  const to = new Map(batches.map((batch) => [batch.generation.number, batch.to]));
  const entry = books.sequence + 1;
  return changed(books, (one) => {
    const position = to.get(one.number);
    if (position === undefined) return one;
    const { tallies, ...state } = one;
    const next = { ...state, position, entry };
    if (tallies?.at !== one.position) return next;
    return { ...next, tallies: advancedTallies(tallies, position, changes.get(one.number)) };
  });
};

/** Makes the projector build the projection anew. Of a generation that is damaged as a whole the checkpoint says nothing. */
export const condemned = (books: Bookkeeping, generation: number, extent: DamageExtent): Bookkeeping =>
  changed(books, (one) => {
    if (one.number !== generation) return one;
    const { tallies: _, ...state } = one;
    const version = condemnedVersion(extent);
    return extent === 'generation' ? { ...state, version, position: 0, entry: 0 } : { ...one, version };
  });

/** Gives a generation the tallies that were counted at its position. */
export const counted = (books: Bookkeeping, generation: number, tallies: Tallies): Bookkeeping =>
  changed(books, (one) => (one.number === generation ? { ...one, tallies } : one));

/**
 * What follows a log that is damaged. Of each projection a live generation that cannot be read stands for the one that is lost, until
 * the projector has built another.
 */
export const begunAnew = (
  sequence: number,
  nextNumber: number,
  projections: readonly string[],
): Bookkeeping => ({
  sequence,
  nextNumber: nextNumber + projections.length,
  generations: projections.map((projection, place) => ({
    number: nextNumber + place,
    projection,
    version: condemnedVersion('generation'),
    storeId: '',
    position: 0,
    phase: 'live',
    entry: 0,
  })),
});

export const stepsOf = (batches: readonly ProjectionBatch[]): readonly Step[] =>
  batches.map(({ generation, from }) => ({ generation: generation.number, from }));

/** Appends the new generations, in their order. Retires the building ones of the same projections. */
export const begun = (
  books: Bookkeeping,
  schemas: readonly Pick<Generation, 'projection' | 'version'>[],
  storeId: string,
): Bookkeeping => {
  const again = new Set(schemas.map(({ projection }) => projection));
  const next = changed(books, (one) =>
    again.has(one.projection) && one.phase === 'building' ? { ...one, phase: 'retired' } : one,
  );
  const generations = schemas.map(({ projection, version }, place) => {
    const number = books.nextNumber + place;
    const tallies = { at: 0, of: {} };
    return {
      number,
      projection,
      version,
      storeId,
      position: 0,
      phase: 'building',
      entry: 0,
      tallies,
    } as const;
  });
  return {
    ...next,
    nextNumber: books.nextNumber + generations.length,
    generations: [...next.generations, ...generations],
  };
};

/** Returns the possible outcome for each generation, in their order. */
export const outcomesOf = (
  books: Bookkeeping,
  generations: readonly Generation[],
  allowBehind: boolean,
): readonly PromotionOutcome[] =>
  generations.map((generation) => {
    const { projection } = generation;
    const [live, building] = [inPhase(books, projection, 'live'), inPhase(books, projection, 'building')];
    return promotionOf(generation, { live, building }, allowBehind);
  });

/** Makes these building generations live, and retires the ones that they replace. */
export const promoted = (books: Bookkeeping, generations: readonly Generation[]): Bookkeeping => {
  const numbers = new Set(generations.map(({ number }) => number));
  const projections = new Set(generations.map(({ projection }) => projection));
  return changed(books, (one) => {
    if (numbers.has(one.number)) return { ...one, phase: 'live' };
    const isReplaced = one.phase === 'live' && projections.has(one.projection);
    return isReplaced ? { ...one, phase: 'retired' } : one;
  });
};

export const forgotten = (books: Bookkeeping, numbers: readonly number[]): Bookkeeping => {
  const next = changed(books, (one) => one);
  return { ...next, generations: next.generations.filter(({ number }) => !numbers.includes(number)) };
};

export const generationOf = ({
  phase: _,
  entry: __,
  tallies: ___,
  ...generation
}: GenerationState): Generation => generation;

/** `positions`: the visible position of a generation, by its number, where it differs from the generation's own. */
export const progressOf = (
  books: Bookkeeping,
  projection: string,
  positions: ReadonlyMap<number, number>,
): ProjectionProgress => {
  const shown = (phase: Phase): Generation | null => {
    const state = inPhase(books, projection, phase);
    return state && { ...generationOf(state), position: positions.get(state.number) ?? state.position };
  };
  return { live: shown('live'), building: shown('building') };
};
