/**
 * The steps of the entry desk: whom it has called, what it has saved and compared, and what it says aloud. The desk
 * itself only shows them.
 */
import { useEffect, useRef, useState } from 'react';
import type { CompetitorView } from '../../../../../src/competition/contests/contest.queries.js';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type { EntrySheetView } from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import { differences, type TypedCard } from './card-state.js';
import { attemptsOfResult, resultOf, scoreText, teamName } from './desk-round.js';
import type { Comparison } from './double-check.js';
import { keptTeam, useCardStorage } from './kept-card.js';
import type { SavedChange } from './last-saved.js';
import { type DeskPaths, useDeskCommands } from './sheet.js';

/** `round` is the round as it is now, while the sheet may be some seconds old. */
export const useDesk = (sheet: EntrySheetView, round: EntrySheetView['round'], paths: DeskPaths) => {
  const box = useRef<HTMLInputElement>(null);
  /** From the key that saves on: `isSaving` is shown a moment later, and a second key may come between. */
  const isUnderWay = useRef(false);
  const keeper = useCardStorage(paths, sheet);
  const [kept, setKept] = useState(keeper.read);
  const [members, setMembers] = useState(() => (kept === null ? [] : keptTeam(kept, sheet)));
  const [isChecking, setChecking] = useState(kept?.isChecking ?? false);
  const [comparison, setComparison] = useState<Comparison | null>(null);
  const [saved, setSaved] = useState<SavedChange | null>(null);
  const [said, say] = useState('');
  const { enter, undo, check, number } = useDeskCommands(paths);
  const size = sheet.event.participants;

  const toBox = (): void => {
    keeper.drop();
    setKept(null);
    setMembers([]);
  };
  const isToDecide = comparison !== null && differences(comparison.typed, comparison.entered).length > 0;
  useEffect(() => {
    if (members.length < size && !isToDecide) box.current?.focus();
  }, [members, size, isToDecide]);
  const call = (persons: readonly PersonView[]): void => {
    // Its card is kept until it is known to be saved.
    if (enter.isPending) return;
    enter.reset();
    undo.reset();
    check.reset();
    setComparison(null);
    setKept(null);
    setMembers(persons);
  };
  const keepSaved = (
    persons: readonly PersonView[],
    what: SavedChange['what'],
    entered: SavedChange['entered'],
  ): void => {
    const now: SavedChange = { persons, what, entered };
    setSaved(now);
    say(`${what}: ${teamName(persons)}, ${scoreText(entered, sheet) || 'no attempts'}`);
  };
  const save = (team: readonly PersonView[], attempts: readonly number[]): void => {
    const seen = attemptsOfResult(resultOf(round, team), round);
    if (differences(attempts, seen).length === 0) {
      say('Nothing was changed.');
      toBox();
      return;
    }
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    const personIds = team.map(({ id }) => id);
    enter.mutate(
      { personIds, attempts, seen },
      {
        onSettled: () => {
          isUnderWay.current = false;
        },
        onSuccess: (entered) => {
          setComparison(null);
          keepSaved(team, entered.attempts.every((value) => value === 0) ? 'Removed' : 'Saved', entered);
          toBox();
        },
      },
    );
  };
  const mark = (
    team: readonly PersonView[],
    attempts: readonly number[],
    onMarked: () => void = () => undefined,
  ): void => {
    const result = resultOf(round, team);
    if (!result) return;
    const personIds = team.map(({ id }) => id);
    check.mutate({ personIds, resultId: result.resultId, attempts }, { onSuccess: onMarked });
  };
  const undoChange = (persons: readonly PersonView[], resultId: string, change: number): void =>
    undo.mutate({ resultId, change }, { onSuccess: (entered) => keepSaved(persons, 'Undone', entered) });

  return {
    box,
    members,
    isChecking,
    /** What the card in hand begins with where the page was loaded again over it. */
    kept,
    typed: (team: readonly PersonView[], typing: TypedCard) =>
      keeper.keep({ ...typing, personIds: team.map(({ id }) => id), isChecking }),
    comparison,
    checked: new Map(sheet.checked.map(({ resultId, attempts }) => [resultId, attempts.join(' ')])),
    saved,
    said,
    say,
    /** A card; that a number is given meanwhile keeps nobody from typing. */
    isSaving: enter.isPending,
    isPending: enter.isPending || undo.isPending || number.isPending,
    problem: (enter.error ?? undo.error ?? check.error ?? number.error)?.message ?? null,
    setChecking: (on: boolean) => {
      setChecking(on);
      setComparison(null);
      toBox();
    },
    choose: ({ number: called, person }: CompetitorView) => {
      if (called === null) number.mutate([person.id]);
      // Whoever is in a team of the round already stands for all of it.
      const theirs =
        members.length > 0 ? undefined : round.results.find(({ persons }) => hasMember(persons, person));
      if (theirs) call(theirs.persons);
      else if (!hasMember(members, person) && members.length < size) call([...members, person]);
    },
    pick: call,
    back: () => {
      if (members.length > 0) call(members.slice(0, -1));
      else if (saved) call(saved.persons);
    },
    leave: toBox,
    remove: (team: readonly PersonView[]) => save(team, attemptsOfResult(null, round)),
    number: (personIds: readonly number[]) => number.mutate(personIds),
    done: (team: readonly PersonView[], attempts: readonly number[]) => {
      if (!isChecking) return save(team, attempts);
      const before = attemptsOfResult(resultOf(round, team), round);
      const same = differences(attempts, before).length === 0;
      setComparison({ team, typed: attempts, entered: before, valueFormat: sheet.event.format });
      say(same ? `${teamName(team)}: the same.` : `${teamName(team)}: there are differences.`);
      if (same) mark(team, attempts);
      toBox();
    },
    /** What was typed the second time is right. */
    take: ({ team, typed }: Comparison) => save(team, typed),
    keep: ({ team, entered }: Comparison) => mark(team, entered, () => setComparison(null)),
    undo: undoChange,
    undoLast: () => {
      if (saved) undoChange(saved.persons, saved.entered.resultId, saved.entered.changes);
    },
  };
};

const hasMember = (persons: readonly PersonView[], { id }: PersonView): boolean =>
  persons.some((person) => person.id === id);
