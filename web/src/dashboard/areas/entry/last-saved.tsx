/** The last change of this desk, with a button that undoes it. */

import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type { EntrySheetView } from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import type { EnteredResult } from '../../../../../src/competition/rounds/round.commands.js';
import { Attempts } from '../../../components/results.js';
import { Button } from '../../parts/button.js';
import { scoreText } from './desk-round.js';
import { TeamNames } from './team-names.js';

export interface SavedChange {
  readonly persons: readonly PersonView[];
  readonly what: 'Saved' | 'Removed' | 'Undone';
  readonly entered: EnteredResult;
}

export const LastSaved = ({
  saved,
  sheet,
  isPending,
  onUndo,
}: {
  readonly saved: SavedChange;
  readonly sheet: EntrySheetView;
  readonly isPending: boolean;
  readonly onUndo: () => void;
}) => {
  const { persons, what, entered } = saved;
  return (
    <section className="last-saved" aria-label="Last change">
      <h3>
        {what}: <TeamNames of={persons} />
      </h3>
      <Attempts
        attempts={entered.attempts.map((result) => ({ result }))}
        format={sheet.event.format}
        isAveraged={entered.average !== 0}
      />
      <p>
        <strong>{scoreText(entered, sheet) || 'No attempts'}</strong>
        <Button isDisabled={isPending} onPress={onUndo}>
          {what === 'Undone' ? 'Redo' : 'Undo'}
        </Button>
      </p>
    </section>
  );
};
