/** The preview of an import into one contest: rounds, results, persons, and all faults with their place in the file. */
import type { ReactNode } from 'react';
import type {
  ContestPreview,
  FaultInFile,
  RoundPreview,
} from '../../../../../src/competition/exchange/importing/import-preview.js';
import { countText } from '../../../format.js';
import { Button } from '../../parts/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { ChangedResults } from './changed-results.js';
import { ListChanges } from './list-changes.js';
import { eventName, useEvents } from './use-contest.js';

const OUTCOMES: Readonly<Record<ContestPreview['outcome'], string>> = {
  imported: 'New contest',
  completed: 'Will be completed',
  unchanged: 'Already complete: nothing to do',
  'left-out': 'Will be left out',
};

const PHASES: Readonly<Record<ContestPreview['phaseAfter'], string>> = {
  none: 'not there',
  draft: 'a draft',
  announced: 'announced',
  ongoing: 'ongoing',
  ending: 'about to end',
  finished: 'finished',
  deleted: 'deleted',
};

export const ContestPreviewSection = ({ contest }: { readonly contest: ContestPreview }) => {
  const { name, competitionId, outcome, phaseBefore, phaseAfter, replaced, changedDetails, newEvents } =
    contest;
  return (
    <section className="preview" aria-label={name ?? 'The file'}>
      <h2>
        {name ?? 'The file cannot be read'}{' '}
        <span className={`badge ${outcome === 'left-out' ? 'bad' : 'ongoing'}`}>
          {replaced > 0 ? `${countText(replaced, 'result')} will be replaced or added` : OUTCOMES[outcome]}
        </span>
      </h2>
      {competitionId !== null && (
        <p className="about">
          <span>{competitionId}</span>
          <span>
            {phaseBefore === phaseAfter
              ? `is ${PHASES[phaseBefore]}`
              : `${PHASES[phaseBefore]} now, then ${PHASES[phaseAfter]}`}
          </span>
          <span>{contest.results} results in the file</span>
          {contest.activities > 0 && <span>{contest.activities} activities of its schedule</span>}
          {contest.personalBests > 0 && (
            <span>personal bests of {countText(contest.personalBests, 'competitor')}</span>
          )}
        </p>
      )}
      <Faults title="Why it is left out" faults={contest.faults} isBad />
      {contest.endingKeys.length > 0 && <EndingKeys keys={contest.endingKeys} />}
      {changedDetails.length > 0 && <p>Details that differ from the file: {changedDetails.join(', ')}.</p>}
      {newEvents.length > 0 && (
        <p>Events that are new in this space: {newEvents.map((event) => event.name).join(', ')}.</p>
      )}
      {contest.rounds.length > 0 && <RoundTable contest={contest} />}
      <ListChanges {...contest} />
      {contest.persons.length > 0 && <Persons persons={contest.persons} />}
      <Faults title="Notes on the file" faults={contest.notes} />
      <Faults
        title="Published values that differ from those that Podium computes"
        faults={contest.differences.map(({ line, column, competitor, what, published, computed, cause }) => ({
          line,
          column,
          reason: `${competitor}: ${what} ${published}, computed ${computed}: ${cause}`,
        }))}
      />
    </section>
  );
};

const EndingKeys = ({ keys }: { readonly keys: ContestPreview['endingKeys'] }) => (
  <div className="notice problem">
    <h3>API keys that end for good</h3>
    <ul>
      {keys.map(({ keyId, device }) => (
        <li key={keyId}>
          {device} <span className="quiet">· {keyId}</span>
        </li>
      ))}
    </ul>
  </div>
);

const PLANS: Readonly<Record<RoundPreview['plan'], string>> = {
  new: 'new',
  same: 'as planned',
  changed: 'rules differ',
  missing: 'not in the file',
};

