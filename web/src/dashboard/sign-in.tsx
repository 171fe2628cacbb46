/** The sign-in: a form that password managers recognise. Afterwards the server redirects to the wanted page. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Brand } from '../components/brand.js';
import { send } from './api.js';
import { SubmitButton } from './parts/button.js';
import { Field } from './parts/field.js';
import { Form } from './parts/form.js';
import { usePageTitle } from './parts/page-title.js';

export const SignIn = () => {
  usePageTitle('Sign in');
  const [password, setPassword] = useState('');
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: (fields: FormData) =>
      send('POST', '/api/session', { email: fields.get('email'), password: fields.get('password') }),
    // The server redirects a signed-in user to the wanted page.
    onSuccess: () => location.reload(),
    onError: () => setPassword(''),
  });
  return (
    <main id="main" className="sign-in">
      <Brand href="/" />
      <h1>Sign in</h1>
      <Form onSubmit={mutate} problem={error}>
        <Field
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          isRequired
          autoFocus
          maxLength={254}
        />
        <Field
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          isRequired
          value={password}
          onChange={setPassword}
        />
        <SubmitButton isPending={isPending || isSuccess}>Sign in</SubmitButton>
      </Form>
      <p className="quiet">
        For moderators and admins. If you have no account, ask an admin of your contests.
      </p>
    </main>
  );
};
