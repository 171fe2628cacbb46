/**
 * The search box for a competitor, by number or part of the name. It also finds persons of the space who are not in the
 * contest yet.
 */
import { type KeyboardEvent, type Ref, useState } from 'react';
import type { CompetitorView } from '../../../../../src/competition/contests/contest.queries.js';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import { Flag } from '../../../components/region.js';
import { Button } from '../../parts/button.js';
import { SearchBox } from '../../parts/search-box.js';
import { useNewPerson } from '../persons/person-forms.js';
import { usePersonCandidates } from '../persons/person-queries.js';
import { findCompetitors } from './find-competitor.js';

interface CompetitorBoxProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly label: string;
  readonly competitors: readonly CompetitorView[];
  /** A person's result so far, for the list. */
  readonly about: (person: PersonView) => string;
  readonly onChoose: (competitor: CompetitorView) => void;
  /** Called on `-`, ↑ or Backspace in the empty box. */
  readonly onBack: () => void;
  /** Called on Ctrl-Z in the empty box. */
  readonly onUndo: () => void;
  /** Called on Enter in the empty box. */
  readonly onNext: () => void;
}

export const CompetitorBox = ({
  ref,
  label,
  competitors,
  about,
  onChoose,
  onBack,
  onUndo,
  onNext,
}: CompetitorBoxProps) => {
  const [text, setText] = useState('');
  const { ask, form } = useNewPerson(text, (person) => {
    setText('');
    onChoose({ number: null, person });
  });
  const options = useOptions(competitors, text);
  const handleKey = (event: KeyboardEvent): boolean => {
    if (event.key === 'z' && (event.ctrlKey || event.metaKey)) onUndo();
    else if (event.key === 'Enter') onNext();
    else if (event.key === '-' || event.key === 'Backspace' || event.key === 'ArrowUp') onBack();
    else return false;
    return true;
  };
  return (
    <>
      <SearchBox
        ref={ref}
        label={label}
        placeholder="Number or name"
        text={text}
        onText={setText}
        options={options}
        optionsLabel="Matching competitors"
        idOf={({ person }) => person.id}
        show={(option) => (
          <Option option={option} isNew={!competitors.includes(option)} about={about(option.person)} />
        )}
        onChoose={onChoose}
        onKey={handleKey}
        empty={
          <>
            No person matches. <Button onPress={ask}>New person</Button>
          </>
        }
      />
      {form}
    </>
  );
};

/** The competitors of the contest first, then other persons of the space. */
const useOptions = (competitors: readonly CompetitorView[], text: string): readonly CompetitorView[] => {
  const isNumber = /^\d+$/.test(text.trim());
  const candidates = usePersonCandidates(isNumber ? '' : text);
  const found = findCompetitors(competitors, text);
  const known = new Set(competitors.map(({ person }) => person.id));
  const others = (candidates ?? [])
    .filter(({ id }) => !known.has(id))
    .map((person) => ({ number: null, person }));
  return [...found, ...others];
};

const Option = ({
  option: { number, person },
  isNew,
  about,
}: {
  readonly option: CompetitorView;
  readonly isNew: boolean;
  readonly about: string;
}) => (
  <>
    <span className="number">{number ?? '–'}</span>
    <span>
      <Flag code={person.regionCode} />
      <bdi>{person.name}</bdi>
      {person.assocId !== null && <span className="quiet id"> {person.assocId}</span>}
    </span>
    <span className="quiet">{isNew ? 'not in this contest yet' : about}</span>
  </>
);
