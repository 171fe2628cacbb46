/**
 * One competitor's attempts, typed with one hand: Enter goes on and saves at the end, `-` goes back, Escape leaves, Ctrl
 * Del removes what is in. How each attempt is read, what it adds up to, and what will be refused stands beside it while it is typed.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { NOT_TAKEN } from '../../../../../src/domain/attempts.js';
import { resultText } from '../../../format.js';
import { Button } from '../../parts/button.js';
import { Notice } from '../../parts/notice.js';
import { allowedAttempts, type Card, type CardRules, cardFacts } from './arithmetic.js';
import {
  firstMissing,
  lastTyped,
  readDraft,
  type TypedCard,
  untouchedCard,
  withTyped,
} from './card-state.js';
import { attemptNotes, concurrentChanges, NO_NOTE, type Note } from './notes.js';
import type { TypedAttempt } from './typed-attempt.js';

interface CardProps {
  /** Named in the heading. */
  readonly title: ReactNode;
  readonly rules: CardRules;
  /** As the round has it now; one value for each attempt. */
  readonly entered: readonly number[];
  /** What the fields begin with. */
  readonly start?: TypedCard;
  /** It was typed before the page was loaded again. */
  readonly isKept: boolean;
  readonly goals: Pick<Card, 'spentElsewhere' | 'lead' | 'advancing'>;
  /** Singles of the others in the round. */
  readonly singles: readonly number[];
  /** What the last Enter does: `Save`, `Compare`. */
  readonly action: string;
  readonly isPending: boolean;
  readonly problem: string | null;
  readonly onTyped: (typing: TypedCard) => void;
  readonly onDone: (attempts: readonly number[]) => void;
  readonly onLeave: () => void;
  /** Null: there is nothing that could be removed. */
  readonly onRemove: (() => void) | null;
  /** Tells screen readers what keeps the card from being saved. */
  readonly onSay: (text: string) => void;
}

export const ScoreCard = (props: CardProps) => {
  const { title, rules, entered, start, goals, isPending, problem, onLeave, onRemove } = props;
  const id = useId();
  const [typing, setTyping] = useState<TypedCard>(() => start ?? untouchedCard(entered.length));
  const { draft, seen } = typing;
  const [asked, setAsked] = useState<'whether unusual' | 'whether to remove' | null>(null);
  const fields = useRef<(HTMLInputElement | null)[]>([]);
  const reading = readDraft(draft, entered, rules.valueFormat);
  const card: Card = { rules, attempts: reading.attempts, ...goals };
  const open = allowedAttempts(reading.attempts, rules.cutoff);
  const go = (index: number): void => {
    const field = fields.current[Math.max(0, Math.min(index, entered.length - 1))];
    field?.focus();
    field?.select();
  };
  // Once, when the card is taken in hand: later changes must not move the focus.
  const broken = props.isKept ? lastTyped(typing) : -1;
  const begin = useRef(broken >= 0 ? broken : firstMissing(reading.attempts, open));
  useEffect(() => {
    const field = fields.current[begin.current];
    field?.focus();
    field?.select();
  }, []);
  const concurrent = concurrentChanges(reading.attempts, { seen, entered });
  const notes = attemptNotes(reading, card, { singles: props.singles, concurrent });
  // A second Enter answers what was asked, not what has come since.
  const others = concurrent.map(({ index, entered: now }) => `${index} ${now}`).join();
  const [known, setKnown] = useState(others);
  if (known !== others) {
    setKnown(others);
    setAsked(null);
  }
  const finish = (): void => {
    // Enter twice is one save.
    if (isPending) return;
    const fault = notes.findIndex(({ isWrong }) => isWrong);
    const doubt = notes.find(({ text }) => text !== null);
    if (fault >= 0) {
      go(fault);
      props.onSay(`Attempt ${fault + 1}: ${notes[fault]?.text ?? ''}`);
    } else if (doubt && asked === null) {
      setAsked('whether unusual');
      props.onSay(`${doubt.text ?? ''} Enter again to go on.`);
    } else props.onDone(reading.attempts);
  };
  const askWhetherToRemove = (): void => {
    if (onRemove === null) return;
    setAsked('whether to remove');
    props.onSay(`Remove the whole result? ${HOW_TO_ANSWER}`);
  };
  const keyDown = (event: KeyboardEvent<HTMLInputElement>, index: number): void => {
    const isEmpty =
      (reading.attempts[index] ?? NOT_TAKEN) === NOT_TAKEN && reading.typed[index]?.kind === 'empty';
    switch (event.key) {
      case 'Enter':
        if (notes[index]?.isWrong) finish();
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
          This was typed before the page was loaded again, and is not saved yet. Escape leaves it.
        </Notice>
      )}
      <ol className="card-attempts">
        {draft.map((text, index) => (
          <AttemptField
            // biome-ignore lint/suspicious/noArrayIndexKey: an attempt is known by its number.
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
            onType={(typed) => {
              const next = withTyped(typing, index, { text: typed, entered: entered[index] ?? NOT_TAKEN });
              setTyping(next);
              props.onTyped(next);
              setAsked(null);
            }}
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
            {asked === null ? props.action : `${props.action} all the same`}
          </Button>
          <button type="button" className="button quiet" onClick={onLeave}>
            Leave
          </button>
          {asked !== null && (
            <span className="asked">
              {concurrent.length > 0 ? 'Entered otherwise meanwhile' : 'Unusual'}: Enter again to go on.
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

/** Takes the focus, so that the next Enter is the answer. */
const RemoveQuestion = ({
  isPending,
  onRemove,
  onKeep,
}: {
  readonly isPending: boolean;
  readonly onRemove: () => void;
  readonly onKeep: () => void;
}) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: its buttons have the focus; Escape is theirs.
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

interface AttemptProps {
  readonly id: string;
  readonly ref: (field: HTMLInputElement | null) => void;
  readonly number: number;
  readonly text: string;
  /** Else it stands there as it reads. */
  readonly isTyped: boolean;
  readonly reads: TypedAttempt;
  readonly note: Note;
  readonly isBarred: boolean;
  /** What is typed now would be lost with the card. */
  readonly isSaving: boolean;
  readonly rules: CardRules;
  readonly onType: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}

const AttemptField = ({
  id,
  ref,
  number,
  text,
  isTyped,
  reads,
  note,
  isBarred,
  isSaving,
  rules,
  onType,
  onKeyDown,
}: AttemptProps) => (
  <li>
    <label htmlFor={id}>
      <span className="hidden">Attempt </span>
      {number}
    </label>
    <input
      ref={ref}
      id={id}
      inputMode={rules.valueFormat === 'multi' ? 'text' : 'decimal'}
      autoComplete="off"
      spellCheck={false}
      value={text}
      disabled={isBarred}
      readOnly={isSaving}
      aria-invalid={note.isWrong}
      aria-describedby={`${id}-reads ${id}-note`}
      onChange={(event) => onType(event.currentTarget.value)}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={onKeyDown}
    />
    <output id={`${id}-reads`} className="reads" aria-live="off">
      {isTyped && reads.kind === 'value' ? resultText(reads.value, rules.valueFormat) : ''}
    </output>
    <span id={`${id}-note`} className={note.isWrong ? 'note wrong' : 'note'}>
      {isBarred ? 'not taken: the cutoff was not met' : note.text}
    </span>
  </li>
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
