/**
 * Asks the user to sign in again when the session has ended, in a dialog above the page: the page keeps what was typed. It
 * also notices when the user, or another user, has signed in in another tab.
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
  const [mustChoosePassword, setMustChoosePassword] = useState(false);
  const resume = (now: SignedInAccount): void => {
    setMustChoosePassword(now.passwordIsOneTime);
    // With a one-time password the frame would leave the page for the user's account.
    if (now.passwordIsOneTime) return;
    update(now);
    sessionEnd.clear();
  };
  const { accountId } = account;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the account's id matters here.
  useEffect(() => {
    const check = async (): Promise<void> => {
      const now = await getSignedInAccount().catch(() => undefined);
      if (now === undefined) return;
      setOther(now?.accountId === accountId ? null : now);
      if (now?.accountId !== accountId) sessionEnd.report();
      else if (sessionEnd.isOver()) resume(now);
    };
    window.addEventListener('focus', check);
    if (isOver) void check();
    return () => window.removeEventListener('focus', check);
  }, [accountId, isOver]);
  if (!isOver) return null;
  return mustChoosePassword ? (
    <Dialog title="Choose your own password" onClose={() => undefined} isAlert ignoresEscape>
      <p>Your password is a one-time password. What you have typed in the page stays.</p>
      <ChangePassword email={account.email} onDone={() => resume({ ...account, passwordIsOneTime: false })} />
    </Dialog>
  ) : (
    <Dialog title="Sign in again" onClose={() => undefined} isAlert ignoresEscape>
      <p>
        {other === null
          ? 'Your session has ended.'
          : `In another tab, ${other.name} has signed in, so you are signed out.`}{' '}
        What you have typed in the page stays.
      </p>
      <PasswordForm account={account} onSignedIn={resume} />
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
          Sign in as another user
        </a>
        <SubmitButton isPending={isPending}>Sign in</SubmitButton>
      </div>
    </Form>
  );
};
