/** The page of one drain: its state, a test, a pause, what it sends where, and its removal. Also the page of a new drain. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { DrainChange } from '../../../../../src/logs/drains/drain-body.js';
import type { DrainView } from '../../../../../src/logs/drains/drain-view.js';
import { Button } from '../../parts/button.js';
import { Loaded } from '../../parts/loaded.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import { numberText } from '../../parts/number-text.js';
import { RemoveSection } from '../../parts/remove-section.js';
import { LogsFrame } from '../logs/logs-frame.js';
import { SecretsDialog } from '../logs/secrets-dialog.js';
import { minuteText } from '../logs/time-text.js';
import { DrainForm } from './drain-form.js';
import { DrainState, lagText } from './drain-state.js';
import {
  createDrain,
  DRAINS_KEY,
  drainKey,
  editDrain,
  getDrain,
  LIST,
  pauseDrain,
  removeDrain,
  resumeDrain,
  testDrain,
} from './requests.js';

export const NewDrain = () => {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [made, setMade] = useState<DrainView | null>(null);
  const show = ({ id }: DrainView): void => navigate(`${LIST}/${id}`);
  const { mutate, error, isPending } = useMutation({
    mutationFn: createDrain,
    onSuccess: async (drain) => {
      if (drain.destination.secret === null) show(drain);
      else setMade(drain);
      await client.invalidateQueries({ queryKey: DRAINS_KEY });
    },
  });
  return (
    <LogsFrame title="New drain">
      <DrainForm onSubmit={mutate} problem={error} isPending={isPending} />
      {made && <SecretOf drain={made} onClose={() => show(made)} />}
    </LogsFrame>
  );
};

export const DrainPage = ({ id }: { readonly id: string }) => {
  const read = useQuery({ queryKey: drainKey(id), queryFn: () => getDrain(id), refetchInterval: 5_000 });
  return (
    <LogsFrame title={read.data?.name ?? 'Drain'}>
      <Loaded read={read}>{(drain) => <Drain drain={drain} />}</Loaded>
    </LogsFrame>
  );
};

const Drain = ({ drain }: { readonly drain: DrainView }) => {
  const { id, name } = drain;
  return (
    <>
      <div className="alert-now">
        <DrainState drain={drain} />
      </div>
      <div className="question-actions">
        <TestButton id={id} />
        <PauseButton drain={drain} />
      </div>
      <h2>Progress</h2>
      <Facts facts={progressOf(drain)} />
      <h2>Settings</h2>
      <Settings drain={drain} />
      <RemoveSection
        what="drain"
        name={name}
        remove={() => removeDrain(id)}
        ownKey={drainKey(id)}
        listKey={DRAINS_KEY}
        list={LIST}
      >
        What it has sent stays where it is.
      </RemoveSection>
    </>
  );
};

/** The settings as they are, or the form that changes them. */
const Settings = ({ drain }: { readonly drain: DrainView }) => {
  const client = useQueryClient();
  // As it was when the form was opened: what others change meanwhile is not to be undone unseen.
  const [opened, setOpened] = useState<DrainView | null>(null);
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: (change: DrainChange) => editDrain(drain.id, change),
    onSuccess: async () => {
      setOpened(null);
      await client.invalidateQueries({ queryKey: DRAINS_KEY });
    },
  });
  const open = (): void => {
    reset();
    setOpened(drain);
  };
  if (opened)
    return (
      <DrainForm
        {...{ drain: opened, isPending }}
        onSubmit={(fields) => mutate({ ...fields, revision: opened.revision })}
        onCancel={() => setOpened(null)}
        problem={error}
      />
    );
  return (
    <>
      <Facts facts={settingsOf(drain)} />
      <Button onPress={open}>Change</Button>
      {data && <SecretOf drain={data} />}
    </>
  );
};

/** The secret that a reply has, until it is closed. */
const SecretOf = ({ drain, onClose }: { readonly drain: DrainView; readonly onClose?: () => void }) => {
  const [isOpen, setIsOpen] = useState(true);
  const { url, secret } = drain.destination;
  const close = (): void => {
    setIsOpen(false);
    onClose?.();
  };
  return isOpen && url !== null && secret !== null ? (
    <SecretsDialog title="The secret of its posts" secrets={[{ url, secret }]} onClose={close} />
  ) : null;
};

type FactList = readonly (readonly [name: string, value: string])[];

const progressOf = ({ sent, lagSeconds, skipped, tooLarge, lastError }: DrainView): FactList => [
  ['Entries sent', numberText(sent.entries)],
  ['Batches sent', numberText(sent.batches)],
  ['Last sent', sent.lastAt === null ? 'Nothing yet' : minuteText(sent.lastAt)],
  ['Behind the logs', lagText(lagSeconds)],
  ['Skipped', numberText(skipped)],
  ...(tooLarge === 0 ? [] : [['Too large', numberText(tooLarge)] as const]),
  ...(lastError === null
    ? []
    : [['Last error', `${minuteText(lastError.at)}: ${lastError.problem}`] as const]),
];

const settingsOf = ({ source, project, lql, destination, batchSeconds, redactPii }: DrainView): FactList => [
  ['Source', source],
  ['Project', project ?? 'All'],
  ...(lql === '' ? [] : [['Filter in LQL', lql] as const]),
  ['Sends to', destination.url ?? 'The bucket of the server'],
  ['Body', FORMATS[destination.format]],
  ['Batch', `${batchSeconds} s at most`],
  ...(redactPii ? [['Addresses', 'Redacted'] as const] : []),
];

const FORMATS: Readonly<Record<DrainView['destination']['format'], string>> = {
  json: 'A JSON array',
  ndjson: 'A line of JSON for each entry',
  parquet: 'Parquet files',
};

const Facts = ({ facts }: { readonly facts: FactList }) => (
  <dl className="drain-facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

const TestButton = ({ id }: Pick<DrainView, 'id'>) => {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => testDrain(id) });
  return (
    <>
      {error && <ProblemNotice problem={error} />}
      {data?.problem === null && <Notice kind="done">The receiver has taken an empty batch.</Notice>}
      {data && data.problem !== null && <Notice kind="problem">The test failed: {data.problem}.</Notice>}
      <Button isMain isPending={isPending} onPress={() => mutate()}>
        Test it now
      </Button>
    </>
  );
};

const PauseButton = ({ drain: { id, state } }: { readonly drain: DrainView }) => {
  const client = useQueryClient();
  const isOff = state === 'paused' || state === 'stopped';
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => (isOff ? resumeDrain(id) : pauseDrain(id)),
    onSuccess: () => client.invalidateQueries({ queryKey: DRAINS_KEY }),
  });
  return (
    <>
      {error && <ProblemNotice problem={error} />}
      <Button isPending={isPending} onPress={() => mutate()}>
        {isOff ? 'Resume' : 'Pause'}
      </Button>
    </>
  );
};
