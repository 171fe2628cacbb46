/** The sign-in. Afterwards the server redirects to the wanted page. */
import { Brand } from '../components/brand.js';
import { CredentialsForm } from './credentials-form.js';
import { usePageTitle } from './parts/page-title.js';

export const SignIn = () => {
  usePageTitle('Sign in');
  return (
    <main id="main" className="sign-in">
      <Brand href="/" />
      <h1>Sign in</h1>
      {/* The server redirects a signed-in user to the wanted page. */}
      <CredentialsForm email={null} passwordLabel="Password" onSignedIn={() => location.reload()} />
      <p className="quiet">
        For moderators and admins. If you have no account, ask an admin of your contests.
      </p>
    </main>
  );
};
