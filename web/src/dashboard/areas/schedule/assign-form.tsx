/** Puts one person of the competitor list into a group, or gives a duty there. A competitor leaves the other groups. */
import { useState } from 'react';
import type { GroupView } from '../../../../../src/competition/schedule/schedule.queries.js';
import { ROLES, roleText } from '../../../schedule-text.js';
import { SubmitButton } from '../../parts/button.js';
import { Field, SelectField } from '../../parts/field.js';
import { Form, fieldText } from '../../parts/form.js';
import { SearchBox } from '../../parts/search-box.js';
import type { CompetitorList } from '../contests/use-competitors.js';
import { findCompetitors } from '../entry/find-competitor.js';
import { useScheduleCommand } from './use-schedule.js';

const ROLE_CHOICES = ROLES.map((value) => ({
  value,
  name: value === 'competitor' ? 'Competes' : roleText(value),
}));

const stationProblem = (text: string): string | null =>
  /^\d{0,3}$/.test(text.trim()) ? null : 'A number, or nothing';

export const AssignForm = ({
  competitionId,
  groups,
  list,
}: {
  readonly competitionId: string;
  readonly groups: readonly GroupView[];
  readonly list: CompetitorList;
}) => {
  const { mutate, error, isPending } = useScheduleCommand(competitionId);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<CompetitorList[number] | null>(null);
  const [assigned, setAssigned] = useState(0);
  /** Whether the form was sent without a competitor. */
  const [isMissed, setIsMissed] = useState(false);
  const submit = (fields: FormData): void => {
    setIsMissed(chosen === null);
    if (chosen === null) return;
    const station = fieldText(fields, 'station');
    const body = {
      personIds: [chosen.person.id],
      role: fieldText(fields, 'role'),
      station: station === '' ? null : Number(station),
    };
    mutate(
      { method: 'POST', path: `/activities/${fieldText(fields, 'activityId')}/assignments`, body },
      {
        onSuccess: () => {
          setChosen(null);
          setAssigned(assigned + 1);
        },
      },
    );
  };
  return (
    <Form className="filter-row assign" problem={error} onSubmit={submit}>
      <div className="field picker">
        <SearchBox
          label="Assign"
          help={
            isMissed && chosen === null ? <span className="wrong">Choose a competitor first</span> : undefined
          }
          placeholder={chosen?.person.name ?? 'Name or number'}
          text={text}
          onText={setText}
          options={findCompetitors(list, text)}
          optionsLabel="Matching competitors"
          idOf={({ person }) => person.id}
          show={({ number, person }) => (
            <>
              <span>{person.name}</span>
              <span className="quiet">{number}</span>
            </>
          )}
          onChoose={(competitor) =>
            setChosen(list.find(({ person }) => person.id === competitor.person.id) ?? null)
          }
          empty="No competitor matches."
        />
      </div>
      <SelectField
        name="activityId"
        label="To"
        choices={groups.map(({ activityId, name }) => ({ value: String(activityId), name }))}
      />
      <SelectField name="role" label="As" choices={ROLE_CHOICES} />
      <Field
        key={assigned}
        name="station"
        label="Station"
        inputMode="numeric"
        placeholder="none"
        validate={stationProblem}
      />
      <SubmitButton isPending={isPending}>Assign</SubmitButton>
    </Form>
  );
};
