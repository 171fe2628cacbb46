/** The own account: what it may do, and its password, which somebody who was given one has to change first. */
import { useState } from 'react';
import { useAccount } from '../../account.js';
import { Notice } from '../../parts/notice.js';
import { ChangePassword } from './change-password.js';

const OwnAccount = () => {
  const { name, email, role, contests, readsLogs, passwordIsOneTime } = useAccount();
  // Another form, so that no password stays in its fields.
  const [changes, setChanges] = useState(0);
  return (
    <>
      <h1>Your account</h1>
      {passwordIsOneTime && (
        <Notice kind="info">Your password was given to you for one time. Choose your own to go on.</Notice>
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
      </dl>
      <h2>Change the password</h2>
      {changes > 0 && <Notice kind="done">It is changed. You are signed out everywhere else.</Notice>}
      <ChangePassword
        key={changes}
        email={email}
        onDone={() => {
          if (passwordIsOneTime) location.assign('/dashboard');
          setChanges(changes + 1);
        }}
      />
    </>
  );
};

export default OwnAccount;
