/** The competitors of a contest: who is registered for which events, who has come, and who has withdrawn. */

import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { Link, useParams } from 'wouter';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import { TableHead } from '../../../components/results.js';
import { countText } from '../../../format.js';
import { useApiPath } from '../../account.js';
import { Button } from '../../parts/button.js';
import { Field } from '../../parts/field.js';
import { useGrowingRows } from '../../parts/growing-rows.js';
import { Loaded } from '../../parts/loaded.js';
import { ProblemNotice } from '../../parts/notice.js';
import { SearchBox } from '../../parts/search-box.js';
import { matchingCompetitors } from '../entry/find-competitor.js';
import { useNewPerson } from '../persons/person-forms.js';
import { personLabel, usePersonCandidates } from '../persons/person-queries.js';
import { PERSON_SEARCH_LABEL } from '../persons/person-search-field.js';
import { type Competing, CompetitorForm } from './competitor-form.js';
import { CompetitorsImport } from './competitors-import.js';
import { type CompetitorList, useCompetitorCommand, useCompetitors } from './use-competitors.js';

const Competitors = () => {
  const { competitionId = '', view } = useParams<{ competitionId?: string; view?: string }>();
  return view === 'import' ? (
    <CompetitorsImport competitionId={competitionId} />
  ) : (
    <List competitionId={competitionId} />
  );
};

export default Competitors;

const List = ({ competitionId }: { readonly competitionId: string }) => {
  const path = useApiPath()(`moderation/contests/${competitionId}/competitors`);
  const read = useCompetitors(competitionId);
  const [edited, setEdited] = useState<Competing | null>(null);
  const { mutate, error } = useCompetitorCommand(competitionId);
  const checkIn = useCallback(
    (personId: number): void => mutate({ method: 'POST', path: `/${personId}/check-in` }),
    [mutate],
  );
  return (
    <Loaded read={read}>
      {(list) => (
        <>
          <AddCompetitor list={list} onChoose={setEdited} />
          <p className="about">
            <Link href={`/dashboard/contests/${competitionId}/competitors/import`}>Import a file</Link>
            {list.length > 0 && (
              <a href={`${path}/export`} download>
                Export as CSV
              </a>
            )}
          </p>
          {error && <ProblemNotice problem={error} />}
          <FoundCompetitors list={list} onEdit={setEdited} onCheckIn={checkIn} />
          {edited && (
            <CompetitorForm
              key={edited.person.id}
              competitionId={competitionId}
              competitor={edited}
              onClose={() => setEdited(null)}
            />
          )}
        </>
      )}
    </Loaded>
  );
};

const AddCompetitor = ({
  list,
  onChoose,
}: {
  readonly list: CompetitorList;
  readonly onChoose: (competitor: Competing) => void;
}) => {
  const [text, setText] = useState('');
  const found = usePersonCandidates(text);
  const choose = (person: PersonView): void =>
    onChoose(list.find((known) => known.person.id === person.id) ?? { person, eventIds: [], state: null });
  const { ask, form } = useNewPerson(text, (person) => {
    setText('');
    choose(person);
  });
  return (
    <div className="filter-row add-competitor">
      <div className="field picker">
        <SearchBox
          label="Add a person"
          placeholder={PERSON_SEARCH_LABEL}
          text={text}
          onText={setText}
          options={found ?? []}
          optionsLabel="Matching persons"
          idOf={({ id }) => id}
          show={personLabel}
          onChoose={choose}
          empty={found && 'No person of this space matches.'}
        />
      </div>
      <Button onPress={ask}>New person</Button>
      {form}
    </div>
  );
};

interface RowActions {
  readonly onEdit: (competitor: Competing) => void;
  readonly onCheckIn: (personId: number) => void;
}

const FoundCompetitors = ({ list, ...actions }: RowActions & { readonly list: CompetitorList }) => {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text);
  const found = useMemo(() => matchingCompetitors(list, wanted), [list, wanted]);
  if (list.length === 0)
    return (
      <p className="empty">
        No competitor is registered. Without a list, rounds take every known person. Add persons here, or
        import a CSV or WCIF file.
      </p>
    );
  const checkedIn = list.filter(({ state }) => state === 'checked-in').length;
  const withdrawn = list.filter(({ state }) => state === 'withdrawn').length;
  return (
    <>
      <div className="file">
        <Field
          type="search"
          name="find"
          label="Find"
          placeholder="Name, number or association id"
          value={text}
          onChange={setText}
        />
      </div>
      <p className="about" role="status">
        <span>{countText(found.length, 'competitor')}</span>
        <span>{checkedIn} checked in</span>
        <span>{withdrawn} withdrawn</span>
      </p>
      <CompetitorTable competitors={found} wanted={wanted} {...actions} />
    </>
  );
};

const STATES = { registered: 'Registered', 'checked-in': 'Checked in', withdrawn: 'Withdrawn' } as const;

const CompetitorTable = ({
  competitors,
  wanted,
  ...actions
}: RowActions & {
  readonly competitors: CompetitorList;
  /** What they were found by. */
  readonly wanted: string;
}) => {
  const { shown, endRef } = useGrowingRows(competitors, wanted);
  return (
    <>
      <table className="results data competitors" aria-rowcount={competitors.length + 1}>
        <caption className="hidden">Competitors</caption>
        <TableHead
          columns={[
            ['No.', 'value secondary'],
            ['Name'],
            ['Events', 'wide'],
            ['State'],
            ['Actions', 'row-actions'],
          ]}
        />
        <tbody>
          {shown.map((competitor) => (
            <CompetitorRow key={competitor.person.id} competitor={competitor} {...actions} />
          ))}
        </tbody>
      </table>
      {endRef && <div ref={endRef} />}
    </>
  );
};

/** Plain buttons: rows of the dashboard's own would take three times as long to show. */
const CompetitorRow = memo(
  ({ competitor, onEdit, onCheckIn }: RowActions & { readonly competitor: CompetitorList[number] }) => {
    const { number, person, eventIds, state, dropped } = competitor;
    return (
      <tr className={state === 'withdrawn' ? 'over' : undefined}>
        <td className="value secondary">{number}</td>
        <th scope="row">
          <bdi>{person.name}</bdi> <span className="quiet">{person.assocId}</span>
        </th>
        <td className="wide">{eventIds.join(' ')}</td>
        <td className="state">{dropped ? 'Dropped, has results' : STATES[state]}</td>
        <td className="row-actions">
          {state === 'registered' && (
            <button
              type="button"
              className="button quiet"
              aria-label={`Check in ${person.name}`}
              onClick={() => onCheckIn(person.id)}
            >
              Check in
            </button>
          )}
          <button
            type="button"
            className="button quiet"
            aria-label={`Edit ${person.name}`}
            onClick={() => onEdit(competitor)}
          >
            Edit
          </button>
        </td>
      </tr>
    );
  },
);
