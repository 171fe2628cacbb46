/**
 * The form of a sign-in: password, then the code of an account that has a second factor; or a passkey in their place. Password
 * managers recognise it.
 */
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { SignedInAccount } from '../../../src/foundation/operational/account.js';
import { Problem, send } from './api.js';
import { Button, SubmitButton } from './parts/button.js';
import { Field } from './parts/field.js';
import { Form } from './parts/form.js';
import { UsernameField } from './parts/username-field.js';
import { signInWithPasskey } from './passkey.js';

interface CredentialsFormProps {
  /** Of the account that must sign in; null: the user types it. */
  readonly email: string | null;
  readonly passwordLabel: string;
  readonly onSignedIn: (account: SignedInAccount) => void;
  /** A button for something else. */
  readonly otherAction?: ReactNode;
}

const isCode = (error: Error | null, code: string): boolean =>
  error instanceof Problem && error.code === code;

export const CredentialsForm = ({
  email: known,
  passwordLabel,
  onSignedIn,
  otherAction,
}: CredentialsFormProps) => {
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  /** What the server asks for after the password; null: the password comes first. */
  const [asked, setAsked] = useState<string | null>(null);
  const byPassword = useMutation({
    mutationFn: (fields: FormData) => {
      const code = fields.get('code');
      return send<SignedInAccount>('POST', '/api/session', {
        email,
        password,
        ...(code !== null && { code }),
      });
    },
    onSuccess: onSignedIn,
    onError: (problem) => {
      if (problem instanceof Problem && problem.code === 'second-factor-missing') setAsked(problem.detail);
      else if (isCode(problem, 'sign-in-refused')) {
        setPassword('');
        setAsked(null);
      }
    },
  });
  const byPasskey = useMutation({ mutationFn: signInWithPasskey, onSuccess: onSignedIn });
  const wasAsked = isCode(byPassword.error, 'second-factor-missing');
  const isDone = byPassword.isSuccess || byPasskey.isSuccess;
  return (
    <Form
      onSubmit={(fields) => {
        byPasskey.reset();
        byPassword.mutate(fields);
      }}
      problem={byPasskey.error ?? (wasAsked ? null : byPassword.error)}
    >
      {known === null ? (
        <Field
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          isRequired
          autoFocus
          maxLength={254}
          value={email}
          onChange={setEmail}
        />
      ) : (
        <UsernameField email={known} />
      )}
      <Field
        name="password"
        label={passwordLabel}
        type="password"
        autoComplete="current-password"
        isRequired
        autoFocus={known !== null}
        value={password}
        onChange={(text) => {
          setPassword(text);
          setAsked(null);
        }}
      />
      {asked !== null && (
        <Field
          name="code"
          label="Code"
          help={`${asked.charAt(0).toUpperCase()}${asked.slice(1)}.`}
          autoComplete="one-time-code"
          isRequired
          autoFocus
          maxLength={40}
        />
      )}
      <div className="actions">
        {otherAction}
        <Button
          isPending={byPasskey.isPending}
          isDisabled={isDone}
          onPress={() => {
            byPassword.reset();
            byPasskey.mutate();
          }}
        >
          Use a passkey
        </Button>
        <SubmitButton isPending={byPassword.isPending || isDone}>Sign in</SubmitButton>
      </div>
    </Form>
  );
};
