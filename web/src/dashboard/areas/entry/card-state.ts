/**
 * A score card while it is typed. What nobody has touched stays what the round says, also while a device goes on
 * entering, so typing one attempt never overwrites another that has come meanwhile.
 */
import { NOT_TAKEN, type ValueFormat } from '../../../../../src/domain/attempts.js';
import { parseAttempt, type TypedAttempt } from './typed-attempt.js';

/** For each attempt what was typed; null: it was not touched. */
type Draft = readonly (string | null)[];

/** A card as it is being typed. */
export interface TypedCard {
  readonly draft: Draft;
  /** What the round said of each attempt as it was first touched; null: it was not. */
  readonly seen: readonly (number | null)[];
}

const nothing = (length: number): readonly null[] => Array.from({ length }, () => null);

export const untouchedCard = (length: number): TypedCard => ({
  draft: nothing(length),
  seen: nothing(length),
});
/** For typing blind what is there already. */
export const blankCard = (length: number): TypedCard => ({
  draft: Array.from({ length }, () => ''),
  seen: nothing(length),
});

/** `entered`: what the round says of the attempt now. */
export const withTyped = (
  { draft, seen }: TypedCard,
  index: number,
  { text, entered }: { readonly text: string; readonly entered: number },
): TypedCard => ({
  draft: draft.with(index, text),
  seen: draft[index] === null ? seen.with(index, entered) : seen,
});

export interface DraftReading {
  readonly typed: readonly TypedAttempt[];
  /** One value for each attempt: as typed, else as the round has it; 0 where nothing usable is typed. */
  readonly attempts: readonly number[];
  /** Index of the first that cannot be read, or -1. */
  readonly unreadable: number;
}

export const readDraft = (draft: Draft, entered: readonly number[], format: ValueFormat): DraftReading => {
  const typed = draft.map((text, index): TypedAttempt => {
    if (text !== null) return parseAttempt(text, format);
    const value = entered[index] ?? NOT_TAKEN;
    return value === NOT_TAKEN ? { kind: 'empty' } : { kind: 'value', value };
  });
  return {
    typed,
    attempts: typed.map((each) => (each.kind === 'value' ? each.value : NOT_TAKEN)),
    unreadable: typed.findIndex(({ kind }) => kind === 'wrong' || kind === 'unfinished'),
  };
};

/** Where typing begins: at the first attempt that is not in and may be taken, else at the first. */
export const firstMissing = (attempts: readonly number[], open: number): number => {
  const index = attempts.slice(0, open).indexOf(NOT_TAKEN);
  return Math.max(index, 0);
};

/** Where typing broke off; -1 where nothing was typed. */
export const lastTyped = ({ draft }: TypedCard): number => draft.findLastIndex((text) => text);

/** Indexes at which two cards differ. */
export const differences = (one: readonly number[], other: readonly number[]): readonly number[] =>
  one.flatMap((value, index) => (value === (other[index] ?? NOT_TAKEN) ? [] : [index]));
