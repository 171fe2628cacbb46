/** One person: their names and ids, their countries over time, and the changes that an admin can make. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { PersonDetailView } from '../../../../../src/competition/persons/person.queries.js';
import { Region } from '../../../components/region.js';
import { dateText } from '../../../format.js';
import { useAccount } from '../../account.js';
import { Button } from '../../parts/button.js';
import { Loading } from '../../parts/loading.js';
import { NotFound } from '../../parts/not-found.js';
import { ProblemNotice } from '../../parts/notice.js';
import { usePageTitle } from '../../parts/page-title.js';
import { MergePerson } from './merge-person.js';
import type { PersonDialogProps } from './person-dialog.js';
import { EditPerson, ErasePerson } from './person-forms.js';
import { PERSONS_KEY, usePerson } from './person-queries.js';
import { CorrectRegions, MovePerson } from './region-forms.js';

type Change = 'edit' | 'move' | 'correct' | 'merge' | 'erase';

const CHANGES: readonly { readonly change: Change; readonly name: string }[] = [
  { change: 'edit', name: 'Edit' },
  { change: 'move', name: 'Moved to another country' },
  { change: 'correct', name: 'Correct the countries' },
  { change: 'merge', name: 'Merge into another' },
  { change: 'erase', name: 'Erase' },
];

export const PersonPage = ({ id }: { readonly id: string }) => {
  const { role } = useAccount();
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const [open, setOpen] = useState<Change | null>(null);
  const { data: person, error } = usePerson(id);
  usePageTitle(person?.name ?? 'Person');
  if (!person && error)
    return <NotFound title="Person" problem={error} listHref="/dashboard/persons" listName="Persons" />;
  if (!person) return <Loading />;
  const onDone = (into?: number): void => {
    setOpen(null);
    void queries.invalidateQueries({ queryKey: PERSONS_KEY });
    if (into !== undefined) goTo(`/dashboard/persons/${into}`);
  };
  return (
    <>
      <p className="way-back">
        <Link href="/dashboard/persons">Persons</Link>
      </p>
      <h1>{person.name}</h1>
      {error && <ProblemNotice problem={error} />}
      <Facts person={person} />
      {role === 'admin' && (
        <div className="changes">
          {CHANGES.map(({ change, name }) => (
            <Button key={change} isDanger={change === 'erase'} onPress={() => setOpen(change)}>
              {name}
            </Button>
          ))}
        </div>
      )}
      {open && <Opened change={open} person={person} onClose={() => setOpen(null)} onDone={onDone} />}
    </>
  );
};

const Opened = ({ change, ...rest }: PersonDialogProps & { readonly change: Change }) => {
  switch (change) {
    case 'edit':
      return <EditPerson {...rest} />;
    case 'move':
      return <MovePerson {...rest} />;
    case 'correct':
      return <CorrectRegions {...rest} />;
    case 'merge':
      return <MergePerson {...rest} />;
    case 'erase':
      return <ErasePerson {...rest} />;
    default:
      return change satisfies never;
  }
};

const Facts = ({ person }: { readonly person: PersonDetailView }) => (
  <dl className="facts">
    <dt>Number</dt>
    <dd>
      {person.id}, <a href={`/persons/${person.id}`}>results</a>
    </dd>
    <dt>Name in own script</dt>
    <dd>{person.localizedName ?? 'None'}</dd>
    <dt>Association id</dt>
    <dd>{person.assocId ?? 'None'}</dd>
    <dt>Country</dt>
    <dd>
      {person.timeline.length === 0 && 'Not known'}
      {person.timeline.map(({ from, regionCode }) => (
        <div key={from ?? ''}>
          {regionCode === null ? 'Not known' : <Region code={regionCode} />}
          {from !== null && ` from ${dateText(from)}`}
        </div>
      ))}
    </dd>
    {person.aliases.length > 0 && (
      <>
        <dt>Merged into this</dt>
        <dd>{person.aliases.join(', ')}</dd>
      </>
    )}
  </dl>
);
