/** The field of one attempt on a score card: its text, the value that it is read as, and a note. */
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { resultText } from '../../../format.js';
import type { CardRules } from './arithmetic.js';
import type { Note } from './notes.js';
import type { TypedAttempt } from './typed-attempt.js';

interface AttemptFieldProps {
  readonly id: string;
  readonly ref: (field: HTMLInputElement | null) => void;
  readonly number: number;
  readonly text: string;
  /** False while the field shows the round's value. */
  readonly isTyped: boolean;
  readonly reads: TypedAttempt;
  readonly note: Note;
  readonly isBarred: boolean;
  /** Another attempt of the card is typed. */
  readonly isFixed: boolean;
  /** The card has a keypad, so the phone's keyboard stays away. */
  readonly hasKeypad: boolean;
  /** The field is read-only while the card is saved, because the card closes afterwards. */
  readonly isSaving: boolean;
  readonly rules: CardRules;
  readonly onFocus: () => void;
  readonly onType: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
}

export const AttemptField = ({
  id,
  ref,
  number,
  text,
  isTyped,
  reads,
  note,
  isBarred,
  isFixed,
  hasKeypad,
  isSaving,
  rules,
  onFocus,
  onType,
  onKeyDown,
}: AttemptFieldProps) => {
  const input = useRef<HTMLInputElement | null>(null);
  // The value of another desk arrives in the field with the focus: typing replaces it, as in a field that is entered.
  useEffect(() => {
    if (!isTyped && text !== '' && input.current === document.activeElement) input.current?.select();
  }, [isTyped, text]);
  return (
    <li>
      <label htmlFor={id}>
        <span className="hidden">Attempt </span>
        {number}
      </label>
      <input
        ref={(field) => {
          input.current = field;
          ref(field);
        }}
        id={id}
        inputMode={hasKeypad ? 'none' : rules.valueFormat === 'multi' ? 'text' : 'decimal'}
        autoComplete="off"
        spellCheck={false}
        value={text}
        disabled={isBarred || isFixed}
        readOnly={isSaving}
        aria-invalid={note.isWrong}
        aria-describedby={`${id}-reads ${id}-note`}
        onChange={(event) => onType(event.currentTarget.value)}
        onFocus={(event) => {
          event.currentTarget.select();
          onFocus();
        }}
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
};
