/**
 * The editor of all rounds of one event. It sends all rounds together: when one has a fault, the server changes none, and each
 * fault is shown at its field.
 */
import { useRef, useState } from 'react';
import type { EventDefinition } from '../../../../../src/competition/aggregates/space/space.events.js';
import type { ModeratedContestView } from '../../../../../src/competition/contests/moderation.queries.js';
import { ROUND_FORMATS, type RoundFormat, type RoundRules } from '../../../../../src/domain/attempts.js';
import { attemptsOf } from '../../../../../src/domain/scoring.js';
import { FORMAT_NAMES } from '../../../round-text.js';
import { Button, SubmitButton } from '../../parts/button.js';
import { Field, SelectField } from '../../parts/field.js';
import { Form } from '../../parts/form.js';
import {
  advancementProblem,
  defaultCutoffAttempts,
  defaultRules,
  draftFrom,
  parseRules,
  plannedRoundName,
  type RulesDraft,
  valueProblem,
} from './rules-text.js';
import { useContestCommand } from './use-contest.js';

interface RoundsEditorProps {
  readonly contest: ModeratedContestView;
  readonly event: EventDefinition;
  readonly rounds: readonly RoundRules[];
  readonly onDone: () => void;
}

export const RoundsEditor = ({ contest, event, rounds, onDone }: RoundsEditorProps) => {
  const { competitionId, events } = contest;
  const [drafts, setDrafts] = useState(() =>
    rounds.map((rules, index) => draftFrom(rules, index, event.format)),
  );
  const actions = useRef<HTMLDivElement>(null);
  const command = useContestCommand(competitionId);
  const opened =
    events
      .find(({ eventId }) => eventId === event.eventId)
      ?.rounds.filter(({ phase }) => phase !== 'unopened').length ?? 0;
  const change = (key: number, changed: Partial<RulesDraft>): void =>
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...changed } : draft)));
  const add = (): void => {
    const key = Math.max(-1, ...drafts.map((draft) => draft.key)) + 1;
    // The last round was the final until now, so it needs an advancement.
    const before = drafts.map((draft, index) =>
      index === drafts.length - 1 && draft.advancement === '' ? { ...draft, advancement: '75%' } : draft,
    );
    setDrafts([...before, draftFrom(defaultRules(event, true), key, event.format)]);
  };
  const removeLast = (): void => {
    setDrafts(drafts.slice(0, -1));
    // A button that is disabled loses the focus: the one beside it gets it.
    if (drafts.length - 1 <= opened) actions.current?.querySelector('button')?.focus();
  };
  const save = (): void =>
    command.mutate(
      {
        method: 'PUT',
        path: `/events/${event.eventId}`,
        body: { rounds: drafts.map((draft) => parseRules(draft, event.format)) },
      },
      { onSuccess: onDone },
    );
  return (
    <Form className="rounds-editor" problem={command.error} onSubmit={save}>
      {drafts.map((draft, index) => (
        <RoundFields
          key={draft.key}
          draft={draft}
          at={index}
          title={plannedRoundName(index + 1, drafts.length)}
          event={event}
          onChange={(changed) => change(draft.key, changed)}
        />
      ))}
      {drafts.length === 0 && (
        <p className="quiet">Saving without rounds removes the event from the contest.</p>
      )}
      <div ref={actions} className="editor-actions">
        <Button onPress={add}>Add round</Button>
        <Button isDisabled={drafts.length <= opened} onPress={removeLast}>
          Remove last round
        </Button>
        <span className="spring" />
        <Button isQuiet onPress={onDone}>
          Cancel
        </Button>
        <SubmitButton isPending={command.isPending}>Save rounds</SubmitButton>
      </div>
    </Form>
  );
};

const FORMATS = ROUND_FORMATS.map((value) => ({ value, name: FORMAT_NAMES[value] }));

const formatIn = (text: string): RoundFormat => ROUND_FORMATS.find((format) => format === text) ?? 'a';

interface RoundFieldsProps {
  readonly draft: RulesDraft;
  /** Index of the round: the server uses it in the names of fields. */
  readonly at: number;
  readonly title: string;
  readonly event: EventDefinition;
  readonly onChange: (changed: Partial<RulesDraft>) => void;
}

const RoundFields = ({ draft, at, title, event, onChange }: RoundFieldsProps) => {
  const name = (field: string): string => `rounds[${at}].${field}`;
  const cutoffs = Array.from({ length: attemptsOf(draft.format) - 1 }, (_, index) => String(index + 1));
  return (
    <fieldset className="round-fields">
      <legend>{title}</legend>
      <SelectField
        name={name('format')}
        label="Format"
        autoFocus={at === 0}
        choices={FORMATS}
        value={draft.format}
        onChange={(text) => {
          const format = formatIn(text);
          onChange({ format, cutoffAttempts: String(defaultCutoffAttempts(format)) });
        }}
      />
      {event.format === 'time' && (
        <Field
          name={name('timeLimit.centiseconds')}
          label="Time limit"
          value={draft.timeLimit}
          onChange={(timeLimit) => onChange({ timeLimit })}
          placeholder="none"
          validate={(text) => valueProblem(text, 'time')}
        />
      )}
      {event.format === 'time' && (
        <Field
          name={name('timeLimit.cumulativeRounds')}
          label="Cumulative for"
          value={draft.cumulativeRounds}
          onChange={(cumulativeRounds) => onChange({ cumulativeRounds })}
          placeholder={`as in ${event.eventId}-r1`}
        />
      )}
      {cutoffs.length > 0 && (
        <Field
          name={name('cutoff.attemptResult')}
          label="Cutoff"
          value={draft.cutoff}
          onChange={(cutoff) => onChange({ cutoff })}
          placeholder="none"
          validate={(text) => valueProblem(text, event.format)}
        />
      )}
      {cutoffs.length > 0 && (
        <SelectField
          name={name('cutoff.numberOfAttempts')}
          label="in attempts"
          choices={cutoffs.map((value) => ({ value, name: value }))}
          value={draft.cutoffAttempts}
          onChange={(cutoffAttempts) => onChange({ cutoffAttempts })}
        />
      )}
      <Field
        name={name('advancement.value')}
        label="Advancement"
        value={draft.advancement}
        onChange={(advancement) => onChange({ advancement })}
        placeholder="none"
        validate={(text) => advancementProblem(text, draft.format, event.format)}
      />
      <Field
        name={name('date')}
        label="Day"
        type="date"
        value={draft.date}
        onChange={(date) => onChange({ date })}
      />
    </fieldset>
  );
};
