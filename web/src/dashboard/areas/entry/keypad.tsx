/**
 * A keypad for one thumb, in the lower half of a phone's screen. Its keys do what the keys of a keyboard do in the attempt that has
 * the focus, so a card has one state, however it is typed.
 */
import './keypad.css';
import { type PointerEvent, useSyncExternalStore } from 'react';
import { DIGITS, type PadKey } from './keypad-text.js';

const PHONE = '(pointer: coarse) and (max-width: 48rem)';

const onChange = (changed: () => void): (() => void) => {
  const query = matchMedia(PHONE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};

/** Whether the page is used with a finger on a narrow screen. */
export const useIsPhone = (): boolean => useSyncExternalStore(onChange, () => matchMedia(PHONE).matches);

const OTHERS: readonly (readonly [key: PadKey, text: string, name: string])[] = [
  ['DNF', 'DNF', 'DNF'],
  ['DNS', 'DNS', 'DNS'],
  ['+2', '+2', 'Add 2 seconds'],
  ['delete', '⌫', 'Delete'],
  ['next', 'Next', 'Next'],
];

/** The attempt keeps the focus. */
const keepFocus = (event: PointerEvent): void => event.preventDefault();

export const Keypad = ({
  hasPenalty,
  onKey,
  onKeyboard,
}: {
  /** Times may get two seconds; counts may not. */
  readonly hasPenalty: boolean;
  readonly onKey: (key: PadKey) => void;
  /** The typist wants the phone's own keyboard. */
  readonly onKeyboard: () => void;
}) => (
  <fieldset className="keypad" onPointerDown={keepFocus} onMouseDown={(event) => event.preventDefault()}>
    <legend className="hidden">Keypad</legend>
    {DIGITS.map((digit) => (
      <button key={digit} type="button" className={`key-${digit}`} onClick={() => onKey(digit)}>
        {digit}
      </button>
    ))}
    {OTHERS.map(([key, text, name]) => (
      <button
        key={key}
        type="button"
        className={`key-${key === '+2' ? 'plus' : key}`}
        aria-label={name}
        disabled={key === '+2' && !hasPenalty}
        onClick={() => onKey(key)}
      >
        {text}
      </button>
    ))}
    <button type="button" className="key-abc" aria-label="Keyboard" onClick={onKeyboard}>
      abc
    </button>
  </fieldset>
);
