/**
 * Asks whoever worked here to sign in again where their session has ended, above the page as it stands: what they have typed is
 * there when they have. Where they have signed in again in another tab, or somebody else has, that is noticed too.
 */
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { SignedInAccount } from '../../../src/foundation/operational/account.js';
import { useSignedIn } from './account.js';
import { getSignedInAccount, send } from './api.js';
import { ChangePassword } from './areas/account/change-password.js';
import { SubmitButton } from './parts/button.js';
import { Dialog } from './parts/dialog.js';
import { Field } from './parts/field.js';
import { Form } from './parts/form.js';
import { UsernameField } from './parts/username-field.js';
import { sessionEnd } from './session-end.js';

export const SignInAgain = () => {
  const { account, update } = useSignedIn();
  const isOver = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.isOver);
  const [other, setOther] = useState<SignedInAccount | null>(null);
  const [isToChoose, setToChoose] = useState(false);
  const goOn = (now: SignedInAccount): void => {
    setToChoose(now.passwordIsOneTime);
    // As an account that may do nothing yet, it would be led away from the page.
    if (now.passwordIsOneTime) return;
    update(now);
    sessionEnd.clear();
  };
  const { accountId } = account;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever else is signed in, it is asked about this account.
  useEffect(() => {
    const look = async (): Promise<void> => {
      const now = await getSignedInAccount().catch(() => undefined);
      if (now === undefined) return;
      setOther(now?.accountId === accountId ? null : now);
      if (now?.accountId !== accountId) sessionEnd.report();
      else if (sessionEnd.isOver()) goOn(now);
    };
    window.addEventListener('focus', look);
    if (isOver) void look();
    return () => window.removeEventListener('focus', look);
  }, [accountId, isOver]);
  if (!isOver) return null;
  return isToChoose ? (
    <Dialog title="Choose your own password" onClose={() => undefined} isAlert staysOpen>
      <p>Yours was given to you for one time. What you have typed in the page stays.</p>
      <ChangePassword email={account.email} onDone={() => goOn({ ...account, passwordIsOneTime: false })} />
    </Dialog>
  ) : (
    <Dialog title="Sign in again" onClose={() => undefined} isAlert staysOpen>
      <p>
        {other === null
          ? 'Your session has ended.'
          : `In another tab, ${other.name} has signed in, and you are signed out.`}{' '}
        What you have typed in the page stays.
      </p>
      <PasswordForm account={account} onSignedIn={goOn} />
    </Dialog>
  );
};

const PasswordForm = ({
  account: { email, name },
  onSignedIn,
}: {
  readonly account: SignedInAccount;
  readonly onSignedIn: (account: SignedInAccount) => void;
}) => {
  const [password, setPassword] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => send<SignedInAccount>('POST', '/api/session', { email, password }),
    onSuccess: onSignedIn,
    onError: () => setPassword(''),
  });
  const elsewhere = new URLSearchParams({ to: location.pathname + location.search });
  return (
    <Form onSubmit={() => mutate()} problem={error}>
      <UsernameField email={email} />
      <Field
        name="password"
        label={`Password of ${name}`}
        type="password"
        autoComplete="current-password"
        isRequired
        autoFocus
        value={password}
        onChange={setPassword}
      />
      <div className="actions">
        <a className="button" href={`/sign-in?${elsewhere}`}>
          Go on as somebody else
        </a>
        <SubmitButton isPending={isPending}>Sign in</SubmitButton>
      </div>
    </Form>
  );
};
