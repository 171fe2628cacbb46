/** `podium logs tail` beside a server: one line for each entry, over lost connections, until Ctrl-C or a revoked token. */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { podiumProcess } from '../../support/cli.js';
import { type EndpointApi, startEndpointApi } from '../../support/endpoint-api.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';

let api: EndpointApi;
let proxy: TcpProxy;
const running: TailProcess[] = [];

beforeAll(async () => {
  api = await startEndpointApi();
  proxy = await TcpProxy.start(Number(new URL(api.server.url).port));
});
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await proxy?.close();
  await api?.close();
});

class TailProcess {
  readonly child;
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | null>;

  constructor(token: string, ...args: readonly string[]) {
    const env = token === '' ? {} : { PODIUM_TOKEN: token };
    this.child = podiumProcess(api.server.dataDir, env, 'logs', 'tail', ...args);
    this.child.stdout.on('data', (piece) => {
      this.stdout += piece;
    });
    this.child.stderr.on('data', (piece) => {
      this.stderr += piece;
    });
    this.ended = once(this.child, 'close').then(([status]) => status);
    running.push(this);
  }

  get lines(): readonly string[] {
    return this.stdout.split('\n').slice(0, -1);
  }

  async has(lines: number): Promise<void> {
    await until(
      async () => [this.lines.length, this.stderr],
      ([length]) => Number(length) >= lines,
    );
  }
}

const AT = '2026-03-17T14:47:02.123456Z';

const ingest = (project: string, ...messages: readonly string[]): Promise<void> =>
  api.ingest(messages.map((event_message) => ({ event_message, project, timestamp: AT })));

const readers = async (): Promise<number> => {
  const { text } = await api.client.get('/metrics');
  return Number(/^podium_log_tail_readers (\d+)$/m.exec(text)?.[1]);
};

const follows = (count: number) => until(readers, (open) => open === count);

it('prints a line for each entry, goes on where it was after a lost connection, and ends with Ctrl-C', async () => {
  const project = 'lost';
  const tail = new TailProcess(
    api.tokens.query,
    '--project',
    project,
    '--server',
    `http://127.0.0.1:${proxy.port}`,
  );
  await follows(1);
  await ingest(project, 'one', 'two\nlines \u001b[2J');
  await tail.has(2);
  await proxy.goAway();
  await follows(0);
  await ingest(project, 'missed');
  await ingest('another', 'of another');
  await proxy.comeBack();
  await tail.has(3);
  await ingest(project, 'last');
  await tail.has(4);
  const messages = ['one', 'two\\u000alines \\u001b[2J', 'missed', 'last'];
  expect(tail.lines).toEqual(messages.map((message) => `${AT}  ${message}`));
  expect(tail.stderr).toMatch(/^the connection was lost \(.+\), and is made again\n$/);
  tail.child.kill('SIGINT');
  expect(await tail.ended).toBe(0);
  await follows(0);
});

it('says that the token was revoked', async () => {
  const token = await api.token(['query']);
  const tail = new TailProcess(token, '--server', api.server.url);
  await follows(1);
  await api.revoke(token);
  expect(await tail.ended).toBe(1);
  expect(tail.stderr).toBe('podium: the access token was revoked\n');
});

it('prints the position of each entry as JSON, with the filter and redaction', async () => {
  const asked = ['--lql', 'f:otel_logs "wanted"', '--redact', '--json', '--server', api.server.url];
  const tail = new TailProcess(api.tokens.query, ...asked);
  await follows(1);
  await api.ingest(
    ['not', 'wanted from 203.0.113.9'].map((event_message) => ({ event_message, project: 'json' })),
    'otel_logs',
  );
  await tail.has(1);
  expect(tail.lines.map((line) => JSON.parse(line))).toEqual([
    {
      position: expect.any(Number),
      entry: expect.objectContaining({ event_message: 'wanted from REDACTED' }),
    },
  ]);
  tail.child.kill('SIGTERM');
  expect(await tail.ended).toBe(0);
});

it.each([
  ['no token', '', [], 'podium: give an access token with --token or in PODIUM_TOKEN\n'],
  ['an unknown token', 'podium_log_none', [], 'podium: the access token is not known\n'],
  ['a time in the filter', null, ['--lql', 't:today'], 'podium: a tail takes no time: '],
  [
    'no server',
    null,
    ['--server', 'http://127.0.0.1:9'],
    'podium: no server answers at http://127.0.0.1:9: ',
  ],
])('says what is wrong: %s', async (_, token, args, message) => {
  const tail = new TailProcess(token ?? api.tokens.query, '--server', api.server.url, ...args);
  expect(await tail.ended).toBe(1);
  expect(tail.stderr).toContain(message);
});
