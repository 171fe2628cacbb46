/**
 * One competitor's attempts, typed with one hand: Enter goes to the next attempt and saves after the last, `-` goes back,
 * Escape leaves, Ctrl-Del removes the result. Beside each attempt stands how it is read and whether the round will refuse it.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { DNF, NOT_TAKEN } from '../../../../../src/domain/attempts.js';
import { rankedValue } from '../../../../../src/domain/results.js';
import { resultText } from '../../../format.js';
import { Button } from '../../parts/button.js';
import { Notice } from '../../parts/notice.js';
import { allowedAttempts, type Card, type CardRules, cardFacts, scoreOf } from './arithmetic.js';
import { AttemptField } from './attempt-field.js';
import { HOW_TO_CLAIM, HOW_TO_REMOVE, RecordQuestion, RemoveQuestion } from './card-questions.js';
import {
  firstMissing,
  lastTyped,
  readDraft,
  type TypedCard,
  untouchedCard,
  withTyped,
} from './card-state.js';
import { Keypad, useIsPhone } from './keypad.js';
import { type PadKey, textAfterKey } from './keypad-text.js';
import { attemptNotes, concurrentChanges, NO_NOTE } from './notes.js';
import { claimText, type OwnStanding, recordClaims } from './record-claims.js';

interface CardProps {
  /** The heading. */
  readonly title: ReactNode;
  readonly rules: CardRules;
  /** The round's current values, one for each attempt. */
  readonly entered: readonly number[];
  /** The first state of the fields. */
  readonly start?: TypedCard;
  /** The card was typed before the page was reloaded. */
  readonly isKept: boolean;
  /** Index of the only attempt that is typed; null: the whole card is. */
  readonly only: number | null;
  /** What the typist should know about the result before typing. */
  readonly notice: ReactNode;
  readonly goals: Pick<Card, 'spentElsewhere' | 'lead' | 'advancing'>;
  /** The singles of the other competitors in the round. */
  readonly singles: readonly number[];
  readonly standing: OwnStanding;
  /** The action of the last Enter: `Save`, `Compare`. */
  readonly action: string;
  readonly isPending: boolean;
  readonly problem: string | null;
  readonly onTyped: (typing: TypedCard) => void;
  readonly onDone: (attempts: readonly number[]) => void;
  readonly onLeave: () => void;
  /** Confirms the result as it is; null when there is nothing to confirm. */
  readonly onConfirm: (() => void) | null;
  /** Null when there is no result to remove. */
  readonly onRemove: (() => void) | null;
  /** Announces to screen readers why the card is not saved yet. */
  readonly onAnnounce: (text: string) => void;
}

