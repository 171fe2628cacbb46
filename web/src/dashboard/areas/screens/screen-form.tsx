/** The choice of what one screen shows. */
import { useState } from 'react';
import type { ModeratedContestView } from '../../../../../src/competition/contests/moderation.queries.js';
import { MAX_SECONDS, MIN_SECONDS } from '../../../../../src/competition/hall/screens.decider.js';
import {
  SCREEN_CONTENTS,
  SCREEN_THEMES,
  type Screen,
  type ScreenContent,
} from '../../../../../src/competition/hall/screens.events.js';
import { roundCode } from '../../../../../src/domain/attempts.js';
import { Button, SubmitButton } from '../../parts/button.js';
import { Checkbox, Field, SelectField } from '../../parts/field.js';
import { Form, fieldText } from '../../parts/form.js';
import { eventName, useEvents } from '../contests/use-contest.js';
import { useScreenCommand } from './use-screens.js';

const CONTENT_NAMES: Readonly<Record<ScreenContent, string>> = {
  'open-rounds': 'All open rounds, in turn',
  rounds: 'Chosen rounds, in turn',
  schedule: 'Now and next',
};

const secondsProblem = (text: string): string | null => {
  const seconds = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return seconds >= MIN_SECONDS && seconds <= MAX_SECONDS
    ? null
    : `From ${MIN_SECONDS} to ${MAX_SECONDS} seconds`;
};

export const ScreenForm = ({
  contest,
  screen,
  canBeRemoved,
}: {
  readonly contest: ModeratedContestView;
  readonly screen: Screen;
  readonly canBeRemoved: boolean;
}) => {
  const command = useScreenCommand(contest.competitionId);
  const events = useEvents();
  const [shows, setShows] = useState(screen.shows);
  const rounds = contest.events.flatMap(({ eventId, rounds: ofEvent }) =>
    ofEvent.map(({ roundNumber, phase }) => ({
      code: roundCode({ eventId, roundNumber }),
      name: `${eventName(events, eventId)}, round ${roundNumber}`,
      isOpen: phase === 'open',
    })),
  );
  const submit = (fields: FormData): void =>
    command.mutate({
      name: screen.name,
      choice: {
        shows,
        rounds: shows === 'rounds' ? fields.getAll('rounds').map(String) : [],
        seconds: Number(fieldText(fields, 'seconds')),
        theme: SCREEN_THEMES.find((theme) => theme === fieldText(fields, 'theme')) ?? screen.theme,
      },
    });
  return (
    <Form problem={command.error} onSubmit={submit}>
      <SelectField
        name="shows"
        label="Shows"
        choices={SCREEN_CONTENTS.map((value) => ({ value, name: CONTENT_NAMES[value] }))}
        value={shows}
        onChange={(value) => setShows(SCREEN_CONTENTS.find((content) => content === value) ?? shows)}
      />
      {shows === 'rounds' && (
        <fieldset>
          <legend>Rounds</legend>
          {rounds.map(({ code, name, isOpen }) => (
            <Checkbox key={code} name="rounds" value={code} defaultSelected={screen.rounds.includes(code)}>
              {name}
              {isOpen && <span className="badge ongoing">Open</span>}
            </Checkbox>
          ))}
        </fieldset>
      )}
      <div className="side-by-side">
        <Field
          name="seconds"
          label="Seconds a page"
          inputMode="numeric"
          defaultValue={String(screen.seconds)}
          validate={secondsProblem}
          isRequired
        />
        <SelectField
          name="theme"
          label="Colours"
          choices={[
            { value: 'dark', name: 'Dark' },
            { value: 'light', name: 'Light' },
          ]}
          defaultValue={screen.theme}
        />
      </div>
      <div className="actions">
        {canBeRemoved && (
          <Button isQuiet onPress={() => command.mutate({ name: screen.name, choice: null })}>
            Remove
          </Button>
        )}
        <SubmitButton isPending={command.isPending}>Show it</SubmitButton>
      </div>
    </Form>
  );
};
