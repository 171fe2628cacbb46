/** Starts the dashboard for whoever is signed in, and the sign-in for everybody else: the server has said which. */
import '../styles/base.css';
import '../styles/dashboard.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import type { SignedInAccount } from '../../../src/accounts/account.js';
import { AccountProvider } from './account.js';
import { Problem } from './api.js';
import { Dashboard } from './frame.js';
import { SignIn } from './sign-in.js';

/** What the server refuses it refuses again; what it could not do now it may do soon. */
const isPassing = (error: Error): boolean =>
  error instanceof Problem && (error.status === 0 || error.status === 503);

const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: (failures, error) => failures < 2 && isPassing(error), staleTime: 5_000 },
  },
});

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
