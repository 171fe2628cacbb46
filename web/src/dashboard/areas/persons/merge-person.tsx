/**
 * Merging two records of one person: who it is, then what would move and what would collide, and only then the button that
 * does it, since there is no unmerge.
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
      keepsOpen
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

/** Whoever is called the same comes first: that is how two records come about. */
const ChoosePerson = ({ person, onChoose, onClose }: ChooseProps) => {
  const [text, setText] = useState(person.name);
  const { data = [], error } = usePersonSearch(text);
  const others = data.filter(({ id }) => id !== person.id).slice(0, 8);
  return (
    <>
      <p>Into which person? That one stays, and everything of this one goes there.</p>
      <PersonSearchField name="into" value={text} onChange={setText} />
      {error && <ProblemNotice problem={error} />}
      <ul className="choices" aria-label="Persons found">
        {others.map((other) => (
          <li key={other.id}>
            <Button onPress={() => onChoose(other)}>
              {personLabel(other)} <span className="quiet">{regionText(other.regionCode)}</span>
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
    queryKey: [...PERSONS_KEY, 'merge', person.id, into.id],
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
      <b>{personLabel(from)}</b> becomes a second number of <b>{personLabel(into)}</b>. There is no unmerge.
    </p>
    <ul>
      <li>
        {rounds.length === 0
          ? 'There are no results to move.'
          : `${countText(rounds.length, 'result')} of ${countText(contests, 'contest')} will move.`}
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

interface WhyNotProps {
  readonly refusal: NonNullable<MergePreviewView['refusal']>;
  readonly rounds: readonly MergedRoundView[];
}

/** Each round is a way to the desk where one of the two results can be removed. */
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
            {contestName}, {eventName(events, eventId)}, round {roundNumber}
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
  if (takes !== null) return `The association id ${takes} moves along.`;
  if (from === null) return 'There is no association id to move.';
  return `The association id stays ${into}; ${from} leads there too.`;
};
