/**
 * A score card while it is typed. An attempt that the typist has not touched keeps the round's value, also while a device
 * enters attempts. So typing one attempt never overwrites another one.
 */
import { NOT_TAKEN, type ValueFormat } from '../../../../../src/domain/attempts.js';
import { parseAttempt, type TypedAttempt } from './typed-attempt.js';

/** The typed text of each attempt; null for an untouched one. */
type Draft = readonly (string | null)[];

/** A card while it is typed. */
export interface TypedCard {
  readonly draft: Draft;
  /** The round's value of each attempt when the typist first touched it; null for an untouched one. */
  readonly seen: readonly (number | null)[];
}

const nothing = (length: number): readonly null[] => Array.from({ length }, () => null);

export const untouchedCard = (length: number): TypedCard => ({
  draft: nothing(length),
  seen: nothing(length),
});
/** Hides the entered values, so that a second typist enters them without seeing them. `only`: index of the one to hide; null: all. */
export const blankCard = (length: number, only: number | null): TypedCard => ({
  draft: Array.from({ length }, (_, index) => (only === null || index === only ? '' : null)),
  seen: nothing(length),
});

/** `entered`: the round's current value of the attempt. */
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
  /** One value for each attempt: the typed one, else the round's. 0 when the text is empty or invalid. */
  readonly attempts: readonly number[];
  /** Index of the first attempt with an invalid text, or -1. */
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

/** The attempt at which typing begins: the first missing one of those allowed, else the first of all. */
export const firstMissing = (attempts: readonly number[], open: number): number => {
  const index = attempts.slice(0, open).indexOf(NOT_TAKEN);
  return Math.max(index, 0);
};

/** The last attempt with a typed text; -1 when there is none. */
export const lastTyped = ({ draft }: TypedCard): number => draft.findLastIndex((text) => text);

/** The indexes at which two cards differ. */
export const differences = (one: readonly number[], other: readonly number[]): readonly number[] =>
  one.flatMap((value, index) => (value === (other[index] ?? NOT_TAKEN) ? [] : [index]));
