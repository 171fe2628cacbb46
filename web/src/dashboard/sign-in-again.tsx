/**
 * Asks the user to sign in again when the session has ended, or is too old for a change of passkeys and codes, in a dialog
 * above the page: the page keeps what was typed. It also notices when the user, or another user, has signed in in another tab.
 */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { SignedInAccount } from '../../../src/foundation/operational/account.js';
import { useSignedIn } from './account.js';
import { getSignedInAccount } from './api.js';
import { ChangePassword } from './areas/account/change-password.js';
import { CredentialsForm } from './credentials-form.js';
import { Button } from './parts/button.js';
import { Dialog } from './parts/dialog.js';
import { sessionEnd } from './session-end.js';

export const SignInAgain = () => {
  const { account, update } = useSignedIn();
  const { accountId, email, name } = account;
  const reason = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.reason);
  const [other, setOther] = useState<SignedInAccount | null>(null);
  const [mustChoosePassword, setMustChoosePassword] = useState(false);
  const resume = (now: SignedInAccount): void => {
    if (now.accountId !== accountId) {
      setOther(now);
      sessionEnd.report();
      return;
    }
    setOther(null);
    setMustChoosePassword(now.passwordIsOneTime);
    // With a one-time password the frame would leave the page for the user's account.
    if (now.passwordIsOneTime) return;
    update(now);
    sessionEnd.clear();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the account's id matters here.
  useEffect(() => {
    const check = async (): Promise<void> => {
      const now = await getSignedInAccount().catch(() => undefined);
      if (now === undefined) return;
      setOther(now?.accountId === accountId ? null : now);
      if (now?.accountId !== accountId) sessionEnd.report();
      else if (sessionEnd.reason() === 'over') resume(now);
    };
    window.addEventListener('focus', check);
    if (reason === 'over') void check();
    return () => window.removeEventListener('focus', check);
  }, [accountId, reason]);
  if (reason === null) return null;
  return mustChoosePassword ? (
    <Dialog title="Choose your own password" onClose={() => undefined} isAlert ignoresEscape>
      <p>Your password is a one-time password. What you have typed in the page stays.</p>
      <ChangePassword email={email} onDone={() => resume({ ...account, passwordIsOneTime: false })} />
    </Dialog>
  ) : (
    <Dialog title="Sign in again" onClose={() => undefined} isAlert ignoresEscape>
      <p>
        {reason === 'too-old'
          ? 'Passkeys and codes can be changed for 10 minutes after a sign-in.'
          : endText(other)}
      </p>
      <CredentialsForm
        email={email}
        passwordLabel={`Password of ${name}`}
        onSignedIn={resume}
        otherAction={
          reason === 'too-old' ? (
            <Button onPress={() => sessionEnd.clear(false)}>Cancel</Button>
          ) : (
            <a className="button" href={`/sign-in?${wayBack()}`}>
              Sign in as another user
            </a>
          )
        }
      />
    </Dialog>
  );
};

const endText = (other: SignedInAccount | null): string => {
  const why =
    other === null
      ? 'Your session has ended.'
      : `In another tab, ${other.name} has signed in, so you are signed out.`;
  return `${why} What you have typed in the page stays.`;
};

const wayBack = (): URLSearchParams => new URLSearchParams({ to: location.pathname + location.search });
