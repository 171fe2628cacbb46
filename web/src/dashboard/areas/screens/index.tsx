/** The screens in the venue of a contest: what each shows now, and the choice of what it is to show. */
import { useState } from 'react';
import { useParams } from 'wouter';
import type { ModeratedContestView } from '../../../../../src/competition/contests/moderation.queries.js';
import {
  DEFAULT_SCREEN,
  isScreenName,
  MAX_SCREENS,
} from '../../../../../src/competition/hall/screens.decider.js';
import type { Screen } from '../../../../../src/competition/hall/screens.events.js';
import { usePublicBase } from '../../account.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { useContest } from '../contests/use-contest.js';
import { ScreenForm } from './screen-form.js';
import { useScreenCommand, useScreens } from './use-screens.js';
import './screens.css';

const ScreensTab = () => {
  const { competitionId = '' } = useParams<{ competitionId?: string }>();
  const { data: contest } = useContest(competitionId);
  const read = useScreens(competitionId);
  if (!contest) return null;
  return <Loaded read={read}>{(screens) => <Screens contest={contest} screens={screens} />}</Loaded>;
};

export default ScreensTab;

const Screens = ({
  contest,
  screens,
}: {
  readonly contest: ModeratedContestView;
  readonly screens: readonly Screen[];
}) => {
  const base = usePublicBase();
  const [isAdding, setAdding] = useState(false);
  const isPublic = contest.state !== 'draft' && contest.state !== 'deleted';
  return (
    <>
      <div className="toolbar">
        <h2>Screens</h2>
        {screens.length < MAX_SCREENS && <Button onPress={() => setAdding(true)}>Add screen</Button>}
      </div>
      <p className="quiet">
        Open the address of a screen on the device beside the projector. It needs no account, and follows what
        is chosen here within seconds.
        {!isPublic && ' The screens work when the contest is announced.'}
      </p>
      <div className="screens">
        {screens.map((screen) => (
          <section key={screen.name} aria-labelledby={`screen-${screen.name}`}>
            <h3 id={`screen-${screen.name}`}>Screen {screen.name}</h3>
            <p className="about">
              <a
                href={`${base}/screen/${contest.competitionId}/${screen.name}`}
                target="_blank"
                rel="noreferrer"
              >
                {`${location.origin}${base}/screen/${contest.competitionId}/${screen.name}`}
              </a>
            </p>
            <ScreenForm
              key={JSON.stringify(screen)}
              {...{ contest, screen }}
              canBeRemoved={screens.length > 1}
            />
          </section>
        ))}
      </div>
      {isAdding && (
        <NewScreen
          competitionId={contest.competitionId}
          names={screens.map(({ name }) => name)}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
};

const NewScreen = ({
  competitionId,
  names,
  onClose,
}: {
  readonly competitionId: string;
  readonly names: readonly string[];
  readonly onClose: () => void;
}) => {
  const command = useScreenCommand(competitionId);
  const { name: _, ...choice } = DEFAULT_SCREEN;
  const nameProblem = (text: string): string | null => {
    if (names.includes(text.trim())) return 'There is a screen with this name';
    return isScreenName(text.trim()) ? null : 'Small letters, digits and -, such as 2 or main-stage';
  };
  // A contest has screen 1 without a choice; it stays when another is added.
  const submit = async (fields: FormData): Promise<void> => {
    if (names.length === 1 && names[0] === DEFAULT_SCREEN.name)
      await command.mutateAsync({ name: DEFAULT_SCREEN.name, choice });
    command.mutate({ name: fieldText(fields, 'name'), choice }, { onSuccess: onClose });
  };
  return (
    <Dialog title="New screen" onClose={onClose}>
      <Form problem={command.error} onSubmit={(fields) => void submit(fields)}>
        <Field
          name="name"
          label="Name"
          help="It is the end of the address: a number, or where the screen stands"
          placeholder="main-stage"
          validate={nameProblem}
          isRequired
          autoFocus
        />
        <FormActions action="Add screen" isPending={command.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};
