/**
 * A form field for several of many items: each picked item is a chip that can be removed, and a search box adds more. The
 * form has one value for each item, under the picker's name.
 */
import { type ReactNode, useRef, useState } from 'react';
import { SearchBox } from './search-box.js';

export interface Picked {
  readonly id: string;
  readonly name: string;
}

export interface PickerProps {
  /** The name of the form's values. */
  readonly name: string;
  readonly label: string;
  readonly help?: ReactNode;
  readonly placeholder: string;
  readonly defaultPicked: readonly Picked[];
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The items that match the text. `about` tells items of the same name apart. */
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
        optionsLabel={`Matching ${label.toLowerCase()}`}
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
        empty={options.length > 0 ? 'Already chosen.' : props.empty}
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

/** The ids that were picked under this name. */
export const pickedIds = (fields: FormData, name: string): readonly string[] =>
  fields.getAll(name).filter((value) => typeof value === 'string');
