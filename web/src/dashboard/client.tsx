/** Renders the dashboard when the server has put an account into the page, else the sign-in. */
import '../styles/base.css';
import '../styles/dashboard.css';
import '../styles/print-dashboard.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import type { SignedInAccount } from '../../../src/foundation/operational/account.js';
import { AccountProvider } from './account.js';
import { Dashboard } from './frame.js';
import { queryClient } from './query-client.js';
import { SignIn } from './sign-in.js';

const root = document.getElementById('dashboard');
const data = document.getElementById('account')?.textContent;

if (root && data) {
  const account: SignedInAccount | null = JSON.parse(data);
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      {account ? (
        <AccountProvider account={account}>
          <Dashboard />
        </AccountProvider>
      ) : (
        <SignIn />
      )}
    </QueryClientProvider>,
  );
}
