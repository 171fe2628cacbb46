/**
 * Merging two records of one person: who it is, then what would move and what would collide, and only then the button that
 * does it, since there is no unmerge.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MergePreviewView } from '../../../../../src/persons/merge-preview.js';
import type { PersonDetailView, PersonView } from '../../../../../src/persons/person.queries.js';
import { useApiPath } from '../../account.js';
import { getJson, send } from '../../api.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { Loading } from '../../parts/loading.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import type { AfterChange } from './person-page.js';
import { labelOf, PERSONS, useFound } from './person-queries.js';

interface MergeProps extends AfterChange {
  readonly person: PersonDetailView;
}

export const MergePerson = ({ person, onClose, onDone }: MergeProps) => {
  const [into, setInto] = useState<PersonView | null>(null);
  return (
    <Dialog title={`Merge ${labelOf(person)}`} onClose={onClose} keepsOpen>
      {into ? (
        <Preview {...{ person, into, onDone }} onBack={() => setInto(null)} />
      ) : (
        <Choose person={person} onChoose={setInto} onClose={onClose} />
      )}
    </Dialog>
  );
};

interface ChooseProps {
  readonly person: PersonDetailView;
  readonly onChoose: (into: PersonView) => void;
  readonly onClose: () => void;
}

/** Whoever is called the same comes first: that is how two records come about. */
const Choose = ({ person, onChoose, onClose }: ChooseProps) => {
  const [text, setText] = useState(person.name);
  const { data = [], error } = useFound(text);
  const others = data.filter(({ id }) => id !== person.id).slice(0, 8);
  return (
    <>
      <p>Into which person? That one stays, and everything of this one goes there.</p>
      <Field
        name="into"
        type="search"
        label="Name, association id or number"
        value={text}
        onChange={setText}
        autoComplete="off"
        autoFocus
      />
      {error && <ProblemNotice problem={error} />}
      <ul className="choices" aria-label="Persons found">
        {others.map((other) => (
          <li key={other.id}>
            <Button onPress={() => onChoose(other)}>
              {labelOf(other)} {other.regionCode}
            </Button>
          </li>
        ))}
      </ul>
      {others.length === 0 && <p className="empty">Nobody else is called so.</p>}
      <div className="actions">
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </>
  );
};

interface PreviewProps {
  readonly person: PersonDetailView;
  readonly into: PersonView;
  readonly onBack: () => void;
  readonly onDone: (into: number) => void;
}

const Preview = ({ person, into, onBack, onDone }: PreviewProps) => {
  const api = useApiPath();
  const path = api(`moderation/persons/${person.id}/merge`);
  const { data: preview, error } = useQuery({
    queryKey: [...PERSONS, 'merge', person.id, into.id],
    queryFn: ({ signal }) => getJson<MergePreviewView>(`${path}?into=${into.id}`, signal),
    // Results come in meanwhile: what was true a moment ago may be no more.
    gcTime: 0,
  });
  const merge = useMutation({
    mutationFn: () => send('POST', path, { into: into.id }),
    onSuccess: () => onDone(into.id),
  });
  if (!preview) return error ? <ProblemNotice problem={error} /> : <Loading />;
  return (
    <>
      {error && <ProblemNotice problem={error} />}
      {merge.error && <ProblemNotice problem={merge.error} />}
      {preview.refusal ? (
        <Notice kind="problem">
          <p>These two cannot be merged: {preview.refusal.detail}.</p>
        </Notice>
      ) : (
        <What preview={preview} />
      )}
      <Rounds preview={preview} />
      <div className="actions">
        <Button onPress={onBack} autoFocus>
          Back
        </Button>
        {!preview.refusal && (
          <Button isMain isDanger isPending={merge.isPending} onPress={() => merge.mutate()}>
            Merge for good
          </Button>
        )}
      </div>
    </>
  );
};

const What = ({ preview: { from, into, rounds, contests, takesAssocId } }: PreviewOfProps) => (
  <>
    <p>
      <b>{labelOf(from)}</b> becomes a second number of <b>{labelOf(into)}</b>. There is no unmerge.
    </p>
    <ul>
      <li>
        {rounds.length === 0
          ? 'There are no results to move.'
          : `${counted(rounds.length, 'result')} of ${counted(contests, 'contest')} will move.`}
      </li>
      <li>{assocIdText({ from: from.assocId, into: into.assocId, takes: takesAssocId })}</li>
      <li>
        Entries for number {from.id} go to number {into.id} from then on.
      </li>
    </ul>
  </>
);

interface PreviewOfProps {
  readonly preview: MergePreviewView;
}

const Rounds = ({ preview: { rounds } }: PreviewOfProps) =>
  rounds.length === 0 ? null : (
    <details open={rounds.some(({ collides }) => collides)}>
      <summary>The rounds</summary>
      <ul>
        {rounds.map(({ competitionId, contestName, eventId, roundNumber, collides }) => (
          <li key={`${competitionId} ${eventId} ${roundNumber}`}>
            {contestName}, {eventId}, round {roundNumber}
            {collides && <b>: both have a result</b>}
          </li>
        ))}
      </ul>
    </details>
  );

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const assocIdText = ({
  from,
  into,
  takes,
}: {
  readonly from: string | null;
  readonly into: string | null;
  readonly takes: string | null;
}): string => {
  if (takes !== null) return `The association id ${takes} moves along.`;
  if (from === null) return 'There is no association id to move.';
  return `The association id stays ${into}; ${from} leads there too.`;
};
