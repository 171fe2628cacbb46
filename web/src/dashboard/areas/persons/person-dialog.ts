/** The props of every dialog that changes a person. */
import type { PersonDetailView } from '../../../../../src/competition/persons/person.queries.js';

export interface PersonDialogProps {
  readonly person: PersonDetailView;
  readonly onClose: () => void;
  /** Called after the change. `into`: the person that remains after a merge. */
  readonly onDone: (into?: number) => void;
}
