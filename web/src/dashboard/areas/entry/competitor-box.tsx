/**
 * Where a competitor is called by number or part of the name: Enter takes the first that fits, the arrows choose another.
 * Who is not in the contest yet is found among the persons of the space.
 */
import { type KeyboardEvent, type Ref, useDeferredValue, useId, useState } from 'react';
import type { CompetitorView } from '../../../../../src/contests/contest.queries.js';
import type { PersonView } from '../../../../../src/persons/person.queries.js';
import { Flag } from '../../../components/region.js';
import { findCompetitors } from './find-competitor.js';
import { type DeskPaths, useCandidates } from './sheet.js';

interface BoxProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly label: string;
  readonly paths: DeskPaths;
  readonly competitors: readonly CompetitorView[];
  /** What the list says of somebody: the result so far. */
  readonly about: (person: PersonView) => string;
  readonly onChoose: (competitor: CompetitorView) => void;
  /** `-`, or Backspace, in the empty box. */
  readonly onBack: () => void;
  /** Control and Z in the empty box. */
  readonly onUndo: () => void;
}

export const CompetitorBox = ({
  ref,
  label,
  paths,
  competitors,
  about,
  onChoose,
  onBack,
  onUndo,
}: BoxProps) => {
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const options = useOptions(paths, competitors, text);
  const chosen = options[Math.min(active, options.length - 1)];
  const type = (typed: string): void => {
    setText(typed);
    setActive(0);
  };
  const keyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive(Math.max(0, Math.min(options.length - 1, active + step)));
    else if (event.key === 'Enter' && chosen) {
      type('');
      onChoose(chosen);
    } else if (event.key === 'Escape') type('');
    else if (text === '' && event.key === 'z' && (event.ctrlKey || event.metaKey)) onUndo();
    else if (text === '' && (event.key === '-' || event.key === 'Backspace')) onBack();
    else return;
    event.preventDefault();
  };
  return (
    <div className="competitor-box">
      <label htmlFor={`${id}-box`}>{label}</label>
      <input
        ref={ref}
        id={`${id}-box`}
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen && `${id}-${chosen.person.id}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Number or name"
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={keyDown}
      />
      <div role="listbox" id={`${id}-list`} aria-label="Competitors that fit" className="options">
        {options.map((option) => (
          <Option
            key={`${option.number} ${option.person.id}`}
            id={`${id}-${option.person.id}`}
            option={option}
            isActive={option === chosen}
            isNew={!competitors.includes(option)}
            about={about(option.person)}
            onPick={() => {
              type('');
              onChoose(option);
            }}
          />
        ))}
      </div>
      {text.trim() !== '' && options.length === 0 && (
        <p className="empty" role="status">
          Nobody fits. A person who is new has to be added to the space first.
        </p>
      )}
    </div>
  );
};

/** Those of the contest first, then who else is in the space. */
const useOptions = (
  paths: DeskPaths,
  competitors: readonly CompetitorView[],
  text: string,
): readonly CompetitorView[] => {
  const found = findCompetitors(competitors, text);
  const { data = [] } = useCandidates(paths, useDeferredValue(text));
  if (text.trim() === '' || /^\d+$/.test(text.trim())) return found;
  const known = new Set(competitors.map(({ person }) => person.id));
  const others = data.filter(({ id }) => !known.has(id)).map((person) => ({ number: null, person }));
  return [...found, ...others];
};

const Option = ({
  id,
  option: { number, person },
  isActive,
  isNew,
  about,
  onPick,
}: {
  readonly id: string;
  readonly option: CompetitorView;
  readonly isActive: boolean;
  readonly isNew: boolean;
  readonly about: string;
  readonly onPick: () => void;
}) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the box, which has the focus.
  // biome-ignore lint/a11y/useFocusableInteractive: likewise.
  <div role="option" id={id} aria-selected={isActive} className={isActive ? 'active' : ''} onClick={onPick}>
    <span className="number">{number ?? '–'}</span>
    <span>
      <Flag code={person.regionCode} />
      {person.name}
      {person.assocId !== null && <span className="quiet"> {person.assocId}</span>}
    </span>
    <span className="quiet">{isNew ? 'not in this contest yet' : about}</span>
  </div>
);
