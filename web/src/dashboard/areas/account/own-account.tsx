/**
 * The user's own account: its rights, its password, its passkeys and codes, and its devices. A user with a one-time password must
 * change it first. Then one who must have a second factor adds it.
 */
import { useState } from 'react';
import { useAccount } from '../../account.js';
import { Notice } from '../../parts/notice.js';
import { ChangePassword } from './change-password.js';
import { Devices } from './devices.js';
import { Factors } from './factors.js';

const OwnAccount = () => {
  const account = useAccount();
  const { name, email, role, contests, readsLogs, managesTokens } = account;
  const { passwordIsOneTime, needsSecondFactor } = account;
  // The key of the form: a new form has empty fields.
  const [changes, setChanges] = useState(0);
  return (
    <>
      <h1>Your account</h1>
      {passwordIsOneTime && (
        <Notice kind="info">Your password is a one-time password. Choose your own to continue.</Notice>
      )}
      {needsSecondFactor && !passwordIsOneTime && (
        <Notice kind="info">
          Admins of this server need a passkey or an authenticator app. Add one below to continue.
        </Notice>
      )}
      <dl className="facts">
        <dt>Name</dt>
        <dd>{name}</dd>
        <dt>Email</dt>
        <dd>{email}</dd>
        <dt>Role</dt>
        <dd>{role === 'admin' ? 'Admin: all contests of the space' : 'Moderator'}</dd>
        {role === 'moderator' && (
          <>
            <dt>Contests</dt>
            <dd>{contests.length === 0 ? 'None yet' : contests.join(', ')}</dd>
          </>
        )}
        <dt>Logs</dt>
        <dd>{readsLogs ? 'May read them' : 'No'}</dd>
        <dt>Access tokens</dt>
        <dd>{managesTokens ? 'May manage them' : 'No'}</dd>
      </dl>
      {!passwordIsOneTime && (
        <>
          <h2>Passkeys and codes</h2>
          <p className="quiet">
            A passkey signs in alone. An authenticator app shows a code that is asked for after the password.
          </p>
          <Factors />
        </>
      )}
      <h2>Change the password</h2>
      {changes > 0 && (
        <Notice kind="done">The password is changed. You are signed out everywhere else.</Notice>
      )}
      <ChangePassword
        key={changes}
        email={email}
        onDone={() => {
          if (passwordIsOneTime) location.assign('/dashboard');
          setChanges(changes + 1);
        }}
      />
      {!passwordIsOneTime && (
        <>
          <h2>Devices</h2>
          <p className="quiet">
            You are signed in on these. If you do not know one, sign it out and change the password.
          </p>
          <Devices key={changes} />
        </>
      )}
    </>
  );
};

export default OwnAccount;