export const ScoreCard = (props: CardProps) => {
  const { title, rules, entered, start, goals, only, standing, isPending, problem, onLeave, onRemove } =
    props;
  const id = useId();
  const [typing, setTyping] = useState<TypedCard>(() => start ?? untouchedCard(entered.length));
  const { draft, seen } = typing;
  const [asked, setAsked] = useState<'whether unusual' | 'whether WR' | 'whether to remove' | null>(null);
  const fields = useRef<(HTMLInputElement | null)[]>([]);
  const reading = readDraft(draft, entered, rules.valueFormat);
  const card: Card = { rules, attempts: reading.attempts, entered, ...goals };
  const open = allowedAttempts(reading.attempts, rules.cutoff);
  const go = (index: number): void => {
    const field = fields.current[only ?? Math.max(0, Math.min(index, entered.length - 1))];
    field?.focus();
    field?.select();
  };
  // Only when the card opens: later changes must not move the focus.
  const resumed = props.isKept ? lastTyped(typing) : -1;
  const begin = useRef(only ?? (resumed >= 0 ? resumed : firstMissing(reading.attempts, open)));
  /** Index of the attempt that has, or last had, the focus. */
  const current = useRef(begin.current);
  useEffect(() => {
    const field = fields.current[begin.current];
    field?.focus();
    field?.select();
  }, []);
  const concurrent = concurrentChanges(reading.attempts, { seen, entered });
  const { ownBest } = standing;
  const notes = attemptNotes(reading, card, { singles: props.singles, ownBest, concurrent });
  const stored = scoreOf(card, entered);
  const claims = recordClaims(scoreOf(card, reading.attempts), stored, standing).filter(
    ({ kind, value }) => value !== rankedValue(stored, kind),
  );
  const doubts = [
    ...claims.map((claim) => claimText(claim, standing, rules.valueFormat)),
    ...notes.flatMap(({ text, asks }) => (asks && text !== null ? [text] : [])),
  ];
  // A second Enter confirms only what the typist has seen, so a concurrent change asks again.
  const others = concurrent.map(({ index, entered: now }) => `${index} ${now}`).join();
  const [known, setKnown] = useState(others);
  if (known !== others) {
    setKnown(others);
    setAsked(null);
  }
  const finish = (): void => {
    // A second Enter while the save runs must not save again.
    if (isPending) return;
    const fault = notes.findIndex(({ isWrong }) => isWrong);
    if (fault >= 0) {
      go(fault);
      props.onAnnounce(`Attempt ${fault + 1}: ${notes[fault]?.text ?? ''}`);
    } else if (claims.some(({ tag }) => tag === 'WR')) {
      setAsked('whether WR');
      props.onAnnounce(`${doubts.join(' ')} ${HOW_TO_CLAIM}`);
    } else if (doubts.length > 0 && asked === null) {
      setAsked('whether unusual');
      props.onAnnounce(`${doubts.join(' ')} Press Enter again to continue.`);
    } else props.onDone(reading.attempts);
  };
  const type = (index: number, text: string): void => {
    const next = withTyped(typing, index, { text, entered: entered[index] ?? NOT_TAKEN });
    setTyping(next);
    props.onTyped(next);
    setAsked(null);
  };
  /** Stays on the last attempt, so that the typist sees the DNF before the Enter that saves it. */
  const makeDnf = (index: number): void => {
    type(index, resultText(DNF, rules.valueFormat));
    props.onAnnounce(`Attempt ${index + 1}: DNF`);
    if (index + 1 < allowedAttempts(reading.attempts.with(index, DNF), rules.cutoff)) go(index + 1);
  };
  const addTwoSeconds = (index: number): void => {
    const value = reading.attempts[index] ?? NOT_TAKEN;
    if (rules.valueFormat === 'time' && value > 0)
      type(index, resultText(value + TWO_SECONDS, rules.valueFormat));
  };
  const enter = (index: number): void => {
    const isEmpty =
      (reading.attempts[index] ?? NOT_TAKEN) === NOT_TAKEN && reading.typed[index]?.kind === 'empty';
    const isLast = only !== null || index + 1 >= open;
    if (notes[index]?.asksForDnf) makeDnf(index);
    else if (notes[index]?.isWrong || isEmpty || isLast) finish();
    else go(index + 1);
  };
  const askWhetherToRemove = (): void => {
    if (onRemove === null) return;
    setAsked('whether to remove');
    props.onAnnounce(`Remove the whole result? ${HOW_TO_REMOVE}`);
  };
  const keyDown = (event: KeyboardEvent<HTMLInputElement>, index: number): void => {
    switch (event.key) {
      case 'Enter':
        enter(index);
        break;
      case '+':
        addTwoSeconds(index);
        break;
      case 'c':
        if (props.onConfirm === null || draft.some((text) => text !== null)) return;
        props.onConfirm();
        break;
      case 'ArrowDown':
        go(index + 1);
        break;
      case 'ArrowUp':
      case '-':
        go(index - 1);
        break;
      case 'Escape':
        onLeave();
        break;
      case 'Delete':
      case 'Backspace':
        if (!(event.ctrlKey || event.metaKey)) return;
        askWhetherToRemove();
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  const press = (key: PadKey): void => {
    const index = current.current;
    const field = fields.current[index];
    if (!field || isPending) return;
    field.focus();
    const { value, selectionStart, selectionEnd } = field;
    const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
    if (key === 'next') enter(index);
    else if (key === '+2') addTwoSeconds(index);
    else type(index, textAfterKey(key, { text: value, from, to }));
  };
  const isPhone = useIsPhone();
  const [wantsKeyboard, setWantsKeyboard] = useState(false);
  const hasKeypad = isPhone && !wantsKeyboard;
  return (
    <section className={hasKeypad ? 'score-card with-keypad' : 'score-card'} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{title}</h3>
      {props.isKept && (
        <Notice kind="info">
          You typed this before the page was reloaded. It is not saved yet. Escape discards it.
        </Notice>
      )}
      {props.notice}
      <ol className="card-attempts">
        {draft.map((text, index) => (
          <AttemptField
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the number of the attempt.
            key={index}
            id={`${id}-${index}`}
            ref={(field) => {
              fields.current[index] = field;
            }}
            number={index + 1}
            text={text ?? resultText(entered[index] ?? NOT_TAKEN, rules.valueFormat)}
            isTyped={text !== null}
            reads={reading.typed[index] ?? { kind: 'empty' }}
            note={notes[index] ?? NO_NOTE}
            isSaving={isPending}
            isBarred={index !== only && index >= open && (reading.attempts[index] ?? NOT_TAKEN) === NOT_TAKEN}
            isFixed={only !== null && index !== only}
            hasKeypad={hasKeypad}
            rules={rules}
            onFocus={() => {
              current.current = index;
            }}
            onType={(typed) => type(index, typed)}
            onKeyDown={(event) => keyDown(event, index)}
          />
        ))}
      </ol>
      <Facts card={card} />
      {asked !== 'whether WR' &&
        claims.map((claim) => (
          <p key={claim.kind} className="claim">
            {claimText(claim, standing, rules.valueFormat)}
          </p>
        ))}
      {problem !== null && (
        <p className="notice problem" role="alert">
          {problem}
        </p>
      )}
      {asked === 'whether WR' ? (
        <RecordQuestion
          doubts={doubts}
          isPending={isPending}
          onYes={() => props.onDone(reading.attempts)}
          onBack={() => {
            setAsked(null);
            go(current.current);
          }}
        />
      ) : asked === 'whether to remove' && onRemove !== null ? (
        <RemoveQuestion
          isPending={isPending}
          onRemove={onRemove}
          onKeep={() => {
            setAsked(null);
            go(0);
          }}
        />
      ) : (
        <p className="card-end">
          <Button isMain isPending={isPending} onPress={finish}>
            {asked === null ? props.action : `${props.action} anyway`}
          </Button>
          <button type="button" className="button quiet" onClick={onLeave}>
            Leave
          </button>
          {asked !== null && (
            <span className="asked" ref={intoView}>
              {concurrent.length > 0 ? 'Changed meanwhile' : claims.length > 0 ? 'A record' : 'Unusual'}:
              press Enter again to continue.
            </span>
          )}
          {onRemove !== null && (
            <button type="button" className="button quiet danger remove" onClick={askWhetherToRemove}>
              Remove result
            </button>
          )}
        </p>
      )}
      {hasKeypad && asked !== 'whether WR' && (
        <Keypad
          hasPenalty={rules.valueFormat === 'time'}
          onKey={press}
          onKeyboard={() => setWantsKeyboard(true)}
        />
      )}
    </section>
  );
};

const TWO_SECONDS = 200;

/** A phone's keypad covers the end of the card. */
const intoView = (question: HTMLElement | null): void => question?.scrollIntoView({ block: 'nearest' });

/** `1:23.45 · Average 1:30.12 · …` */
const Facts = ({ card }: { readonly card: Card }) => (
  <dl className="facts">
    {cardFacts(card).map(({ label, text, tone }) => (
      <div key={label} className={tone}>
        <dt>{label}</dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
);
