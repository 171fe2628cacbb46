/** The outcome of typing a card a second time: both are the same, or the moderator decides which one is right. */

import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type { ValueFormat } from '../../../../../src/domain/attempts.js';
import { TableHead } from '../../../components/results.js';
import { resultText } from '../../../format.js';
import { Button } from '../../parts/button.js';
import { Notice } from '../../parts/notice.js';
import { differences } from './card-state.js';
import { TeamNames } from './team-names.js';

export interface Comparison {
  readonly team: readonly PersonView[];
  /** The attempts as typed the second time. */
  readonly typed: readonly number[];
  readonly entered: readonly number[];
  readonly valueFormat: ValueFormat;
}

interface OutcomeProps extends Comparison {
  readonly onTake: (comparison: Comparison) => void;
  readonly onKeep: (comparison: Comparison) => void;
}

export const CheckOutcome = ({ onTake, onKeep, ...comparison }: OutcomeProps) => {
  const { team, typed, entered, valueFormat } = comparison;
  const differing = new Set(differences(typed, entered));
  if (differing.size === 0)
    return (
      <Notice kind="done">
        <TeamNames of={team} />: both times the same.
      </Notice>
    );
  const text = (value: number): string => resultText(value, valueFormat) || '–';
  return (
    <Notice kind="problem">
      <p>
        <TeamNames of={team} />: not the same both times.
      </p>
      <table className="results comparison">
        <TableHead columns={[['Attempt'], ['Entered', 'value'], ['Typed now', 'value']]} />
        <tbody>
          {typed.map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the number of the attempt.
            <tr key={index} className={differing.has(index) ? 'differs' : undefined}>
              <th scope="row">{index + 1}</th>
              <td className="value">{text(entered[index] ?? 0)}</td>
              <td className="value">{text(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="actions">
        <Button autoFocus onPress={() => onKeep(comparison)}>
          Keep what was entered
        </Button>
        <Button isMain onPress={() => onTake(comparison)}>
          Take what was typed now
        </Button>
      </div>
    </Notice>
  );
};
