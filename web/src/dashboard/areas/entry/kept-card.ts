/**
 * Keeps a typed but unsaved card in the tab's session storage, by account and round, so that a reloaded page shows it again.
 * The page never saves it by itself, and drops it when the typist saves or leaves the card.
 */
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type { EntrySheetView } from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import { useAccount } from '../../account.js';
import { differences, readDraft, type TypedCard } from './card-state.js';
import { attemptsOfResult, resultOf } from './desk-round.js';
import type { DeskPaths } from './sheet.js';

/** It has no names, because they are in the sheet. */
interface KeptCard extends TypedCard {
  readonly personIds: readonly number[];
  readonly isChecking: boolean;
}

interface CardStorage {
  /** Null when there is none, or when it does not match the round any more. */
  read(): KeptCard | null;
  keep(card: KeptCard): void;
  drop(): void;
}

export const useCardStorage = ({ sheet: address }: DeskPaths, sheet: EntrySheetView): CardStorage => {
  const key = `podium card ${useAccount().accountId} ${address}`;
  return {
    read: () => {
      const card = inStorage((storage) => parseCard(storage.getItem(key)));
      return card !== null && isUsable(card, sheet) ? card : null;
    },
    keep: (card) => {
      inStorage((storage) => storage.setItem(key, JSON.stringify(card)));
    },
    drop: () => {
      inStorage((storage) => storage.removeItem(key));
    },
  };
};

/** The team of these persons in their order. Empty when the round does not know one of them. */
export const teamOf = (
  personIds: readonly number[],
  { competitors, round }: EntrySheetView,
): readonly PersonView[] => {
  const known = [
    ...competitors.map(({ person }) => person),
    ...(round.roster?.missing ?? []).flatMap(({ persons }) => persons),
    ...round.results.flatMap(({ persons }) => persons),
  ];
  const found = personIds.flatMap((id) => known.find((person) => person.id === id) ?? []);
  return found.length === personIds.length ? found : [];
};

export const keptTeam = ({ personIds }: KeptCard, sheet: EntrySheetView): readonly PersonView[] =>
  teamOf(personIds, sheet);

/** Returns null when the browser refuses storage to this site. */
const inStorage = <T>(act: (storage: Storage) => T): T | null => {
  try {
    return act(sessionStorage);
  } catch {
    return null;
  }
};

/** False when nothing is left to save, for example when the page was reloaded right after the save was sent. */
const isUsable = (card: KeptCard, sheet: EntrySheetView): boolean => {
  const { round, event } = sheet;
  const team = keptTeam(card, sheet);
  const entered = attemptsOfResult(resultOf(round, team), round);
  if (team.length !== event.participants || card.draft.length !== entered.length) return false;
  const { typed, attempts } = readDraft(card.draft, entered, event.format);
  return (
    card.isChecking || differences(attempts, entered).length > 0 || typed.some(({ kind }) => kind === 'wrong')
  );
};

const parseCard = (text: string | null): KeptCard | null => {
  const given: unknown = text === null ? null : JSON.parse(text);
  return isKeptCard(given) ? given : null;
};

/** Checks every field, because another version of the page may have written the card. */
const isKeptCard = (given: unknown): given is KeptCard => {
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
