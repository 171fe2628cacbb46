/** The form in which users change their own password. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../../../src/accounts/password-rules.js';
import { send } from '../../api.js';
import { SubmitButton } from '../../parts/button.js';
import { Field } from '../../parts/field.js';
import { Form } from '../../parts/form.js';
import { UsernameField } from '../../parts/username-field.js';

interface ChangePasswordProps {
  readonly email: string;
  readonly onDone: () => void;
}

export const ChangePassword = ({ email, onDone }: ChangePasswordProps) => {
  const [newPassword, setNewPassword] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: (fields: FormData) =>
      send('PUT', '/api/session/password', {
        currentPassword: fields.get('currentPassword'),
        newPassword: fields.get('newPassword'),
      }),
    onSuccess: onDone,
  });
  return (
    <Form onSubmit={mutate} problem={error}>
      <UsernameField email={email} />
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
        help={`At least ${MIN_PASSWORD_LENGTH} characters, and hard to guess`}
        isRequired
        maxLength={MAX_PASSWORD_LENGTH}
        value={newPassword}
        onChange={setNewPassword}
        validate={(text) =>
          text !== '' && text.length < MIN_PASSWORD_LENGTH
            ? `At least ${MIN_PASSWORD_LENGTH} characters`
            : null
        }
      />
      <Field
        name="again"
        label="New password again"
        type="password"
        autoComplete="new-password"
        isRequired
        validate={(text) => (text !== '' && text !== newPassword ? 'The passwords differ' : null)}
      />
      <SubmitButton isPending={isPending}>Change the password</SubmitButton>
    </Form>
  );
};
