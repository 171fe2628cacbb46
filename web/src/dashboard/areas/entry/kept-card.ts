/**
 * What is typed on a card and not saved yet, kept in the tab for the account and the round, so that a page that was loaded
 * again has the same card in hand. It is never saved by itself, and goes once its typist has saved or left the card.
 */
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type { EntrySheetView } from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import { useAccount } from '../../account.js';
import { differences, readDraft, type TypedCard } from './card-state.js';
import { attemptsOfResult, resultOf } from './desk-round.js';
import type { DeskPaths } from './sheet.js';

/** Names stay out of it: they are in the sheet. */
interface KeptCard extends TypedCard {
  readonly personIds: readonly number[];
  readonly isChecking: boolean;
}

interface CardStorage {
  /** Null where there is none, or none that fits the round as it is. */
  read(): KeptCard | null;
  keep(card: KeptCard): void;
  drop(): void;
}

export const useCardStorage = ({ sheet: address }: DeskPaths, sheet: EntrySheetView): CardStorage => {
  const name = `podium card ${useAccount().accountId} ${address}`;
  return {
    read: () => {
      const card = inTab((tab) => cardIn(tab.getItem(name)));
      return card !== null && fits(card, sheet) ? card : null;
    },
    keep: (card) => {
      inTab((tab) => tab.setItem(name, JSON.stringify(card)));
    },
    drop: () => {
      inTab((tab) => tab.removeItem(name));
    },
  };
};

/** Those whose card it is, in their order; nobody where one of them is not of the contest. */
export const keptTeam = ({ personIds }: KeptCard, { competitors }: EntrySheetView): readonly PersonView[] => {
  const found = personIds.flatMap((id) => competitors.find(({ person }) => person.id === id)?.person ?? []);
  return found.length === personIds.length ? found : [];
};

/** Null also where the browser keeps nothing for this site. */
const inTab = <T>(act: (tab: Storage) => T): T | null => {
  try {
    return act(sessionStorage);
  } catch {
    return null;
  }
};

/** Not if there is nothing left to be saved, as when the page was loaded again right after the save was sent. */
const fits = (card: KeptCard, sheet: EntrySheetView): boolean => {
  const { round, event } = sheet;
  const team = keptTeam(card, sheet);
  const entered = attemptsOfResult(resultOf(round, team), round);
  if (team.length !== event.participants || card.draft.length !== entered.length) return false;
  const { typed, attempts } = readDraft(card.draft, entered, event.format);
  return (
    card.isChecking || differences(attempts, entered).length > 0 || typed.some(({ kind }) => kind === 'wrong')
  );
};

const cardIn = (text: string | null): KeptCard | null => {
  const given: unknown = text === null ? null : JSON.parse(text);
  return isKept(given) ? given : null;
};

/** A page of another version may have written it. */
const isKept = (given: unknown): given is KeptCard => {
  if (typeof given !== 'object' || given === null) return false;
  const { personIds, isChecking, draft, seen } = given as Readonly<Record<string, unknown>>;
  return (
    isListOf(personIds, (id) => typeof id === 'number') &&
    typeof isChecking === 'boolean' &&
    isListOf(draft, (text) => text === null || typeof text === 'string') &&
    isListOf(seen, (value) => value === null || typeof value === 'number')
  );
};

const isListOf = (given: unknown, holds: (each: unknown) => boolean): boolean =>
  Array.isArray(given) && given.every(holds);
