/** The notes beside the attempts of a card: why the round would refuse an attempt, or why the typist should check it. */
import { resultText } from '../../../format.js';
import { type Card, limitQuestion, refusalReason } from './arithmetic.js';
import { type DraftReading, differences } from './card-state.js';
import { type AttemptContext, unusualReason } from './unusual.js';

export interface Note {
  /** Null when there is no note. */
  readonly text: string | null;
  /** The round would refuse the attempt. */
  readonly isWrong: boolean;
  /** The note asks whether the attempt is a DNF; Enter in its field says yes. */
  readonly asksForDnf?: boolean;
  /** The typist is asked before the card is saved: the note is about something that the card changes. */
  readonly asks?: boolean;
}

export const NO_NOTE: Note = { text: null, isWrong: false };

interface NoteContext extends Pick<AttemptContext, 'singles' | 'ownBest'> {
  readonly concurrent: readonly ConcurrentChange[];
}

/** An attempt that another desk or device has changed since it was touched here. */
interface ConcurrentChange {
  readonly index: number;
  readonly entered: number;
}

/** `seen`: the round's value of each attempt when the typist first touched it; null for an untouched one. */
export const concurrentChanges = (
  attempts: readonly number[],
  { seen, entered }: { readonly seen: readonly (number | null)[]; readonly entered: readonly number[] },
): readonly ConcurrentChange[] =>
  differences(attempts, entered).flatMap((index) => {
    const [before = null, now = 0] = [seen[index], entered[index]];
    return before === null || before === now ? [] : [{ index, entered: now }];
  });

/** Returns one note for each attempt. */
export const attemptNotes = (
  { typed }: DraftReading,
  card: Card,
  { concurrent, ...judged }: NoteContext,
): readonly Note[] =>
  typed.map((each, index): Note => {
    if (each.kind === 'wrong' || each.kind === 'unfinished') return { text: each.reason, isWrong: true };
    const refused = refusalReason(card, index);
    if (refused !== null) return { text: refused, isWrong: true };
    const overLimit = limitQuestion(card, index);
    if (overLimit !== null) return { text: overLimit, isWrong: true, asksForDnf: true };
    const { valueFormat } = card.rules;
    const other = concurrent.find((one) => one.index === index);
    if (other) {
      const now = resultText(other.entered, valueFormat);
      const text =
        now === '' ? 'Meanwhile this attempt was removed.' : `Meanwhile ${now} was entered for this attempt.`;
      return { text, isWrong: false, asks: true };
    }
    const reasonAmong = (attempts: readonly number[]): string | null =>
      unusualReason(index, { valueFormat, attempts, ...judged });
    const text = reasonAmong(card.attempts);
    const isKept = card.attempts[index] === card.entered[index] && text === reasonAmong(card.entered);
    return { text, isWrong: false, asks: text !== null && !isKept };
  });