const RoundTable = ({ contest }: { readonly contest: ContestPreview }) => {
  const { rounds } = contest;
  const events = useEvents();
  const columns: readonly Column<RoundPreview>[] = [
    {
      title: 'Round',
      cell: ({ eventId, roundNumber }) => `${eventName(events, eventId)}, round ${roundNumber}`,
    },
    { title: 'Plan', cell: ({ plan }) => PLANS[plan] },
    { title: 'New', cell: ({ added }) => added || '', isNumber: true },
    { title: 'Changed', cell: ({ changed }) => changed || '', isNumber: true },
    { title: 'Not in the file', cell: ({ removed }) => removed || '', isNumber: true, isWide: true },
    { title: 'The same', cell: ({ same }) => same || '', isNumber: true, isWide: true },
  ];
  return (
    <>
      <h3>Rounds and results</h3>
      <DataTable
        label="Rounds and results"
        columns={columns}
        rows={rounds}
        keyOf={({ eventId, roundNumber }) => `${eventId} ${roundNumber}`}
        empty=""
      />
      <ChangedResults contest={contest} events={events} />
    </>
  );
};

export const Persons = ({ persons }: Pick<ContestPreview, 'persons'>) => {
  const by = (kind: ContestPreview['persons'][number]['by']) => persons.filter((each) => each.by === kind);
  const groups = [
    { title: 'would be registered', of: by('new') },
    { title: 'matched by name only: check that they are the same persons', of: by('name') },
    { title: 'matched by association id', of: by('assocId') },
    { title: 'named by their id in Podium', of: by('personId') },
  ].filter(({ of }) => of.length > 0);
  return (
    <>
      <h3>Persons</h3>
      {groups.map(({ title, of }) => (
        <details key={title}>
          <summary>
            {of.length} {title}
          </summary>
          <ul className="persons-found">
            {of.map(({ person, personId, number, learned }) => (
              <li key={`${person.name} ${person.assocId} ${person.ref}`}>
                <bdi>{person.name}</bdi>
                <span className="quiet">
                  {[
                    person.assocId,
                    person.regionCode,
                    personId === null ? null : `person ${personId}`,
                    number === null ? null : `gets number ${number}`,
                  ]
                    .filter((part) => part !== null)
                    .map((part) => ` · ${part}`)
                    .join('')}
                  {learned.length > 0 && ` · adds ${learned.join(', ')}`}
                </span>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  );
};

export const Faults = ({
  title,
  faults,
  isBad = false,
}: {
  readonly title: string;
  readonly faults: readonly FaultInFile[];
  readonly isBad?: boolean;
}) =>
  faults.length === 0 ? null : (
    <div className={isBad ? 'notice problem' : 'notice'} {...(isBad && { role: 'alert' })}>
      <h3>{title}</h3>
      <ul>
        {faults.map(({ line, column, reason }) => (
          <li key={`${line} ${column} ${reason}`}>
            {line !== null && (
              <b>{column === null ? `Line ${line}: ` : `Line ${line}, column ${column}: `}</b>
            )}
            {reason}
          </li>
        ))}
      </ul>
    </div>
  );

/** The button that imports what the preview shows. */
export const ImportAction = ({
  steps: { preview, importing, confirm },
  isReady,
  children,
}: {
  readonly steps: {
    readonly preview: { readonly isPending: boolean };
    readonly importing: { readonly isPending: boolean };
    readonly confirm: () => void;
  };
  readonly isReady: boolean;
  readonly children: string;
}) => (
  <div className="actions">
    <Button
      isMain
      isDisabled={!isReady || preview.isPending}
      isPending={importing.isPending}
      onPress={confirm}
    >
      {children}
    </Button>
    <span className="quiet" role="status">
      {!preview.isPending && 'This is a preview: nothing is changed yet.'}
    </span>
  </div>
);

const focusOn = (element: HTMLElement | null): void => element?.focus();

/** What an import has done, instead of its preview. Takes the focus of the button that is gone. */
export const ImportDone = ({ children }: { readonly children: ReactNode }) => (
  <div className="import-done" tabIndex={-1} ref={focusOn}>
    {children}
  </div>
);
