/** Alerts over HTTP: who has them, what they tell to whom, and that a receiver can trust it. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { AlertRuns } from '../../../src/logs/alerts/alert-runs.js';
import type { AlertView } from '../../../src/logs/alerts/alert-view.js';
import { done, podiumOn } from '../../support/cli.js';
import { type Reply, refusalOf } from '../../support/client.js';
import { type EndpointApi, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { type LocalMailServer, startMailServer } from '../../support/local-mail-server.js';
import { type LocalReceiver, startReceiver } from '../../support/local-receiver.js';
import { until } from '../../support/until.js';

const DAY_MS = 86_400_000;
const PATH = '/api/logs/alerts';
/** All that was written just now, and all until the next midnight and one more. */
const WIDE = { everyMinutes: 1_440, windowMinutes: 4_320 };

let api: EndpointApi;
let receiver: LocalReceiver;
let mailServer: LocalMailServer;
let mailSettings: Readonly<Record<string, string>>;
/** Of the receiver. */
let base: string;
let project: string;

beforeAll(async () => {
  receiver = await startReceiver();
  base = receiver.url;
  mailServer = await startMailServer('s3cret');
  mailSettings = {
    PODIUM_SMTP_URL: `smtp://podium:s3cret@127.0.0.1:${mailServer.port}`,
    PODIUM_MAIL_FROM: 'podium@results.example',
  };
  api = await startEndpointApi({ PODIUM_ALERT_HOSTS: '127.0.0.1', ...mailSettings });
});

afterAll(async () => {
  await api?.close();
  await receiver.close();
  await mailServer.close();
});

beforeEach(() => {
  receiver.received.length = 0;
  project = randomUUID();
});

const send = (method: string, path: string, body?: unknown, token = api.tokens.admin): Promise<Reply> =>
  api.client.send(path, { method, headers: withToken(token), ...(body !== undefined && { body }) });
const alertIn = ({ status, json }: Reply): AlertView => {
  if (status !== 200 && status !== 201) throw new Error(`${status} ${JSON.stringify(json)}`);
  return json as AlertView;
};
const fieldsOf = (change: object = {}): object => ({
  ...{ name: 'Errors', endpoint: 'logs.all', parameters: { project }, ...WIDE },
  ...change,
});
const create = async (change: object = {}, token = api.tokens.admin): Promise<AlertView> =>
  alertIn(await send('POST', PATH, fieldsOf(change), token));
const get = async (id: string): Promise<AlertView> => alertIn(await send('GET', `${PATH}/${id}`));
const entry = (message: string) => ({ event_message: message, project });

const signedIn = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  );

/** Makes the runs that are due at the n-th midnight from now; the server itself has none to make before. */
const runAt = (nth: number): Promise<void> =>
  api.app
    .get(AlertRuns)
    .runDue((Math.floor(Date.now() / DAY_MS) + nth) * DAY_MS, new AbortController().signal);

const receive = (count: number) =>
  until(
    async () => receiver.received,
    ({ length }) => length >= count,
  );

