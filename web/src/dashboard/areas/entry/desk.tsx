/**
 * The entry desk of one round: call a competitor, type the card, Enter; the last result saved stays in view with the way
 * to take it back, and beside it the round as it happens. In the check mode a second person types what is there already,
 * blind, and what differs is shown.
 */
import { useEffect, useRef, useState } from 'react';
import type { CompetitorView } from '../../../../../src/contests/contest.queries.js';
import type { PersonView } from '../../../../../src/persons/person.queries.js';
import type { EntrySheetView } from '../../../../../src/rounds/entry-sheet.queries.js';
import { useLiveRound } from '../../../live-round.js';
import { Checkbox } from '../../parts/field.js';
import { blank, differences } from './card-state.js';
import { CompetitorBox } from './competitor-box.js';
import {
  attemptsOfResult,
  goalsFor,
  namesOf,
  resultOf,
  rulesOf,
  scoreText,
  singlesBeside,
} from './desk-round.js';
import { CheckOutcome, type Comparison } from './double-check.js';
import { History } from './history.js';
import { LastSaved, type Saved } from './last-saved.js';
import { RoundList } from './round-list.js';
import { ScoreCard } from './score-card.js';
import { type DeskPaths, useDeskCommands } from './sheet.js';

export const Desk = ({ sheet, paths }: { readonly sheet: EntrySheetView; readonly paths: DeskPaths }) => {
  const isPublic = sheet.state === 'ongoing' || sheet.state === 'finished' || sheet.state === 'announced';
  const live = useLiveRound(sheet.round, isPublic ? paths.live : null);
  const desk = useDesk(sheet, live.round, paths);
  const { members, isChecking } = desk;
  const team = members.length === sheet.event.participants ? members : null;
  const result = team && resultOf(live.round, team);
  return (
    <div className="desk">
      <div className="desk-typing">
        <div className="desk-modes">
          <Checkbox name="check" isSelected={isChecking} onChange={desk.setChecking}>
            Check: type again what is entered
          </Checkbox>
        </div>
        {team === null ? (
          <>
            <Members members={members} size={sheet.event.participants} />
            <CompetitorBox
              ref={desk.box}
              label={members.length === 0 ? 'Competitor' : `Member ${members.length + 1} of the team`}
              paths={paths}
              competitors={sheet.competitors}
              about={(person) => scoreText(resultOf(live.round, [person]), sheet)}
              onChoose={desk.choose}
              onBack={desk.back}
              onUndo={desk.undoLast}
            />
            {desk.comparison && <CheckOutcome {...desk.comparison} onTake={desk.take} onKeep={desk.keep} />}
          </>
        ) : (
          <ScoreCard
            key={`${namesOf(team)} ${isChecking}`}
            title={`${numberOf(sheet.competitors, team)}${namesOf(team)}`}
            rules={rulesOf(sheet, live.round)}
            entered={attemptsOfResult(result, live.round)}
            {...(isChecking && { start: blank(attemptsOfResult(result, live.round).length) })}
            goals={goalsFor(team, sheet, live.round)}
            singles={singlesBeside(team, live.round)}
            action={isChecking ? 'Compare' : 'Save'}
            isPending={desk.isPending}
            problem={desk.problem}
            onDone={(attempts) => desk.done(team, attempts)}
            onLeave={desk.leave}
            onSay={desk.say}
          />
        )}
        {desk.saved && (
          <LastSaved saved={desk.saved} sheet={sheet} isPending={desk.isPending} onUndo={desk.undoLast} />
        )}
        {team === null && desk.problem !== null && (
          <p className="notice problem" role="alert">
            {desk.problem}
          </p>
        )}
        <p className="hidden" role="status">
          {desk.said}
        </p>
        <Keys />
      </div>
      <div className="desk-round">
        <RoundList
          {...{ sheet, live, checked: desk.checked }}
          onPick={desk.pick}
          onNumber={(personIds) => desk.number(personIds)}
        />
        <History paths={paths} sheet={sheet} changed={live.round} onUndo={desk.undo} />
      </div>
    </div>
  );
};

const Members = ({ members, size }: { readonly members: readonly PersonView[]; readonly size: number }) =>
  size > 1 && members.length > 0 ? (
    <p className="members">
      {members.map(({ id, name }) => (
        <span key={id} className="badge">
          {name}
        </span>
      ))}
      <span className="quiet">Backspace takes the last one away.</span>
    </p>
  ) : null;

const numberOf = (competitors: readonly CompetitorView[], [first]: readonly PersonView[]): string => {
  const number = competitors.find(({ person }) => person.id === first?.id)?.number ?? null;
  return number === null ? '' : `${number} · `;
};

