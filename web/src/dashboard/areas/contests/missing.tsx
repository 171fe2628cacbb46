/** Who has no result in the round, or not all attempts; no-shows, those who quit, and those who come in addition. */

import { useState } from 'react';
import type { MissingView } from '../../../../../src/competition/contests/contest.queries.js';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type {
  AdvancementView,
  IncompleteView,
} from '../../../../../src/competition/rounds/advancement.queries.js';
import type { ModeratorMark } from '../../../../../src/domain/roster.js';
import { TableHead } from '../../../components/results.js';
import { progressText } from '../../../round-text.js';
import { Button, SubmitButton } from '../../parts/button.js';
import { pickedIds } from '../../parts/picker.js';
import { PersonPicker } from '../persons/person-picker.js';

export interface Mark {
  readonly personIds: readonly number[];
  readonly mark: ModeratorMark;
}

export interface WithPersons {
  readonly persons: readonly PersonView[];
}

export const idsOf = ({ persons }: WithPersons): readonly number[] => persons.map(({ id }) => id);
export const keyOf = (competitor: WithPersons): string => idsOf(competitor).join();
export const namesOf = ({ persons }: WithPersons): string => persons.map(({ name }) => name).join(', ');

/** Keeps the writing direction of the names apart from the text around them. */
export const Names = ({ of }: { readonly of: WithPersons }) => <bdi>{namesOf(of)}</bdi>;

interface MissingProps {
  readonly view: AdvancementView;
  readonly isPending: boolean;
  readonly onMark: (marks: readonly Mark[]) => void;
}

export const Missing = ({ view, isPending, onMark }: MissingProps) => {
  const { progress, missing, incomplete } = view;
  if (progress === null)
    return (
      <p className="empty">This round takes every known person: it was opened without a competitor list.</p>
    );
  return (
    <section aria-labelledby="missing">
      <h3 id="missing">Without a result</h3>
      <p className="about">
        <span>{progressText(progress)}</span>
        <span>{`${progress.expected - progress.entered} missing`}</span>
      </p>
      {missing.length === 0 ? (
        <p className="empty">Everybody has one.</p>
      ) : (
        <MissingTable {...{ missing, isPending, onMark }} />
      )}
      {incomplete.length > 0 && <Incomplete {...{ incomplete, isPending, onMark }} />}
      <AddForm {...{ isPending, onMark }} />
    </section>
  );
};

const MARKS: Readonly<Record<MissingView['mark'], string>> = {
  expected: 'Expected',
  'no-show': 'No-show',
  withdrawn: 'Withdrawn',
  quit: 'Quit',
};

const CHOICES: readonly ModeratorMark[] = ['expected', 'no-show', 'quit'];

/** Plain elements: at the opening of a large round all of its competitors are here. */
const MissingTable = ({
  missing,
  isPending,
  onMark,
}: Pick<MissingProps, 'isPending' | 'onMark'> & { readonly missing: readonly MissingView[] }) => {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const awaited = missing.filter(({ mark }) => mark === 'expected');
  const chosen = awaited.filter((entry) => ticked.has(keyOf(entry)));
  const tick = (entries: readonly MissingView[], isTicked: boolean): void => {
    const others = [...ticked].filter((key) => !entries.some((entry) => keyOf(entry) === key));
    setTicked(new Set(isTicked ? [...others, ...entries.map(keyOf)] : others));
  };
  return (
    <>
      <div className="toolbar">
        {awaited.length > 1 && (
          <label className="tick">
            <input
              type="checkbox"
              checked={chosen.length === awaited.length}
              onChange={({ currentTarget }) => tick(awaited, currentTarget.checked)}
            />
            All who are expected
          </label>
        )}
        {chosen.length > 0 && (
          <Button
            isDisabled={isPending}
            onPress={() => onMark(chosen.map((entry) => ({ personIds: idsOf(entry), mark: 'no-show' })))}
          >
            {chosen.length === 1 ? 'Mark as a no-show' : `Mark ${chosen.length} as no-shows`}
          </Button>
        )}
      </div>
      <table className="results data missing">
        <caption className="hidden">Competitors without a result</caption>
        <TableHead columns={[['Competitor'], ['State'], ['Actions', 'row-actions']]} />
        <tbody>
          {missing.map((entry) => (
            <tr key={keyOf(entry)} className={entry.mark === 'expected' ? undefined : 'over'}>
              <th scope="row">
                {entry.mark === 'expected' ? (
                  <label className="tick">
                    <input
                      type="checkbox"
                      checked={ticked.has(keyOf(entry))}
                      onChange={({ currentTarget }) => tick([entry], currentTarget.checked)}
                    />
                    <Names of={entry} />
                  </label>
                ) : (
                  <span className="tick none">
                    <Names of={entry} />
                  </span>
                )}
              </th>
              <td>{MARKS[entry.mark]}</td>
              <td className="row-actions">
                <MarkButtons {...{ entry, isPending, onMark }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
};

/** Who has withdrawn comes back by the competitor list. */
const MarkButtons = ({
  entry,
  isPending,
  onMark,
}: Pick<MissingProps, 'isPending' | 'onMark'> & { readonly entry: MissingView }) =>
  entry.mark === 'withdrawn'
    ? null
    : CHOICES.filter((mark) => mark !== entry.mark).map((mark) => (
        <button
          key={mark}
          type="button"
          className="button quiet"
          disabled={isPending}
          aria-label={`${MARKS[mark]}: ${namesOf(entry)}`}
          onClick={() => onMark([{ personIds: idsOf(entry), mark }])}
        >
          {MARKS[mark]}
        </button>
      ));

const Incomplete = ({
  incomplete,
  isPending,
  onMark,
}: Pick<MissingProps, 'isPending' | 'onMark'> & { readonly incomplete: readonly IncompleteView[] }) => (
  <details>
    <summary>With attempts missing: {incomplete.length}</summary>
    <ul className="advancing" aria-label="With attempts missing">
      {incomplete.map((competitor) => (
        <li key={keyOf(competitor)}>
          <Names of={competitor} /> {competitor.hasQuit && <span className="badge">Quit</span>}
          <QuitButton {...{ competitor, isPending, onMark }} hasQuit={competitor.hasQuit} />
        </li>
      ))}
    </ul>
  </details>
);

/** For who has a result, which stays. */
export const QuitButton = ({
  competitor,
  hasQuit,
  isPending,
  onMark,
}: Pick<MissingProps, 'isPending' | 'onMark'> & {
  readonly competitor: WithPersons;
  readonly hasQuit: boolean;
}) => (
  <button
    type="button"
    className="button quiet"
    disabled={isPending}
    aria-label={hasQuit ? `${namesOf(competitor)} competes after all` : `Quit: ${namesOf(competitor)}`}
    onClick={() => onMark([{ personIds: idsOf(competitor), mark: hasQuit ? 'expected' : 'quit' }])}
  >
    {hasQuit ? 'Competes after all' : 'Quit'}
  </button>
);

const AddForm = ({ isPending, onMark }: Pick<MissingProps, 'isPending' | 'onMark'>) => {
  const [added, setAdded] = useState(0);
  return (
    <form
      key={added}
      className="filter-row"
      onSubmit={(event) => {
        event.preventDefault();
        const ids = pickedIds(new FormData(event.currentTarget), 'added');
        if (ids.length === 0) return;
        onMark(ids.map((id) => ({ personIds: [Number(id)], mark: 'expected' })));
        setAdded(added + 1);
      }}
    >
      <PersonPicker name="added" label="Add to this round" defaultPicked={[]} />
      <SubmitButton isPending={isPending}>Add</SubmitButton>
    </form>
  );
};
