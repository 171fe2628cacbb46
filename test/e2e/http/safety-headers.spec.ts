/**
 * Every reply forbids the guessing of types, whichever way it goes, and one behind https tells the browser to come by https
 * alone. The page of the API's description works under its own policy.
 */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST } from '../../support/api-world.js';
import { newContext } from '../../support/browser-context.js';
import { describeInChromium, launchChromium } from '../../support/chromium.js';
import { Client, type Reply } from '../../support/client.js';

let api: Api;
let client: Client;

beforeAll(async () => {
  api = await startApi({ PODIUM_TRUST_PROXY: '127.0.0.1' });
  client = new Client(api.server.url);
});
afterAll(async () => {
  client.close();
  await api.close();
});

const HTTPS = { 'x-forwarded-proto': 'http, https' };
const SAFE = 'nosniff';
const HTTPS_ONLY = 'max-age=31536000';

const attempt = (): unknown => ({
  ...{ competitionId: CONTEST, eventId: '333', roundNumber: 1, personId: api.world.personIds[0] },
  ...{ attemptNumber: 1, attemptResult: 1_000 },
});

/** Each way that a reply can go: routed, ready, early, hijacked, static, refused. */
const WAYS: readonly (readonly [string, (headers: Readonly<Record<string, string>>) => Promise<Reply>])[] = [
  ['a read', (headers) => client.get('/api/rankings/333/single/all?topN=7', headers)],
  ['a ready read', (headers) => client.get('/api/rankings/333/single/all?topN=7', headers)],
  ['a page', (headers) => client.get('/records', headers)],
  ['a ready page', (headers) => client.get('/records', headers)],
  ['an early attempt', (headers) => enter('/api/enter-attempt', headers)],
  ['a routed attempt', (headers) => enter('/api/enter-attempt?', headers)],
  ['a live round', (headers) => client.send(LIVE, { method: 'HEAD', headers })],
  ['a file', (headers) => client.get('/static/icon.svg', headers)],
  ['health', (headers) => client.get('/api/healthcheck', headers)],
  ['metrics', (headers) => client.get('/metrics', headers)],
  ['OPTIONS', (headers) => client.send('/api/events', { method: 'OPTIONS', headers })],
  ['no path', (headers) => client.get('/api/nothing', headers)],
  ['no page', (headers) => client.get('/nothing', headers)],
  ['another method', (headers) => client.send('/api/events', { method: 'PUT', headers })],
  ['a path that cannot be decoded', (headers) => client.get('/api/%zz', headers)],
  ['no token', (headers) => client.get('/api/endpoints', headers)],
  ['no session', (headers) => client.get('/dashboard', headers)],
  ['the description', (headers) => client.get('/api/docs', headers)],
  ['its document', (headers) => client.get('/api/docs/openapi.json', headers)],
];
const LIVE = `/api/competitions/${CONTEST}/rounds/333/1/live`;

const enter = (path: string, headers: Readonly<Record<string, string>>): Promise<Reply> =>
  client.post(path, attempt(), { 'x-api-key': api.world.keys.good, ...headers });

describe.each(WAYS)('the reply of %s', (_, ask) => {
  it('forbids the guessing of types, once', async () => {
    const { headers } = await ask({});
    expect(headers['x-content-type-options']).toBe(SAFE);
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  it('tells browsers to come by https alone, when they came by it', async () => {
    for (const { headers } of [await ask(HTTPS), await ask(HTTPS)]) {
      expect(headers['x-content-type-options']).toBe(SAFE);
      expect(headers['strict-transport-security']).toBe(HTTPS_ONLY);
    }
    const { headers } = await ask({ 'x-forwarded-proto': 'https, http' });
    expect(headers).not.toHaveProperty('strict-transport-security');
  });
});

it.each([
  ['what is no HTTP', 'NO HTTP', 400],
  ['a request without a Host', 'GET /api/events HTTP/1.1', 400],
  ['an expectation', 'GET /api/events HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close', 417],
])('the refusal of %s says why and forbids the guessing of types', async (_, bytes, status) => {
  const { hostname, port } = new URL(api.server.url);
  const reply = await new Promise<string>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(`${bytes}\r\n\r\n`));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
  expect(reply).toMatch(/^x-content-type-options: nosniff\r$/im);
  expect(reply).toContain(`"status":${status}`);
});

describe('/api/docs', () => {
  it('allows the scripts of this server and no other', async () => {
    for (const path of ['/api/docs', '/api/docs/', '/api/docs/swagger-ui-bundle.js']) {
      const { headers } = await client.get(path);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
    }
  });
});

describeInChromium('/api/docs in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  it('shows its operations and runs one, with no complaint', async () => {
    const page = await (await newContext(browser, {})).newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    const { headers } = await client.get('/api/docs');
    expect(headers['content-security-policy']).toBeDefined();
    await page.goto(`${api.server.url}/api/docs`);
    const operation = page.locator('.opblock', { hasText: '/api/events' }).first();
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