const Keys = () => (
  <details className="keys-help">
    <summary>Keys</summary>
    <dl>
      <dt>12345</dt>
      <dd>1:23.45; a number or name calls a competitor</dd>
      <dt>d or /</dt>
      <dd>DNF</dd>
      <dt>s or *</dt>
      <dd>DNS</dd>
      <dt>Enter</dt>
      <dd>takes it and goes on; in an empty attempt, and behind the last, it saves</dd>
      <dt>- or ↑</dt>
      <dd>an attempt back; in the empty box, the last competitor again</dd>
      <dt>Ctrl Z</dt>
      <dd>in the empty box, takes the last change back</dd>
      <dt>Escape</dt>
      <dd>leaves the card as it was</dd>
    </dl>
  </details>
);

// --- what the desk remembers ----------------------------------------------------------------------------------------

/** The steps of the desk: whom it has called, what it has saved and compared, and what it says aloud. */
const useDesk = (sheet: EntrySheetView, round: EntrySheetView['round'], paths: DeskPaths) => {
  const box = useRef<HTMLInputElement>(null);
  const [members, setMembers] = useState<readonly PersonView[]>([]);
  const [isChecking, setChecking] = useState(false);
  const [comparison, setComparison] = useState<Comparison | null>(null);
  const [checked, setChecked] = useState<ReadonlyMap<string, string>>(new Map());
  const [saved, setSaved] = useState<Saved | null>(null);
  const [said, say] = useState('');
  const { enter, undo, number } = useDeskCommands(paths);
  const size = sheet.event.participants;

  const toBox = (): void => setMembers([]);
  const isToDecide = comparison !== null && differences(comparison.typed, comparison.entered).length > 0;
  useEffect(() => {
    if (members.length < size && !isToDecide) box.current?.focus();
  }, [members, size, isToDecide]);
  const call = (persons: readonly PersonView[]): void => {
    enter.reset();
    undo.reset();
    setComparison(null);
    setMembers(persons);
  };
  const keepSaved = (
    persons: readonly PersonView[],
    what: Saved['what'],
    entered: Saved['entered'],
  ): void => {
    const now: Saved = { persons, what, entered };
    setSaved(now);
    say(`${what}: ${namesOf(persons)}, ${scoreText(entered, sheet) || 'no attempts'}`);
  };
  const save = (team: readonly PersonView[], attempts: readonly number[]): void => {
    const seen = attemptsOfResult(resultOf(round, team), round);
    if (differences(attempts, seen).length === 0) {
      say('Nothing was changed.');
      toBox();
      return;
    }
    const personIds = team.map(({ id }) => id);
    enter.mutate(
      { personIds, attempts, seen },
      {
        onSuccess: (entered) => {
          keepSaved(team, entered.attempts.every((value) => value === 0) ? 'Removed' : 'Saved', entered);
          toBox();
        },
      },
    );
  };
  const mark = (team: readonly PersonView[], attempts: readonly number[]): void => {
    const result = resultOf(round, team);
    if (result) setChecked(new Map(checked).set(result.resultId, attempts.join(' ')));
  };
  const undoChange = (persons: readonly PersonView[], resultId: string, change: number): void =>
    undo.mutate({ resultId, change }, { onSuccess: (entered) => keepSaved(persons, 'Undone', entered) });

  return {
    box,
    members,
    isChecking,
    comparison,
    checked,
    saved,
    said,
    say,
    isPending: enter.isPending || undo.isPending || number.isPending,
    problem: (enter.error ?? undo.error ?? number.error)?.message ?? null,
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
    number: (personIds: readonly number[]) => number.mutate(personIds),
    done: (team: readonly PersonView[], attempts: readonly number[]) => {
      if (!isChecking) return save(team, attempts);
      const before = attemptsOfResult(resultOf(round, team), round);
      const same = differences(attempts, before).length === 0;
      setComparison({ team, typed: attempts, entered: before, valueFormat: sheet.event.format });
      say(same ? `${namesOf(team)}: the same.` : `${namesOf(team)}: there are differences.`);
      if (same) mark(team, attempts);
      toBox();
    },
    /** What was typed the second time is right. */
    take: ({ team, typed }: Comparison) => {
      setComparison(null);
      save(team, typed);
    },
    keep: ({ team, entered }: Comparison) => {
      mark(team, entered);
      setComparison(null);
      toBox();
    },
    undo: undoChange,
    undoLast: () => {
      if (saved) undoChange(saved.persons, saved.entered.resultId, saved.entered.changes);
    },
  };
};

const hasMember = (persons: readonly PersonView[], { id }: PersonView): boolean =>
  persons.some((person) => person.id === id);