describe('an alert', () => {
  it('tells a webhook that it is open and that it is resolved, signed, as long as it takes', async () => {
    receiver.statuses.push(500);
    const alert = await create({ receivers: [{ kind: 'webhook', url: `${base}/hook` }] });
    const secret = alert.receivers[0]?.secret ?? '';
    await api.ingest([entry('it broke, says 203.0.113.9')]);
    await runAt(1);
    const [first, again] = await receive(2);
    if (!first || !again) throw new Error('two attempts');
    for (const { body, headers } of [first, again])
      expect(new Webhook(secret).verify(body, signedIn(headers))).toMatchObject({
        type: 'alert.opened',
        data: {
          alert: { id: alert.id, name: 'Errors' },
          rows: 1,
          sample: [{ event_message: 'it broke, says 203.0.113.9' }],
        },
      });
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(() => new Webhook(secret).verify(`${first.body} `, signedIn(first.headers))).toThrow();
    const runs = await until(
      async () => (await send('GET', `${PATH}/${alert.id}/runs`)).json,
      (json) => JSON.stringify(json).includes('"delivered"'),
    );
    expect(runs).toMatchObject([
      { state: 'firing', change: 'opened', rows: 1, deliveries: [{ state: 'delivered', attempts: 2 }] },
    ]);
    expect(await get(alert.id)).toMatchObject({ state: 'open', receivers: [{ secret: null }] });
    // An alert on nothing of this project: no rows.
    await send('PATCH', `${PATH}/${alert.id}`, { parameters: { project: randomUUID() } });
    await runAt(2);
    const [, , resolved] = await receive(3);
    expect(JSON.parse(resolved?.body ?? '')).toMatchObject({ type: 'alert.resolved', data: { rows: 0 } });
    expect(await get(alert.id)).toMatchObject({ state: 'closed', lastRun: { change: 'resolved' } });
  });

  it('has the redaction that its owner wants, and tells Slack in its form', async () => {
    await create({ redactPii: true, receivers: [{ kind: 'slack', url: `${base}/slack` }] });
    await api.ingest([entry('from 203.0.113.9')]);
    await runAt(1);
    const [told] = await receive(1);
    const { text } = JSON.parse(told?.body ?? '');
    expect(text).toContain('Alert: *Errors*\n1 row');
    expect(text).toContain('from REDACTED');
    expect(told?.headers['webhook-signature']).toBeUndefined();
  });

  it('is told by e-mail, again with the same id until the mail server takes it', async () => {
    const receivers = [{ kind: 'email', url: 'mailto:ops@example.com' }];
    const alert = await create({ receivers });
    expect(alert.receivers).toMatchObject([{ ...receivers[0], secret: null }]);
    await api.ingest([entry('it broke')]);
    mailServer.refusals.push(451);
    await runAt(1);
    const [mail] = await until(
      async () => mailServer.received,
      ({ length }) => length > 0,
    );
    expect(mail).toMatchObject({ to: ['ops@example.com'], from: 'podium@results.example', user: 'podium' });
    expect(mail?.content).toMatch(/^Subject: Alert: Errors\r$/m);
    const messageId = /^Message-ID:\s+<msg_(\S+)_\d+@results\.example>\r$/m.exec(mail?.content ?? '');
    expect(messageId?.[1]).toBe(alert.id);
    const runs = await until(
      async () => (await send('GET', `${PATH}/${alert.id}/runs`)).json,
      (json) => JSON.stringify(json).includes('"delivered"'),
    );
    expect(runs).toMatchObject([{ deliveries: [{ state: 'delivered', attempts: 2 }] }]);
    expect(JSON.stringify([alert, runs])).not.toContain('s3cret');
  });

  it('runs by itself', async () => {
    const alert = await create({ everyMinutes: 1, windowMinutes: 60, receivers: [] });
    await until(
      () => get(alert.id),
      ({ lastRun }) => lastRun !== null && lastRun.state !== 'running',
    );
    expect((await get(alert.id)).lastRun).toMatchObject({ state: 'quiet', rows: 0, problem: null });
    expect((await send('DELETE', `${PATH}/${alert.id}`)).status).toBe(204);
    expect(refusalOf(await send('GET', `${PATH}/${alert.id}`))).toBe('404 alert-not-found');
  });

  it('is silenced, tested and listed', async () => {
    const alert = await create({ name: 'A test', receivers: [{ kind: 'webhook', url: `${base}/test` }] });
    const end = new Date(Date.now() + 60_000).toISOString();
    const silence = `${PATH}/${alert.id}/silence`;
    expect(alertIn(await send('PUT', silence, { until: end })).silencedUntil).toBe(end);
    expect(alertIn(await send('PUT', silence, { until: null })).silencedUntil).toBeNull();
    const past = await send('PUT', silence, { until: '2020-01-01T00:00:00Z' });
    expect(refusalOf(past)).toBe('400 invalid-request');
    const tested = await send('POST', `${PATH}/${alert.id}/test`);
    expect([tested.status, tested.json]).toEqual([
      200,
      { fires: false, rows: 0, problem: null, receivers: [{ id: alert.receivers[0]?.id, problem: null }] },
    ]);
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['alert.test']);
    const listed = (await send('GET', PATH)).json;
    expect(listed).toContainEqual(await get(alert.id));
    expect((await send('GET', `${PATH}/${alert.id}/runs`)).json).toEqual([]);
  });
});

describe('the rights', () => {
  it('are those of its owner: a token that is tied to a project reads that project, and sees its alerts alone', async () => {
    const tied = await api.token(['query'], project);
    const free = await create();
    const own = await create({ parameters: { project: 'another' } }, tied);
    const listed = (await send('GET', PATH, undefined, tied)).json;
    expect(Object(listed).map(({ id }: AlertView) => id)).toEqual([own.id]);
    for (const [method, path, body] of [
      ['GET', free.id],
      ['DELETE', free.id],
      ['PATCH', free.id, { name: 'Mine' }],
      ['POST', `${free.id}/test`],
      ['GET', `${free.id}/runs`],
    ] as const)
      expect(refusalOf(await send(method, `${PATH}/${path}`, body, tied))).toBe('404 alert-not-found');
    await api.ingest([entry('mine'), { ...entry('theirs'), project: 'another' }]);
    await runAt(1);
    expect((await get(own.id)).lastRun).toMatchObject({ state: 'quiet', rows: 0 });
  });

  it('end with the token: then it fails, and says why', async () => {
    const token = await api.token(['admin']);
    const alert = await create({}, token);
    await api.revoke(token);
    await runAt(1);
    expect((await get(alert.id)).lastRun).toMatchObject({
      state: 'failed',
      problem: 'the access token of its owner was revoked',
    });
  });

  it('to manage alerts of all projects are those of the scope admin', async () => {
    expect(refusalOf(await send('GET', PATH, undefined, api.tokens.query))).toBe('403 token-scope');
    expect(refusalOf(await send('POST', PATH, fieldsOf(), api.tokens.query))).toBe('403 token-scope');
  });
});

