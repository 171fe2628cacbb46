/**
 * A keypad for one thumb, in the lower half of a phone's screen. Its keys do what the keys of a keyboard do in the attempt that has
 * the focus, so a card has one state, however it is typed.
 */
import './keypad.css';
import { type PointerEvent, useSyncExternalStore } from 'react';
import type { PadKey } from './keypad-text.js';

const PHONE = '(pointer: coarse) and (max-width: 48rem)';

const onChange = (changed: () => void): (() => void) => {
  const query = matchMedia(PHONE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};

/** Whether the page is used with a finger on a narrow screen. */
export const useIsPhone = (): boolean => useSyncExternalStore(onChange, () => matchMedia(PHONE).matches);

const ROWS: readonly (readonly (PadKey | 'keyboard')[])[] = [
  ['1', '2', '3', 'DNF'],
  ['4', '5', '6', 'DNS'],
  ['7', '8', '9', '+2'],
  ['keyboard', '0', 'delete', 'next'],
];

/** What stands on keys whose names are longer. */
const SHORT: Partial<Record<PadKey | 'keyboard', readonly [text: string, name: string]>> = {
  '+2': ['+2', 'Add 2 seconds'],
  keyboard: ['abc', 'Keyboard'],
  delete: ['⌫', 'Delete'],
  next: ['Next', 'Next'],
};

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
    {ROWS.flat().map((key) => {
      const [text, name] = SHORT[key] ?? [key, key];
      return (
        <button
          key={key}
          type="button"
          className={key === 'next' ? 'key-next' : undefined}
          aria-label={name}
          disabled={key === '+2' && !hasPenalty}
          onClick={() => (key === 'keyboard' ? onKeyboard() : onKey(key))}
        >
          {text}
        </button>
      );
    })}
  </fieldset>
);
