/**
 * The state and the actions of the entry desk: the current team, what was saved and compared, and what screen readers
 * announce. The desk component only renders it.
 */
import { useEffect, useRef, useState } from 'react';
import type {
  CompetitorView,
  RoundResultView,
} from '../../../../../src/competition/contests/contest.queries.js';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type { EntrySheetView } from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import { NOT_TAKEN } from '../../../../../src/domain/attempts.js';
import { useSearchParam } from '../../parts/search-param.js';
import { differences, type TypedCard } from './card-state.js';
import {
  attemptsOfResult,
  resultOf,
  scoreText,
  teamName,
  type Unexpected,
  unexpected,
} from './desk-round.js';
import type { Comparison } from './double-check.js';
import { keptTeam, teamOf, useCardStorage } from './kept-card.js';
import type { SavedChange } from './last-saved.js';
import { type DeskPaths, useDeskCommands } from './sheet.js';

interface DeskContext {
  readonly sheet: EntrySheetView;
  /** The live round. The sheet may be some seconds older. */
  readonly round: EntrySheetView['round'];
  readonly paths: DeskPaths;
  /** Index of the only attempt that is typed; null: whole cards are. */
  readonly only: number | null;
}

export const useDesk = ({ sheet, round, paths, only }: DeskContext) => {
  const box = useRef<HTMLInputElement>(null);
  /** Set at once when a save starts. `isSaving` only changes with the next render, after a possible second key. */
  const isSaving = useRef(false);
  const storage = useCardStorage(paths, sheet);
  const [kept, setKept] = useState(storage.read);
  const [linked, setLinked] = useSearchParam('card');
  const [members, setMembers] = useState(() =>
    kept === null ? teamOf(idsIn(linked), sheet) : keptTeam(kept, sheet),
  );
  const [isChecking, setChecking] = useState(kept?.isChecking ?? false);
  const [comparison, setComparison] = useState<Comparison | null>(null);
  const [saved, setSaved] = useState<SavedChange | null>(null);
  const [announcement, announce] = useState('');
  const { enter, undo, check, number, add } = useDeskCommands(paths);
  /** Teams added here: the live round may show them some moments later. */
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const size = sheet.event.participants;

  /** By result and attempts: the attempts that were typed a second time, one by one. */
  const compared = useRef(new Map<string, ReadonlySet<number>>());

  const closeCard = (): void => {
    storage.drop();
    setKept(null);
    setMembers([]);
  };
  const isUndecided = comparison !== null && differences(comparison.typed, comparison.entered).length > 0;
  useEffect(() => {
    if (members.length < size && !isUndecided) box.current?.focus();
  }, [members, size, isUndecided]);
  const openCard = (persons: readonly PersonView[]): void => {
    // The current card stays open until its save has succeeded.
    if (enter.isPending) return;
    enter.reset();
    undo.reset();
    check.reset();
    add.reset();
    setComparison(null);
    setKept(null);
    setMembers(persons);
  };
  /** Why the moderator is asked before the card of this team opens; null: it opens. */
  const questionOf = (team: readonly PersonView[]): Unexpected | null =>
    isChecking || !round.open || added.has(keyOf(team)) ? null : unexpected(round, team);
  /** Those of the team who have none. */
  const giveNumbers = (team: readonly PersonView[]): void => {
    const numbers = new Map(sheet.competitors.map(({ person, number: of }) => [person.id, of]));
    const without = team.filter(({ id }) => (numbers.get(id) ?? null) === null);
    if (without.length > 0) number.mutate(without.map(({ id }) => id));
  };
  // The card opens once: a reload of the page, or going back, finds the desk.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the desk opens.
  useEffect(() => {
    if (linked === '') return;
    setLinked('');
    if (members.length === 0) announce(UNKNOWN_CARD);
    else if (members.length === size && questionOf(members) === null) giveNumbers(members);
  }, []);
  const keepSaved = (
    persons: readonly PersonView[],
    what: SavedChange['what'],
    entered: SavedChange['entered'],
  ): void => {
    setSaved({ persons, what, entered });
    announce(`${what}: ${teamName(persons)}, ${scoreText(entered, sheet) || 'no attempts'}`);
  };
  const save = (team: readonly PersonView[], attempts: readonly number[]): void => {
    const seen = attemptsOfResult(resultOf(round, team), round);
    if (differences(attempts, seen).length === 0) {
      announce('Nothing was changed.');
      closeCard();
      return;
    }
    if (isSaving.current) return;
    isSaving.current = true;
    const personIds = team.map(({ id }) => id);
    enter.mutate(
      { personIds, attempts, seen },
      {
        onSettled: () => {
          isSaving.current = false;
        },
        onSuccess: (entered) => {
          setComparison(null);
          keepSaved(team, entered.attempts.every((value) => value === 0) ? 'Removed' : 'Saved', entered);
          closeCard();
        },
      },
    );
  };
  const markChecked = (
    team: readonly PersonView[],
    attempts: readonly number[],
    onMarked: () => void = () => undefined,
  ): void => {
    const result = resultOf(round, team);
    if (!result || check.isPending) return;
    const personIds = team.map(({ id }) => id);
    check.mutate({ personIds, resultId: result.resultId, attempts }, { onSuccess: onMarked });
  };
  /** Whether every attempt of the result was typed a second time: all at once, or one by one at this desk. */
  const isWhole = (team: readonly PersonView[], attempts: readonly number[]): boolean => {
    if (only === null) return true;
    const key = `${resultOf(round, team)?.resultId} ${attempts.join(' ')}`;
    const done = new Set([...(compared.current.get(key) ?? []), only]);
    compared.current.set(key, done);
    return attempts.every((value, index) => value === NOT_TAKEN || done.has(index));
  };
  const undoChange = (persons: readonly PersonView[], resultId: string, change: number): void =>
    undo.mutate({ resultId, change }, { onSuccess: (entered) => keepSaved(persons, 'Undone', entered) });

  return {
    box,
    members,
    isChecking,
    /** The open card's first state, when the page was reloaded while it was typed. */
    kept,
    typed: (team: readonly PersonView[], typing: TypedCard) =>
      storage.keep({ ...typing, personIds: team.map(({ id }) => id), isChecking }),
    comparison,
    saved,
    announcement,
    announce,
    /** True while the card is saved. Assigning a number does not block typing. */
    isSaving: enter.isPending,
    isPending: enter.isPending || undo.isPending || number.isPending,
    isAdding: add.isPending,
    problem: (enter.error ?? undo.error ?? check.error ?? number.error ?? add.error)?.message ?? null,
    questionOf,
    add: (team: readonly PersonView[]): void =>
      add.mutate(
        team.map(({ id }) => id),
        {
          onSuccess: () => {
            setAdded(new Set([...added, keyOf(team)]));
            giveNumbers(team);
            announce(`${teamName(team)} is added to the round.`);
          },
        },
      ),
    setChecking: (on: boolean) => {
      setChecking(on);
      setComparison(null);
      closeCard();
    },
    choose: ({ person }: CompetitorView) => {
      // A member of a team that has a result opens the card of the whole team.
      const theirs =
        members.length > 0 ? undefined : round.results.find(({ persons }) => hasMember(persons, person));
      const team = theirs?.persons ?? [...members, person];
      if (theirs === undefined && (hasMember(members, person) || members.length >= size)) return;
      openCard(team);
      if (team.length === size && questionOf(team) === null) giveNumbers(team);
    },
    pick: openCard,
    back: () => {
      if (members.length > 0) openCard(members.slice(0, -1));
      else if (saved) openCard(saved.persons);
    },
    leave: closeCard,
    remove: (team: readonly PersonView[]) => save(team, attemptsOfResult(null, round)),
    number: (personIds: readonly number[]) => number.mutate(personIds),
    done: (team: readonly PersonView[], attempts: readonly number[]) => {
      if (!isChecking) return save(team, attempts);
      const before = attemptsOfResult(resultOf(round, team), round);
      const same = differences(attempts, before).length === 0;
      setComparison({ team, typed: attempts, entered: before, valueFormat: sheet.event.format });
      announce(same ? `${teamName(team)}: the same.` : `${teamName(team)}: there are differences.`);
      if (same && isWhole(team, attempts)) markChecked(team, attempts);
      closeCard();
    },
    /** Saves the attempts that were typed the second time. */
    take: ({ team, typed }: Comparison) => save(team, typed),
    /** Marks a result as it is shown here. The card of another competitor stays open. */
    confirm: ({ resultId, persons, attempts }: RoundResultView): void =>
      markChecked(
        persons,
        attempts.map(({ result }) => result),
        () => {
          announce(`${teamName(persons)} is confirmed.`);
          if (resultOf(round, members)?.resultId === resultId) closeCard();
        },
      ),
    keep: ({ team, entered }: Comparison) => markChecked(team, entered, () => setComparison(null)),
    undo: undoChange,
    undoLast: () => {
      if (saved) undoChange(saved.persons, saved.entered.resultId, saved.entered.changes);
    },
  };
};

const UNKNOWN_CARD = 'The person of this card is not in this contest: look for the competitor by name.';

const idsIn = (linked: string): readonly number[] => linked.split(',').map(Number);

const keyOf = (team: readonly PersonView[]): string => team.map(({ id }) => id).join();

const hasMember = (persons: readonly PersonView[], { id }: PersonView): boolean =>
  persons.some((person) => person.id === id);
