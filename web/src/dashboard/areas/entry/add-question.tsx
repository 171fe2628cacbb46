/** Asks before a competitor is entered whom the round does not expect. */
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import { Button } from '../../parts/button.js';
import type { Unexpected } from './desk-round.js';
import { TeamNames } from './team-names.js';

const REASONS: Readonly<Record<Unexpected, string>> = {
  'not-expected': 'This competitor is not expected in the round.',
  quit: 'This competitor has quit the round.',
  withdrawn:
    'This competitor has withdrawn from the contest, or from this event. Register them on the competitor list first.',
};

interface AddQuestionProps {
  readonly team: readonly PersonView[];
  readonly reason: Unexpected;
  readonly isPending: boolean;
  readonly problem: string | null;
  readonly onAdd: () => void;
  readonly onLeave: () => void;
}

/** The button that adds takes the focus, so that Enter is the answer; Escape leaves. */
export const AddQuestion = ({ team, reason, isPending, problem, onAdd, onLeave }: AddQuestionProps) => {
  const isAllowed = reason !== 'withdrawn';
  return (
    <section
      className="score-card"
      aria-label="Not expected"
      onKeyDown={({ key }) => {
        if (key === 'Escape') onLeave();
      }}
    >
      <h3>
        <TeamNames of={team} />
      </h3>
      <p role="status">{REASONS[reason]}</p>
      {problem !== null && (
        <p className="notice problem" role="alert">
          {problem}
        </p>
      )}
      <p className="card-end">
        {isAllowed && (
          <Button isMain autoFocus isPending={isPending} onPress={onAdd}>
            Add to this round
          </Button>
        )}
        <Button isQuiet autoFocus={!isAllowed} onPress={onLeave}>
          Leave
        </Button>
        <span className="quiet">{isAllowed ? 'Enter adds, Escape leaves.' : 'Escape leaves.'}</span>
      </p>
    </section>
  );
};
