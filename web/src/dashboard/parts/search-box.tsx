/**
 * A field that finds one of many options by typing. Enter takes the first match; the arrow keys choose another. The caller
 * finds the matches, and may handle more keys.
 */
import { type KeyboardEvent, type ReactNode, type Ref, useId, useState } from 'react';

interface SearchBoxProps<T> {
  readonly ref?: Ref<HTMLInputElement>;
  readonly label: string;
  readonly help?: ReactNode;
  readonly placeholder: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The matches, best first. */
  readonly options: readonly T[];
  /** The name of the list of options, for screen readers. */
  readonly optionsLabel: string;
  readonly idOf: (option: T) => string | number;
  readonly show: (option: T) => ReactNode;
  /** Called after the text was cleared. */
  readonly onChoose: (option: T) => void;
  /** Called with the keys that are pressed while the box is empty. Returns true when it has handled the key. */
  readonly onKey?: (event: KeyboardEvent) => boolean;
  /** Shown when no option matches the text; null while the matches are not known. */
  readonly empty: ReactNode;
}

export const SearchBox = <T,>(props: SearchBoxProps<T>) => {
  const { label, help, text, options, idOf } = props;
  const id = useId();
  const [active, setActive] = useState(0);
  const chosen = options[Math.min(active, options.length - 1)];
  const type = (typed: string): void => {
    props.onText(typed);
    setActive(0);
  };
  const choose = (option: T): void => {
    type('');
    props.onChoose(option);
  };
  const keyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (text === '' && props.onKey?.(event)) event.preventDefault();
    else if (step !== undefined) setActive(Math.max(0, Math.min(options.length - 1, active + step)));
    else if (event.key === 'Enter' && chosen !== undefined) choose(chosen);
    else if (event.key === 'Escape' && text !== '') type('');
    // While the box has a text, Enter must not submit the surrounding form.
    else if (event.key !== 'Enter' || text === '') return;
    event.preventDefault();
    // Escape must not close the surrounding dialog.
    event.stopPropagation();
  };
  return (
    <div className="search-box">
      <label htmlFor={`${id}-box`}>{label}</label>
      <input
        ref={props.ref}
        id={`${id}-box`}
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${idOf(chosen)}`}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        autoComplete="off"
        spellCheck={false}
        placeholder={props.placeholder}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={keyDown}
      />
      {help !== undefined && (
        <span id={`${id}-help`} className="help">
          {help}
        </span>
      )}
      <div role="listbox" id={`${id}-list`} aria-label={props.optionsLabel} className="options">
        {options.map((option) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box keeps the focus and handles the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: likewise.
          <div
            key={idOf(option)}
            role="option"
            id={`${id}-${idOf(option)}`}
            aria-selected={option === chosen}
            className={option === chosen ? 'active' : ''}
            onClick={() => choose(option)}
          >
            {props.show(option)}
          </div>
        ))}
      </div>
      {text.trim() !== '' && options.length === 0 && props.empty !== null && (
        <p className="empty" role="status">
          {props.empty}
        </p>
      )}
    </div>
  );
};
