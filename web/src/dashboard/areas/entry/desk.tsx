/**
 * The entry desk of one round: the moderator finds a competitor, types the card and presses Enter. The last saved result
 * stays visible with an undo button, beside the live round. In check mode a second typist enters the results again without
 * seeing them, and the desk shows the differences.
 */
import { useMemo, useRef, useState } from 'react';
import type { CompetitorView } from '../../../../../src/competition/contests/contest.queries.js';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type { EntrySheetView } from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import { attemptsOf } from '../../../../../src/domain/scoring.js';
import { useLiveRound } from '../../../live-round.js';
import { useAccount } from '../../account.js';
import { Button } from '../../parts/button.js';
import { Notice } from '../../parts/notice.js';
import { AddQuestion } from './add-question.js';
import { blankCard } from './card-state.js';
import { CompetitorBox } from './competitor-box.js';
import { DeskModes } from './desk-modes.js';
import { attemptsOfResult, cardRules, goalsFor, otherSingles, resultOf, scoreText } from './desk-round.js';
import { CheckOutcome } from './double-check.js';
import { useOnlyAttempt } from './entry-setting.js';
import { History } from './history.js';
import { LastSaved } from './last-saved.js';
import { standingFor } from './record-claims.js';
import { RoundList } from './round-list.js';
import { ScoreCard } from './score-card.js';
import type { DeskPaths } from './sheet.js';
import { TeamNames } from './team-names.js';
import { ConfirmReasons, ToConfirmList } from './to-confirm.js';
import { ANYBODY, checkedAttempts, sharesIn, toCheck, toConfirm } from './typists.js';
import { useDesk } from './use-desk.js';

export const Desk = ({ sheet, paths }: { readonly sheet: EntrySheetView; readonly paths: DeskPaths }) => {
  const isPublic = sheet.state === 'ongoing' || sheet.state === 'finished' || sheet.state === 'announced';
  const root = useRef<HTMLDivElement>(null);
  const live = useLiveRound(sheet.round, isPublic ? paths.live : null, root);
  const [only, setOnly] = useOnlyAttempt(attemptsOf(live.round.format));
  const desk = useDesk({ sheet, round: live.round, paths, only });
  const { members, isChecking, kept } = desk;
  const team = members.length === sheet.event.participants ? members : null;
  const result = team && resultOf(live.round, team);
  const question = team && desk.questionOf(team);
  const { accountId } = useAccount();
  const [typist, setTypist] = useState(ANYBODY);
  const shares = useMemo(() => sharesIn(sheet), [sheet]);
  const entered = { sheet, shares, round: live.round };
  const unchecked = isChecking ? toCheck(entered, { typist, accountId }) : [];
  const waiting = useMemo(() => toConfirm({ sheet, shares, round: live.round }), [sheet, shares, live.round]);
  const waitingHere = waiting.find((each) => each.result === result);
  const isOwn = result != null && shares.get(result.resultId)?.some(({ by }) => by.id === accountId);
  return (
    <div className="desk" ref={root}>
      <div className="desk-typing">
        <DeskModes
          {...{ sheet, only, isChecking, typist }}
          onOnly={setOnly}
          onChecking={desk.setChecking}
          onTypist={setTypist}
          toCheck={unchecked}
          onPick={desk.pick}
        />
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
              onNext={() => {
                if (unchecked[0]) desk.pick(unchecked[0].persons);
              }}
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
            key={`${team.map(({ id }) => id)} ${isChecking} ${only}`}
            title={
              <>
                {numberOf(sheet.competitors, team)}
                <TeamNames of={team} />
              </>
            }
            rules={cardRules(sheet, live.round)}
            entered={attemptsOfResult(result, live.round)}
            {...(isChecking && { start: blankCard(attemptsOf(live.round.format), only) })}
            {...(kept && { start: kept })}
            isKept={kept !== null}
            onTyped={(typing) => desk.typed(team, typing)}
            only={only}
            notice={
              <>
                {isChecking && isOwn && (
                  <Notice kind="info">
                    You typed attempts of this result yourself: better let another check it.
                  </Notice>
                )}
                {!isChecking && waitingHere && (
                  <Notice kind="info">
                    To confirm: <ConfirmReasons of={waitingHere} />{' '}
                    <Button isDisabled={desk.isPending} onPress={() => desk.confirm(waitingHere.result)}>
                      Confirm (c)
                    </Button>
                  </Notice>
                )}
              </>
            }
            standing={standingFor(team, sheet, result?.regionCode)}
            onConfirm={!isChecking && waitingHere ? () => desk.confirm(waitingHere.result) : null}
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
        <ToConfirmList
          waiting={waiting}
          format={sheet.event.format}
          isPending={desk.isPending}
          onPick={desk.pick}
          onConfirm={({ result: confirmed }) => desk.confirm(confirmed)}
        />
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
          {...{ sheet, live, checked: checkedAttempts(sheet.checked) }}
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
      <dt>+</dt>
      <dd>adds two seconds to the attempt</dd>
      <dt>c</dt>
      <dd>confirms a result of a device</dd>
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
