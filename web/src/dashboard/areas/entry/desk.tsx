/**
 * The entry desk of one round: the moderator finds a competitor, types the card and presses Enter. The last saved result
 * stays visible with an undo button, beside the live round. In check mode a second typist enters the results again without
 * seeing them, and the desk shows the differences.
 */
import { useRef } from 'react';
import type { CompetitorView } from '../../../../../src/competition/contests/contest.queries.js';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type { EntrySheetView } from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import { useLiveRound } from '../../../live-round.js';
import { Checkbox } from '../../parts/field.js';
import { AddQuestion } from './add-question.js';
import { blankCard } from './card-state.js';
import { CompetitorBox } from './competitor-box.js';
import { attemptsOfResult, cardRules, goalsFor, otherSingles, resultOf, scoreText } from './desk-round.js';
import { CheckOutcome } from './double-check.js';
import { History } from './history.js';
import { LastSaved } from './last-saved.js';
import { RoundList } from './round-list.js';
import { ScoreCard } from './score-card.js';
import type { DeskPaths } from './sheet.js';
import { TeamNames } from './team-names.js';
import { useDesk } from './use-desk.js';

export const Desk = ({ sheet, paths }: { readonly sheet: EntrySheetView; readonly paths: DeskPaths }) => {
  const isPublic = sheet.state === 'ongoing' || sheet.state === 'finished' || sheet.state === 'announced';
  const root = useRef<HTMLDivElement>(null);
  const live = useLiveRound(sheet.round, isPublic ? paths.live : null, root);
  const desk = useDesk(sheet, live.round, paths);
  const { members, isChecking, kept } = desk;
  const team = members.length === sheet.event.participants ? members : null;
  const result = team && resultOf(live.round, team);
  const question = team && desk.questionOf(team);
  return (
    <div className="desk" ref={root}>
      <div className="desk-typing">
        <div className="desk-modes">
          <Checkbox name="check" isSelected={isChecking} onChange={desk.setChecking}>
            Check: type entered results again
          </Checkbox>
        </div>
        {team === null ? (
          <>
            <Members members={members} size={sheet.event.participants} />
            <CompetitorBox
              ref={desk.box}
              label={members.length === 0 ? 'Competitor' : `Member ${members.length + 1} of the team`}
              competitors={sheet.competitors}
              about={(person) => scoreText(resultOf(live.round, [person]), sheet)}
              onChoose={desk.choose}
              onBack={desk.back}
              onUndo={desk.undoLast}
            />
            {desk.comparison && <CheckOutcome {...desk.comparison} onTake={desk.take} onKeep={desk.keep} />}
          </>
        ) : question !== null ? (
          <AddQuestion
            team={team}
            reason={question}
            isPending={desk.isAdding}
            problem={desk.problem}
            onAdd={() => desk.add(team)}
            onLeave={desk.leave}
          />
        ) : (
          <ScoreCard
            // Ids, because two competitors may have the same name.
            key={`${team.map(({ id }) => id)} ${isChecking}`}
            title={
              <>
                {numberOf(sheet.competitors, team)}
                <TeamNames of={team} />
              </>
            }
            rules={cardRules(sheet, live.round)}
            entered={attemptsOfResult(result, live.round)}
            {...(isChecking && { start: blankCard(attemptsOfResult(result, live.round).length) })}
            {...(kept && { start: kept })}
            isKept={kept !== null}
            onTyped={(typing) => desk.typed(team, typing)}
            goals={goalsFor(team, sheet, live.round)}
            singles={otherSingles(team, live.round)}
            action={isChecking ? 'Compare' : 'Save'}
            isPending={desk.isSaving}
            problem={desk.problem}
            onDone={(attempts) => desk.done(team, attempts)}
            onLeave={desk.leave}
            onRemove={isChecking || !live.round.open || !result ? null : () => desk.remove(team)}
            onAnnounce={desk.announce}
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
          {desk.announcement}
        </p>
        <Keys />
      </div>
      <div className="desk-round">
        <RoundList
          {...{ sheet, live, checked: desk.checked }}
          onPick={desk.pick}
          onNumber={(personIds) => desk.number(personIds)}
        />
        <History
          address={paths.history}
          format={sheet.event.format}
          changed={live.round}
          onUndo={desk.undo}
        />
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
      <span className="quiet">Backspace removes the last member.</span>
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
      <dd>1:23.45; in the box, a number or name finds a competitor</dd>
      <dt>d or /</dt>
      <dd>DNF</dd>
      <dt>s or *</dt>
      <dd>DNS</dd>
      <dt>Enter</dt>
      <dd>
        goes to the next attempt; in an empty attempt, and after the last one, saves; makes a time that
        reaches the limit a DNF
      </dd>
      <dt>- or ↑</dt>
      <dd>goes back to the previous attempt; in the empty box, to the last competitor</dd>
      <dt>Ctrl Z</dt>
      <dd>in the empty box, undoes the last change</dd>
      <dt>Ctrl Del</dt>
      <dd>removes the result of the card, after another Enter</dd>
      <dt>Escape</dt>
      <dd>leaves the card without saving</dd>
    </dl>
  </details>
);
