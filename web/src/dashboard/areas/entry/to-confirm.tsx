/** The results of devices that a typist would have been asked about: a moderator compares each with its card and confirms it. */
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import { Attempts } from '../../../components/results.js';
import { Button } from '../../parts/button.js';
import { teamName } from './desk-round.js';
import { TeamNames } from './team-names.js';
import { makerText, type ToConfirm } from './typists.js';

/** Why a moderator is asked to confirm the result. */
export const ConfirmReasons = ({ of: { reasons, devices } }: { readonly of: ToConfirm }) => (
  <>
    {reasons.join(' ')} <span className="quiet">{devices.map(makerText).join(', ')}</span>
  </>
);

export const ToConfirmList = ({
  waiting,
  format,
  isPending,
  onPick,
  onConfirm,
}: {
  readonly waiting: readonly ToConfirm[];
  readonly format: Parameters<typeof Attempts>[0]['format'];
  readonly isPending: boolean;
  readonly onPick: (persons: readonly PersonView[]) => void;
  readonly onConfirm: (waiting: ToConfirm) => void;
}) =>
  waiting.length === 0 ? null : (
    <section className="to-confirm" aria-labelledby="to-confirm">
      <h3 id="to-confirm">To confirm: {waiting.length}</h3>
      <ul>
        {waiting.map((each) => {
          const { resultId, persons, attempts, average } = each.result;
          return (
            <li key={resultId}>
              <button type="button" className="link" onClick={() => onPick(persons)}>
                <TeamNames of={persons} />
              </button>
              <Attempts attempts={attempts} format={format} isAveraged={average !== 0} />
              <span>
                <ConfirmReasons of={each} />
              </span>
              <Button
                isDisabled={isPending}
                label={`Confirm ${teamName(persons)}`}
                onPress={() => onConfirm(each)}
              >
                Confirm
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
