/** Evaluates an alert now, sends its receivers a test message, and shows what came of both. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertTest, AlertView } from '../../../../../src/logs/alerts/alert-view.js';
import { Button } from '../../parts/button.js';
import { Dialog, DoneAction } from '../../parts/dialog.js';
import { ProblemNotice } from '../../parts/notice.js';
import { numberText } from '../../parts/number-text.js';
import { testAlert } from './requests.js';

export const AlertTestButton = ({ id, receivers }: Pick<AlertView, 'id' | 'receivers'>) => {
  const [shown, setShown] = useState<AlertTest | null>(null);
  const { mutate, error, isPending } = useMutation({ mutationFn: () => testAlert(id), onSuccess: setShown });
  return (
    <>
      {error && <ProblemNotice problem={error} />}
      <Button isMain isPending={isPending} onPress={() => mutate()}>
        Test it now
      </Button>
      {shown && (
        <Dialog title="The test" onClose={() => setShown(null)}>
          <p>{verdict(shown)}</p>
          {receivers.length === 0 && <p>It has no receivers.</p>}
          <ul>
            {shown.receivers.map(({ id: receiverId, problem }) => (
              <li key={receiverId}>
                {receivers.find((one) => one.id === receiverId)?.url ?? receiverId}:{' '}
                {problem ?? 'it has taken the message'}
              </li>
            ))}
          </ul>
          <DoneAction onPress={() => setShown(null)} />
        </Dialog>
      )}
    </>
  );
};

const verdict = ({ fires, rows, problem }: AlertTest): string => {
  if (fires === null || rows === null) return `It cannot be told whether it would fire: ${problem}.`;
  const found = rows === 1 ? '1 row' : `${numberText(rows)} rows`;
  return fires ? `It would fire now: ${found}.` : `It would not fire now: ${found}.`;
};
