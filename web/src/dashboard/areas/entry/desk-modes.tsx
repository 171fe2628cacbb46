/** How the desk works: by card or by attempt, and whether, and whose, results are typed a second time. */
import type { RoundResultView } from '../../../../../src/competition/contests/contest.queries.js';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type { EntrySheetView } from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import { attemptsOf } from '../../../../../src/domain/scoring.js';
import { Checkbox, SelectField } from '../../parts/field.js';
import { TeamNames } from './team-names.js';
import { ANYBODY, makerKey, makerText, OTHERS } from './typists.js';

interface DeskModesProps {
  readonly sheet: EntrySheetView;
  /** Index of the only attempt that is typed; null: whole cards are. */
  readonly only: number | null;
  readonly onOnly: (only: number | null) => void;
  readonly isChecking: boolean;
  readonly onChecking: (isOn: boolean) => void;
  readonly typist: string;
  readonly onTypist: (typist: string) => void;
  /** Empty when nothing is checked. */
  readonly toCheck: readonly RoundResultView[];
  readonly onPick: (persons: readonly PersonView[]) => void;
}

export const DeskModes = (props: DeskModesProps) => {
  const { sheet, only, isChecking, toCheck } = props;
  const attempts = Array.from({ length: attemptsOf(sheet.round.format) }, (_, index) => index);
  return (
    <div className="desk-modes">
      {attempts.length > 1 && (
        <fieldset className="only-attempt">
          <legend>Type</legend>
          <label>
            <input type="radio" name="only" checked={only === null} onChange={() => props.onOnly(null)} />
            whole cards
          </label>
          <div>
            <span className="quiet">one attempt:</span>
            {attempts.map((index) => (
              <label key={index}>
                <input
                  type="radio"
                  name="only"
                  checked={only === index}
                  onChange={() => props.onOnly(index)}
                />
                <span className="hidden">No. </span>
                {index + 1}
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <Checkbox name="check" isSelected={isChecking} onChange={props.onChecking}>
        Check: type entered results again
      </Checkbox>
      {isChecking && (
        <>
          <SelectField
            name="typist"
            label="Typed by"
            choices={[
              { value: ANYBODY, name: 'Anybody' },
              { value: OTHERS, name: 'Others than me' },
              ...sheet.typists.map(({ by }) => ({ value: makerKey(by), name: makerText(by) })),
            ]}
            value={props.typist}
            onChange={props.onTypist}
          />
          <details className="missing">
            <summary>To check: {toCheck.length}</summary>
            <ul>
              {toCheck.map(({ resultId, persons }) => (
                <li key={resultId}>
                  <button type="button" className="link" onClick={() => props.onPick(persons)}>
                    <TeamNames of={persons} />
                  </button>
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
    </div>
  );
};