describe('an alert that cannot be', () => {
  it.each<[string, object, string]>([
    ['has no name', { name: ' ' }, 'name'],
    ['has a misspelt field', { windowMinuets: 5 }, 'windowMinuets'],
    ['has another schedule', { everyMinutes: 7 }, 'everyMinutes'],
    ['has a window without end', { windowMinutes: 0 }, 'windowMinutes'],
    ['has a wrong condition', { condition: { is: '!=', value: 1 } }, 'condition.is'],
    ['sets the window itself', { parameters: { iso_timestamp_start: '' } }, 'parameters'],
    [
      'has a receiver in this network',
      { receivers: [{ kind: 'slack', url: 'https://10.0.0.1/' }] },
      'receivers[0].url',
    ],
    [
      'has a receiver without TLS',
      { receivers: [{ kind: 'slack', url: 'http://hooks.example/' }] },
      'receivers[0].url',
    ],
    [
      'has an e-mail to more than an address',
      { receivers: [{ kind: 'email', url: 'mailto:a@example.com?cc=b@example.com,c@example.com' }] },
      'receivers[0].url',
    ],
    [
      'has no kind of receiver',
      { receivers: [{ kind: 'fax', url: 'https://hooks.example/' }] },
      'receivers[0].kind',
    ],
    [
      'looks at all entries of all time',
      { endpoint: 'usage.api-counts', parameters: { interval: 'daily' } },
      'endpoint',
    ],
  ])('%s', async (_, change, field) => {
    const reply = await send('POST', PATH, fieldsOf(change));
    expect(reply.status).toBe(400);
    expect(Object(reply.json).errors).toMatchObject([{ field }]);
  });

  it('names an endpoint that there is not, or a query that cannot run', async () => {
    expect(refusalOf(await send('POST', PATH, fieldsOf({ endpoint: 'none' })))).toBe(
      '404 endpoint-not-found',
    );
    const broken = fieldsOf({ parameters: { project, lql: 'error t:last@5fortnights' } });
    expect((await send('POST', PATH, broken)).status).toBe(400);
  });
});

it('is made, changed, silenced, shown and removed by the command line', async () => {
  const podium = podiumOn(api.server.dataDir, { PODIUM_ALERT_HOSTS: '127.0.0.1', ...mailSettings });
  const asked = [
    '--endpoint',
    'logs.all',
    '--param',
    `project=${project}`,
    '--every',
    '1440',
    '--window',
    '60',
  ];
  const receivers = ['--when', 'rows > 10', '--webhook', `${base}/cli`, '--email', 'ops@example.com'];
  const created: AlertView = Object(
    await done(podium, 'alerts', 'create', 'By the operator', ...asked, ...receivers),
  );
  const { id } = created;
  expect(created.receivers).toMatchObject([
    { url: `${base}/cli`, secret: expect.stringMatching(/^whsec_/) },
    { url: 'mailto:ops@example.com', secret: null },
  ]);
  expect(await get(id)).toMatchObject({
    owner: { kind: 'operator', id: null },
    condition: { column: null, is: '>', value: 10 },
  });
  await done(podium, 'alerts', 'edit', id, '--when', 'any', '--run', 'off');
  const { revision } = created;
  const overtaken = await send('PATCH', `${PATH}/${id}`, { name: 'Other', revision });
  expect(refusalOf(overtaken)).toBe('409 alert-changed');
  expect((await podium('alerts', 'edit', id)).stderr).toContain('the change names no field');
  const end = new Date(Date.now() + 3_600_000).toISOString();
  await done(podium, 'alerts', 'silence', id, '--until', end);
  expect(await get(id)).toMatchObject({ condition: null, enabled: false, silencedUntil: end });
  await done(podium, 'alerts', 'silence', id);
  expect((await get(id)).silencedUntil).toBeNull();
  expect((await podium('alerts', 'list')).stdout).toContain('By the operator');
  expect(await done(podium, 'alerts', 'runs', id)).toEqual([]);
  await done(podium, 'alerts', 'remove', id);
  expect(refusalOf(await send('GET', `${PATH}/${id}`))).toBe('404 alert-not-found');
});

it('has no receiver of e-mail where the server has no mail server', async () => {
  const without = podiumOn(api.server.dataDir, {});
  const asked = ['alerts', 'create', 'By mail', '--endpoint', 'logs.all', '--email', 'ops@example.com'];
  const { status, stderr } = await without(...asked);
  expect(status).not.toBe(0);
  expect(stderr).toContain('receivers[0].url cannot be reached: the server has no PODIUM_SMTP_URL');
});
