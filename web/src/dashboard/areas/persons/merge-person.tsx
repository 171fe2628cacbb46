/**
 * Merges two records of one person in steps: choose the other record, see which results would move or collide, then confirm.
 * A merge cannot be undone.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type {
  MergedRoundView,
  MergePreviewView,
} from '../../../../../src/competition/merges/merge-preview.js';
import type { PersonDetailView, PersonView } from '../../../../../src/competition/persons/person.queries.js';
import { regionText } from '../../../components/region.js';
import { countText } from '../../../format.js';
import { useApiPath } from '../../account.js';
import { getJson, send } from '../../api.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Loading } from '../../parts/loading.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import { eventName, useEvents } from '../contests/use-contest.js';
import type { PersonDialogProps } from './person-dialog.js';
import { PERSONS_KEY, personLabel, usePersonSearch } from './person-queries.js';
import { PersonSearchField } from './person-search-field.js';

export const MergePerson = ({ person, onClose, onDone }: PersonDialogProps) => {
  const [into, setInto] = useState<PersonView | null>(null);
  return (
    <Dialog
      title={`Merge ${personLabel(person)}${into ? ` into ${personLabel(into)}` : ''}`}
      onClose={onClose}
      ignoresClicksOutside
    >
      {into ? (
        <Preview {...{ person, into, onDone }} onBack={() => setInto(null)} />
      ) : (
        <ChoosePerson person={person} onChoose={setInto} onClose={onClose} />
      )}
    </Dialog>
  );
};

interface ChooseProps {
  readonly person: PersonDetailView;
  readonly onChoose: (into: PersonView) => void;
  readonly onClose: () => void;
}

/** Starts with a search for the same name, because most double records have one name. */
const ChoosePerson = ({ person, onChoose, onClose }: ChooseProps) => {
  const [text, setText] = useState(person.name);
  const { data = [], error } = usePersonSearch(text);
  const others = data.filter(({ id }) => id !== person.id).slice(0, 8);
  return (
    <>
      <p>
        Which person stays? All results of <bdi>{person.name}</bdi> move to that person.
      </p>
      <PersonSearchField name="into" value={text} onChange={setText} />
      {error && <ProblemNotice problem={error} />}
      <ul className="choices" aria-label="Persons found">
        {others.map((other) => (
          <li key={other.id}>
            <Button onPress={() => onChoose(other)}>
              <bdi>{personLabel(other)}</bdi> <span className="quiet">{regionText(other.regionCode)}</span>
            </Button>
          </li>
        ))}
      </ul>
      {others.length === 0 && <p className="empty">No other person matches.</p>}
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
    queryKey: [...PERSONS_KEY, 'merge', person.id, into.id],
    queryFn: ({ signal }) => getJson<MergePreviewView>(`${path}?into=${into.id}`, signal),
    // Results may be entered at any time, so the preview is never taken from the cache.
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
        <MergeRefusal {...preview} refusal={preview.refusal} />
      ) : (
        <MergeSummary preview={preview} />
      )}
      <MovingRounds {...preview} />
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

const MergeSummary = ({ preview: { from, into, rounds, contests, takesAssocId } }: PreviewOfProps) => (
  <>
    <p>
      <PersonLabel of={from} /> is merged into <PersonLabel of={into} />. This cannot be undone.
    </p>
    <ul>
      <li>
        {rounds.length === 0
          ? 'There are no results to move.'
          : `${countText(rounds.length, 'result')} of ${countText(contests, 'contest')} will move.`}
      </li>
      <li>{assocIdText({ from: from.assocId, into: into.assocId, takes: takesAssocId })}</li>
      <li>
        Later entries for number {from.id} count for number {into.id}.
      </li>
    </ul>
  </>
);

const PersonLabel = ({ of }: { readonly of: PersonView }) => (
  <b>
    <bdi>{personLabel(of)}</bdi>
  </b>
);

interface PreviewOfProps {
  readonly preview: MergePreviewView;
}

interface WhyNotProps {
  readonly refusal: NonNullable<MergePreviewView['refusal']>;
  readonly rounds: readonly MergedRoundView[];
}

/** Links to the entry desk of each colliding round, where a moderator can remove one of the two results. */
const MergeRefusal = ({ refusal, rounds }: WhyNotProps) => {
  const colliding = rounds.filter(({ collides }) => collides);
  return (
    <Notice kind="problem">
      {refusal.code === 'merge-conflict' ? (
        <>
          <p>
            These two cannot be merged: both have a result, or are in one team, in{' '}
            {colliding.length === 1 ? 'this round' : 'these rounds'}. Remove one of the two results first.
          </p>
          <Rounds rounds={colliding} />
        </>
      ) : (
        <p>These two cannot be merged: {refusal.detail}.</p>
      )}
    </Notice>
  );
};

const MovingRounds = ({ refusal, rounds }: Pick<MergePreviewView, 'refusal' | 'rounds'>) => {
  const moving = rounds.filter(({ collides }) => !collides);
  if (moving.length === 0) return null;
  return (
    <details>
      <summary>
        {refusal ? `What would move: ${countText(moving.length, 'other result')}` : 'The rounds'}
      </summary>
      <Rounds rounds={moving} />
    </details>
  );
};

const Rounds = ({ rounds }: { readonly rounds: readonly MergedRoundView[] }) => {
  const events = useEvents();
  return (
    <ul>
      {rounds.map(({ competitionId, contestName, eventId, roundNumber }) => (
        <li key={`${competitionId} ${eventId} ${roundNumber}`}>
          <Link href={`/dashboard/contests/${competitionId}/entry/${eventId}/${roundNumber}`}>
            <bdi>{contestName}</bdi>, {eventName(events, eventId)}, round {roundNumber}
          </Link>
        </li>
      ))}
    </ul>
  );
};

const assocIdText = ({
  from,
  into,
  takes,
}: {
  readonly from: string | null;
  readonly into: string | null;
  readonly takes: string | null;
}): string => {
  if (takes !== null) return `The association id ${takes} moves too.`;
  if (from === null) return 'There is no association id to move.';
  return `The association id stays ${into}; ${from} also leads to this person.`;
};
