/** A source of one's own on the page of the logs, in a real Chromium: found, with the columns of its kind. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CreateSource } from '../../../../../src/logs/sources/source.commands.js';
import { CONTEXT } from '../../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../../support/browser-api.js';
import { describeInChromium } from '../../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../../support/dashboard.js';
import { ingestToken, sendLogs } from '../../../../support/log-api.js';

const PROJECT = 'todo-app';

describeInChromium('a source of one’s own in Chromium', () => {
  let api: BrowserApi;
  let session: SignedInClient;

  beforeAll(async () => {
    api = await startBrowserApi();
    session = await signIn(api, { role: 'moderator', readsLogs: true });
    for (const name of ['auth_audit_logs', 'audit_logs'])
      await api.commands.execute(new CreateSource(name, true, CONTEXT));
    const token = await ingestToken(api.commands);
    const entry = {
      event_message: 'signed up',
      project: PROJECT,
      metadata: {
        level: 'error',
        auth_audit_event: { action: 'user_signedup', actor_username: 'mara@example.org' },
      },
    };
    for (const source of ['auth_audit_logs', 'audit_logs'])
      await sendLogs(api.server.url, [entry], { token, source });
  });
  afterAll(() => api?.close());

  it('is named where another has no entries, and shows its entries with the columns of a ready choice', async () => {
    const asked = { endpoint: 'logs.all', 'p.project': PROJECT, lql: 'f:edge_logs', last: '1h' };
    const page = await api.open(`/dashboard/logs?${new URLSearchParams(asked)}`, session);
    await page.getByText(`${PROJECT} has no entries in edge_logs, but in other tables.`).waitFor();
    await page.getByRole('button', { name: 'audit_logs (1 entry)', exact: true }).waitFor();
    await page.getByRole('button', { name: 'auth_audit_logs (1 entry)', exact: true }).click();
    await page.getByRole('gridcell', { name: 'user_signedup' }).waitFor();
    await page.getByRole('gridcell', { name: 'mara@example.org' }).waitFor();
    expect(new URL(page.url()).searchParams.get('lql')).toBe('f:auth_audit_logs');
    expect(api.complaints).toEqual([]);
  });
});
