/**
 * One competitor's attempts, typed with one hand: Enter goes to the next attempt and saves after the last, `-` goes back,
 * Escape leaves, Ctrl-Del removes the result. Beside each attempt stands how it is read and whether the round will refuse it.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { DNF, NOT_TAKEN } from '../../../../../src/domain/attempts.js';
import { resultText } from '../../../format.js';
import { Button } from '../../parts/button.js';
import { Notice } from '../../parts/notice.js';
import { allowedAttempts, type Card, type CardRules, cardFacts } from './arithmetic.js';
import { AttemptField } from './attempt-field.js';
import {
  firstMissing,
  lastTyped,
  readDraft,
  type TypedCard,
  untouchedCard,
  withTyped,
} from './card-state.js';
import { attemptNotes, concurrentChanges, NO_NOTE } from './notes.js';

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
  readonly goals: Pick<Card, 'spentElsewhere' | 'lead' | 'advancing'>;
  /** The singles of the other competitors in the round. */
  readonly singles: readonly number[];
  /** The action of the last Enter: `Save`, `Compare`. */
  readonly action: string;
  readonly isPending: boolean;
  readonly problem: string | null;
  readonly onTyped: (typing: TypedCard) => void;
  readonly onDone: (attempts: readonly number[]) => void;
  readonly onLeave: () => void;
  /** Null when there is no result to remove. */
  readonly onRemove: (() => void) | null;
  /** Announces to screen readers why the card is not saved yet. */
  readonly onAnnounce: (text: string) => void;
}

export const ScoreCard = (props: CardProps) => {
  const { title, rules, entered, start, goals, isPending, problem, onLeave, onRemove } = props;
  const id = useId();
  const [typing, setTyping] = useState<TypedCard>(() => start ?? untouchedCard(entered.length));
  const { draft, seen } = typing;
  const [asked, setAsked] = useState<'whether unusual' | 'whether to remove' | null>(null);
  const fields = useRef<(HTMLInputElement | null)[]>([]);
  const reading = readDraft(draft, entered, rules.valueFormat);
  const card: Card = { rules, attempts: reading.attempts, entered, ...goals };
  const open = allowedAttempts(reading.attempts, rules.cutoff);
  const go = (index: number): void => {
    const field = fields.current[Math.max(0, Math.min(index, entered.length - 1))];
    field?.focus();
    field?.select();
  };
  // Only when the card opens: later changes must not move the focus.
  const resumed = props.isKept ? lastTyped(typing) : -1;
  const begin = useRef(resumed >= 0 ? resumed : firstMissing(reading.attempts, open));
  useEffect(() => {
    const field = fields.current[begin.current];
    field?.focus();
    field?.select();
  }, []);
  const concurrent = concurrentChanges(reading.attempts, { seen, entered });
  const notes = attemptNotes(reading, card, { singles: props.singles, concurrent });
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
    const doubt = notes.find(({ text }) => text !== null);
    if (fault >= 0) {
      go(fault);
      props.onAnnounce(`Attempt ${fault + 1}: ${notes[fault]?.text ?? ''}`);
    } else if (doubt && asked === null) {
      setAsked('whether unusual');
      props.onAnnounce(`${doubt.text ?? ''} Press Enter again to continue.`);
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
  const askWhetherToRemove = (): void => {
    if (onRemove === null) return;
    setAsked('whether to remove');
    props.onAnnounce(`Remove the whole result? ${HOW_TO_ANSWER}`);
  };
  const keyDown = (event: KeyboardEvent<HTMLInputElement>, index: number): void => {
    const isEmpty =
      (reading.attempts[index] ?? NOT_TAKEN) === NOT_TAKEN && reading.typed[index]?.kind === 'empty';
    switch (event.key) {
      case 'Enter':
        if (notes[index]?.asksForDnf) makeDnf(index);
        else if (notes[index]?.isWrong) finish();
        else if (isEmpty || index + 1 >= open) finish();
        else go(index + 1);
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
  return (
    <section className="score-card" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{title}</h3>
      {props.isKept && (
        <Notice kind="info">
          You typed this before the page was reloaded. It is not saved yet. Escape discards it.
        </Notice>
      )}
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
            isBarred={index >= open && (reading.attempts[index] ?? NOT_TAKEN) === NOT_TAKEN}
            rules={rules}
            onType={(typed) => type(index, typed)}
            onKeyDown={(event) => keyDown(event, index)}
          />
        ))}
      </ol>
      <Facts card={card} />
      {problem !== null && (
        <p className="notice problem" role="alert">
          {problem}
        </p>
      )}
      {asked === 'whether to remove' && onRemove !== null ? (
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
            <span className="asked">
              {concurrent.length > 0 ? 'Changed meanwhile' : 'Unusual'}: press Enter again to continue.
            </span>
          )}
          {onRemove !== null && (
            <button type="button" className="button quiet danger remove" onClick={askWhetherToRemove}>
              Remove result
            </button>
          )}
        </p>
      )}
    </section>
  );
};

const HOW_TO_ANSWER = 'Enter removes it, Escape keeps it; it can be undone.';

/** Takes the focus, so that the next Enter confirms. */
const RemoveQuestion = ({
  isPending,
  onRemove,
  onKeep,
}: {
  readonly isPending: boolean;
  readonly onRemove: () => void;
  readonly onKeep: () => void;
}) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: it handles Escape of its buttons, which have the focus.
  <div
    ref={(question) => question?.scrollIntoView({ block: 'nearest' })}
    className="card-end"
    onKeyDown={({ key }) => {
      if (key === 'Escape') onKeep();
    }}
  >
    <strong>Remove the whole result?</strong>
    <Button isMain isDanger autoFocus isPending={isPending} onPress={onRemove}>
      Remove
    </Button>
    <Button isQuiet onPress={onKeep}>
      Keep
    </Button>
    <span className="quiet">{HOW_TO_ANSWER}</span>
  </div>
);

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
