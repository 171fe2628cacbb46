/** `podium tokens` and `podium endpoints` as a script uses them, beside a running server. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { podiumOn } from '../../support/cli.js';
import { callOf, type EndpointApi, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { until } from '../../support/until.js';

let api: EndpointApi;
let podium: ReturnType<typeof podiumOn>;

beforeAll(async () => {
  api = await startEndpointApi();
  podium = podiumOn(api.server.dataDir);
  await api.ingest([{ event_message: 'from 203.0.113.9', project: 'p1' }]);
});
afterAll(() => api?.close());

const done = async (...args: readonly string[]) => {
  const run = await podium(...args);
  expect({ args, status: run.status, stderr: run.stderr }).toMatchObject({ args, status: 0 });
  return run;
};

describe('podium endpoints', () => {
  it('saves, shows, changes, calls and removes one', async () => {
    const file = join(api.server.dataDir, 'query.sql');
    await writeFile(file, 'select event_message from edge_logs where project = @project\n');
    const created = (
      await done(
        'endpoints',
        'create',
        'mine',
        '--query-file',
        file,
        '--max-rows',
        '5',
        '--cache',
        '60',
        '--warm',
        '20',
        '--json',
      )
    ).json();
    const nowhere = await podium('endpoints', 'edit', 'mine', '--query-file', `${file}x`);
    expect([nowhere.status, nowhere.stderr]).toEqual([
      1,
      `podium: --query-file ${file}x cannot be read: no such file or directory\n`,
    ]);
    expect(created).toMatchObject({
      name: 'mine',
      maxRows: 5,
      cachingSeconds: 60,
      cacheWarmingSeconds: 20,
      sandboxing: true,
      version: 1,
    });
    expect((await done('endpoints', 'show', 'mine')).stdout).toContain('where project = @project');
    const edited = (
      await done(
        'endpoints',
        'edit',
        'mine',
        '--name',
        'ours',
        '--cache',
        'disabled',
        '--warm',
        'none',
        '--redact-pii',
        'on',
        '--json',
      )
    ).json();
    expect(edited).toMatchObject({
      name: 'ours',
      cachingSeconds: null,
      cacheWarmingSeconds: null,
      redactPii: true,
      maxRows: 5,
      version: 2,
    });
    expect((await done('endpoints', 'list')).stdout).toMatch(/ours[\s\S]*usage\.api-counts/);
    const called = await done('endpoints', 'query', 'ours', '--param', 'project=p1');
    expect(called.json()).toEqual({ result: [{ event_message: 'from REDACTED' }] });
    const ask = ['logs.all', '--param', 'project=p1', '--lql', 'f:edge_logs c:count(*)'] as const;
    const paid = await done('endpoints', 'query', ...ask, '--cost');
    expect(paid.stderr).toContain('read 1 entry, 18 bytes');
    const estimate = await done('endpoints', 'estimate', ...ask);
    expect(estimate.stdout).toMatch(/would read 1 entry[\s\S]*edge_logs: 1 entry[\s\S]*compute count/);
    const restored = await done('endpoints', 'restore', 'ours', '1');
    expect(restored.stdout).toContain('endpoint mine is at version 3, which is version 1 again');
    expect((await done('endpoints', 'versions', 'mine')).stdout).toMatch(/version 3, [\s\S]*version 1, /);
    const missing = await podium('endpoints', 'restore', 'mine', '9');
    expect(missing).toMatchObject({ status: 1, stderr: expect.stringContaining('mine has no version 9') });
    await done('endpoints', 'edit', 'mine', '--name', 'ours');
    await done('endpoints', 'remove', 'ours');
    const gone = await podium('endpoints', 'show', 'ours');
    expect(gone).toMatchObject({ status: 1, stdout: '' });
    expect(gone.stderr).toMatch(/there is no endpoint ours/);
  });

  it('says where a query is wrong, and saves nothing', async () => {
    const run = await podium('endpoints', 'create', 'broken', '--query', 'select a from nowhere');
    expect(run).toMatchObject({ status: 1, stdout: '' });
    expect(run.stderr).toMatch(/line 1, column 15/);
    expect((await podium('endpoints', 'show', 'broken')).status).toBe(1);
  });
});

describe('podium tokens', () => {
  it('issues one that works at once and ends with its revocation', async () => {
    const issued = (
      await done(
        'tokens',
        'issue',
        '--scope',
        'query:logs.all',
        '--project',
        'p1',
        '--name',
        'Script',
        '--json',
      )
    ).json() as { token: string; tokenId: string };
    expect(issued).toMatchObject({
      token: expect.stringMatching(/^podium_token_/),
      name: 'Script',
      project: 'p1',
    });
    const call = () => api.client.get(callOf('logs.all', { project: 'p1' }), withToken(issued.token));
    expect((await call()).status).toBe(200);
    await done('tokens', 'revoke', issued.tokenId);
    await until(call, ({ status }) => status === 401);
    const listed = (await done('tokens', 'list', '--json')).json();
    expect(listed).toEqual(
      expect.arrayContaining([expect.objectContaining({ tokenId: issued.tokenId, state: 'revoked' })]),
    );
    expect((await done('tokens', 'list')).stdout).not.toContain(issued.token);
  });

  it('refuses what is no scope', async () => {
    for (const scope of ['write', 'query:', 'query:none']) {
      const run = await podium('tokens', 'issue', '--scope', scope, '--json');
      expect(run).toMatchObject({ status: 1, stdout: '' });
    }
  });
});
