/** What is said beside each attempt of a card: why the round would refuse it, or why it should be looked at again. */
import { resultText } from '../../../format.js';
import { type Card, refusalReason } from './arithmetic.js';
import { type DraftReading, differences } from './card-state.js';
import { unusualReason } from './unusual.js';

export interface Note {
  /** Null: nothing is to be said. */
  readonly text: string | null;
  /** The round would refuse it. */
  readonly isWrong: boolean;
}

export const NO_NOTE: Note = { text: null, isWrong: false };

interface NoteContext {
  /** Of the others in the round, valid ones. */
  readonly singles: readonly number[];
  readonly concurrent: readonly ConcurrentChange[];
}

/** An attempt that somebody else has entered otherwise since it was touched here. */
interface ConcurrentChange {
  readonly index: number;
  readonly entered: number;
}

/** `seen`: what the round said of each attempt as it was first touched; null: it was not. */
export const concurrentChanges = (
  attempts: readonly number[],
  { seen, entered }: { readonly seen: readonly (number | null)[]; readonly entered: readonly number[] },
): readonly ConcurrentChange[] =>
  differences(attempts, entered).flatMap((index) => {
    const [before = null, now = 0] = [seen[index], entered[index]];
    return before === null || before === now ? [] : [{ index, entered: now }];
  });

/** One for each attempt. */
export const attemptNotes = (
  { typed }: DraftReading,
  card: Card,
  { singles, concurrent }: NoteContext,
): readonly Note[] =>
  typed.map((each, index): Note => {
    if (each.kind === 'wrong' || each.kind === 'unfinished') return { text: each.reason, isWrong: true };
    const refused = refusalReason(card, index);
    if (refused !== null) return { text: refused, isWrong: true };
    const { valueFormat } = card.rules;
    const other = concurrent.find((one) => one.index === index);
    if (other) {
      const now = resultText(other.entered, valueFormat);
      const text = now === '' ? 'Removed by somebody else meanwhile.' : `Meanwhile ${now} was entered here.`;
      return { text, isWrong: false };
    }
    return { text: unusualReason(index, { valueFormat, attempts: card.attempts, singles }), isWrong: false };
  });
