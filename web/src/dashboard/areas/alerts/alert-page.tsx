/** The page of one alert: its state, a test, a silence, its form, its history and its removal. Also the page of a new alert. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { AlertFields } from '../../../../../src/logs/alerts/alert-body.js';
import type { AlertView } from '../../../../../src/logs/alerts/alert-view.js';
import { Button } from '../../parts/button.js';
import { Loading } from '../../parts/loading.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import { RemoveSection } from '../../parts/remove-section.js';
import { LogsFrame } from '../logs/logs-frame.js';
import { SecretsDialog } from '../logs/secrets-dialog.js';
import { AlertForm } from './alert-form.js';
import { AlertRuns } from './alert-runs.js';
import { AlertState } from './alert-state.js';
import { AlertTestButton } from './alert-test.js';
import {
  ALERTS_KEY,
  alertKey,
  changeAlert,
  createAlert,
  getAlert,
  LIST,
  removeAlert,
  silenceAlert,
} from './requests.js';

const FIRST: AlertFields = {
  ...{ name: '', endpoint: 'logs.all', parameters: {}, everyMinutes: 5, windowMinutes: 5 },
  ...{ condition: null, repeatMinutes: null, redactPii: false, enabled: true, receivers: [] },
};

const fieldsOf = (alert: AlertView): AlertFields => {
  const { name, endpoint, parameters, everyMinutes, windowMinutes } = alert;
  const { condition, repeatMinutes, redactPii, enabled, receivers } = alert;
  return {
    ...{ name, endpoint, parameters, everyMinutes, windowMinutes },
    ...{ condition, repeatMinutes, redactPii, enabled, receivers },
  };
};

/** Saves, and shows the secrets of new webhooks, which is possible only once. */
const useSaved = (save: (fields: AlertFields) => Promise<AlertView>, onDone: (alert: AlertView) => void) => {
  const client = useQueryClient();
  const [shown, setShown] = useState<AlertView | null>(null);
  const mutation = useMutation({
    mutationFn: save,
    onSuccess: async (alert) => {
      if (alert.receivers.some(({ secret }) => secret !== null)) setShown(alert);
      else onDone(alert);
      await client.invalidateQueries({ queryKey: ALERTS_KEY });
    },
  });
  const secrets = shown && (
    <SecretsDialog
      title="The secrets of its webhooks"
      secrets={shown.receivers.flatMap(({ url, secret }) => (secret === null ? [] : { url, secret }))}
      onClose={() => {
        setShown(null);
        onDone(shown);
      }}
    />
  );
  return { ...mutation, secrets };
};

export const NewAlert = () => {
  const [, navigate] = useLocation();
  const { mutate, error, isPending, secrets } = useSaved(createAlert, ({ id }) => navigate(`${LIST}/${id}`));
  return (
    <LogsFrame title="New alert">
      <AlertForm fields={FIRST} action="Save" onSubmit={mutate} problem={error} isPending={isPending} />
      {secrets}
    </LogsFrame>
  );
};

export const AlertPage = ({ id }: { readonly id: string }) => {
  const { data, error } = useQuery({
    queryKey: alertKey(id),
    queryFn: () => getAlert(id),
    refetchInterval: 30_000,
  });
  if (error && !data)
    return (
      <LogsFrame title="Alert">
        <ProblemNotice problem={error} />
      </LogsFrame>
    );
  if (!data) return <Loading />;
  return <Alert alert={data} />;
};

const Alert = ({ alert }: { readonly alert: AlertView }) => {
  const { id, name, receivers } = alert;
  // A later read must not replace what the user is typing.
  const [initial] = useState(fieldsOf(alert));
  const [revision, setRevision] = useState(alert.revision);
  const change = async (fields: AlertFields): Promise<AlertView> => {
    const changed = await changeAlert(id, { ...fields, revision });
    setRevision(changed.revision);
    return changed;
  };
  const saved = useSaved(change, () => undefined);
  return (
    <LogsFrame title={name}>
      <div className="alert-now">
        <AlertState alert={alert} />
      </div>
      <div className="question-actions">
        <AlertTestButton id={id} receivers={receivers} />
        <Silence alert={alert} />
      </div>
      <AlertRuns id={id} receivers={receivers} />
      <h2>Settings</h2>
      {saved.isSuccess && <Notice kind="done">The alert is saved. It runs with your rights.</Notice>}
      <AlertForm
        fields={initial}
        action="Save the change"
        onSubmit={saved.mutate}
        problem={saved.error}
        isPending={saved.isPending}
      />
      {saved.secrets}
      <RemoveSection
        what="alert"
        name={name}
        remove={() => removeAlert(id)}
        ownKey={alertKey(id)}
        listKey={ALERTS_KEY}
        list={LIST}
      >
        Its history is removed with it.
      </RemoveSection>
    </LogsFrame>
  );
};

const HOUR_MS = 3_600_000;

const Silence = ({ alert: { id, silencedUntil } }: { readonly alert: AlertView }) => {
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (hours: number | null) =>
      silenceAlert(id, hours === null ? null : new Date(Date.now() + hours * HOUR_MS).toISOString()),
    onSuccess: () => client.invalidateQueries({ queryKey: ALERTS_KEY }),
  });
  const isSilenced = silencedUntil !== null && Date.parse(silencedUntil) > Date.now();
  return (
    <>
      {error && <ProblemNotice problem={error} />}
      {isSilenced ? (
        <Button isPending={isPending} onPress={() => mutate(null)}>
          End the silence
        </Button>
      ) : (
        <>
          <Button isPending={isPending} onPress={() => mutate(1)}>
            Silence for an hour
          </Button>
          <Button isPending={isPending} onPress={() => mutate(24)}>
            Silence for a day
          </Button>
        </>
      )}
    </>
  );
};
