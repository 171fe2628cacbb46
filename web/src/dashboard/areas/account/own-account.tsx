/** The own account: what it may do, and its password, which somebody who was given one has to change first. */
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../../../../../src/accounts/password-rules.js';
import { useAccount } from '../../account.js';
import { send } from '../../api.js';
import { SubmitButton } from '../../parts/button.js';
import { Field } from '../../parts/field.js';
import { Form } from '../../parts/form.js';
import { Notice } from '../../parts/notice.js';

const OwnAccount = () => {
  const { name, email, role, contests, readsLogs, passwordIsOneTime } = useAccount();
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
      <ChangePassword email={email} isFirst={passwordIsOneTime} />
    </>
  );
};

export default OwnAccount;

const ChangePassword = ({ email, isFirst }: { readonly email: string; readonly isFirst: boolean }) => {
  const [newPassword, setNewPassword] = useState('');
  const form = useRef<HTMLDivElement>(null);
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: (fields: FormData) =>
      send('PUT', '/api/session/password', {
        currentPassword: fields.get('currentPassword'),
        newPassword: fields.get('newPassword'),
      }),
    onSuccess: () => {
      if (isFirst) location.assign('/dashboard');
      form.current?.querySelector('form')?.reset();
      setNewPassword('');
    },
  });
  return (
    <section ref={form}>
      <h2>Change the password</h2>
      {isSuccess && <Notice kind="done">It is changed. You are signed out everywhere else.</Notice>}
      <Form onSubmit={mutate} problem={error}>
        {/* Password managers look for whose password it is. */}
        <input
          className="hidden"
          type="text"
          autoComplete="username"
          defaultValue={email}
          tabIndex={-1}
          readOnly
          aria-hidden="true"
        />
        <Field
          name="currentPassword"
          label="Current password"
          type="password"
          autoComplete="current-password"
          isRequired
        />
        <Field
          name="newPassword"
          label="New password"
          type="password"
          autoComplete="new-password"
          help={`At least ${SHORTEST_PASSWORD} characters`}
          isRequired
          maxLength={LONGEST_PASSWORD}
          value={newPassword}
          onChange={setNewPassword}
          validate={(text) =>
            text !== '' && text.length < SHORTEST_PASSWORD ? `At least ${SHORTEST_PASSWORD} characters` : null
          }
        />
        <Field
          name="again"
          label="New password again"
          type="password"
          autoComplete="new-password"
          isRequired
          validate={(text) => (text !== '' && text !== newPassword ? 'This is another one' : null)}
        />
        <SubmitButton isPending={isPending}>Change the password</SubmitButton>
      </Form>
    </section>
  );
};
