/**
 * Some of many, in a form: each that was chosen is a chip with a way to take it away, and a search box adds more. The form
 * gets one value for each, under the picker's name.
 */
import { type ReactNode, useRef, useState } from 'react';
import { SearchBox } from './search-box.js';

export interface Picked {
  readonly id: string;
  readonly name: string;
}

export interface PickerProps {
  /** Of the form's values. */
  readonly name: string;
  readonly label: string;
  readonly help?: ReactNode;
  readonly placeholder: string;
  readonly defaultPicked: readonly Picked[];
  readonly text: string;
  readonly onText: (text: string) => void;
  /** What fits the text; `about` tells it from others of the name. */
  readonly options: readonly (Picked & { readonly about: ReactNode })[];
  readonly empty: ReactNode;
}

export const Picker = (props: PickerProps) => {
  const { name, label, help, defaultPicked, options } = props;
  const box = useRef<HTMLInputElement>(null);
  const [picked, setPicked] = useState(defaultPicked);
  const without = (id: string): readonly Picked[] => picked.filter((each) => each.id !== id);
  const others = options.filter(({ id }) => !picked.some((each) => each.id === id));
  return (
    <div className="field picker">
      <SearchBox
        ref={box}
        label={label}
        {...(help !== undefined && { help })}
        placeholder={props.placeholder}
        text={props.text}
        onText={props.onText}
        options={others}
        optionsLabel={`${label} that fit`}
        idOf={({ id }) => id}
        show={({ name: called, about }) => (
          <>
            <span>{called}</span>
            <span className="quiet">{about}</span>
          </>
        )}
        onChoose={({ id, name: called }) => setPicked([...picked, { id, name: called }])}
        onKey={({ key }) => {
          if (key !== 'Backspace' || picked.length === 0) return false;
          setPicked(picked.slice(0, -1));
          return true;
        }}
        empty={options.length > 0 ? 'Chosen already.' : props.empty}
      />
      {picked.length > 0 && (
        <ul className="chips" aria-label={`${label} chosen`}>
          {picked.map(({ id, name: called }) => (
            <li key={id} className="chip">
              <input type="hidden" name={name} value={id} />
              {called}
              <button
                type="button"
                aria-label={`Remove ${called}`}
                onClick={() => {
                  setPicked(without(id));
                  box.current?.focus();
                }}
              >
                <svg viewBox="0 0 16 16" aria-hidden="true">
                  <path d="M4 4l8 8M12 4l-8 8" />
                </svg>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

/** What was picked under this name. */
export const pickedIds = (fields: FormData, name: string): readonly string[] =>
  fields.getAll(name).filter((value) => typeof value === 'string');
