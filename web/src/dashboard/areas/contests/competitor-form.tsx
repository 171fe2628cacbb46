/** The dialog that registers a person for events, or withdraws one. */
import type { ListedCompetitorView } from '../../../../../src/competition/contests/competitor-list.commands.js';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import { Button, SubmitButton } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Checkbox } from '../../parts/field.js';
import { Form } from '../../parts/form.js';
import { Loading } from '../../parts/loading.js';
import { useCompetitorCommand } from './use-competitors.js';
import { eventName, useContest, useEvents } from './use-contest.js';

/** A person with the registration; state null: not on the list yet. */
export interface Competing {
  readonly person: PersonView;
  readonly eventIds: readonly string[];
  readonly state: ListedCompetitorView['state'] | null;
}

export const CompetitorForm = ({
  competitionId,
  competitor: { person, eventIds, state },
  onClose,
}: {
  readonly competitionId: string;
  readonly competitor: Competing;
  readonly onClose: () => void;
}) => {
  const { data: contest } = useContest(competitionId);
  const events = useEvents();
  const { mutate, error, isPending } = useCompetitorCommand(competitionId);
  const done = { onSuccess: onClose };
  const isCompeting = state === 'registered' || state === 'checked-in';
  return (
    <Dialog title={person.name} onClose={onClose} ignoresClicksOutside>
      {contest ? (
        <Form
          problem={error}
          onSubmit={(fields) =>
            mutate(
              { method: 'PUT', path: `/${person.id}`, body: { eventIds: fields.getAll('eventIds') } },
              done,
            )
          }
        >
          <fieldset className="event-ticks">
            <legend>Events</legend>
            {contest.eventIds.map((eventId) => (
              <Checkbox
                key={eventId}
                name="eventIds"
                value={eventId}
                defaultSelected={eventIds.includes(eventId)}
              >
                {eventName(events, eventId)}
              </Checkbox>
            ))}
          </fieldset>
          <div className="actions">
            {isCompeting && (
              <Button
                isDisabled={isPending}
                onPress={() => mutate({ method: 'POST', path: `/${person.id}/withdraw` }, done)}
              >
                Withdraw
              </Button>
            )}
            <Button onPress={onClose}>Cancel</Button>
            <SubmitButton isPending={isPending}>{isCompeting ? 'Save' : 'Register'}</SubmitButton>
          </div>
        </Form>
      ) : (
        <Loading />
      )}
    </Dialog>
  );
};
