/** Settings of the sign-in: what they may be, and what refuses the start. */
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/foundation/config.js';

it('takes the token of podium logs tail, which a shell may have exported, as no setting', () => {
  expect(loadConfig({ PODIUM_TOKEN: 'podium_token_x' })).toEqual(loadConfig({}));
});

it.each(['PODIUM_DATA', 'HOST'])('%s may not be empty', (name) => {
  expect(() => loadConfig({ [name]: '' })).toThrow(`${name} is empty`);
});

it('LOG_STORE_URL names a node by a whole URL, and is not repeated when it is none', () => {
  expect(loadConfig({ LOG_STORE_URL: 'http://log-owner:3000' }).logStoreUrl).toBe('http://log-owner:3000');
  for (const url of ['http://log owner', 'https://u:s3/cret@node', 'http://node:x'])
    expect(() => loadConfig({ LOG_STORE_URL: url })).toThrow(
      /^LOG_STORE_URL may be duckdb:PATH or (?!.*cret)/,
    );
});

it('PODIUM_METRICS_PORT is not the port of the server', () => {
  expect(loadConfig({ PORT: '3000', PODIUM_METRICS_PORT: '3001' }).metricsPort).toBe(3001);
  expect(loadConfig({ PORT: '0', PODIUM_METRICS_PORT: '0' }).metricsPort).toBe(0);
  expect(() => loadConfig({ PORT: '3000', PODIUM_METRICS_PORT: '3000' })).toThrow(
    'PODIUM_METRICS_PORT is 3000, as PORT is',
  );
});

describe('PODIUM_ORIGIN', () => {
  it.each([
    ['https://results.example.org', 'https://results.example.org'],
    ['https://results.example.org:8443/', 'https://results.example.org:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['', undefined],
  ])('may be %s', (text, origin) => {
    expect(loadConfig({ PODIUM_ORIGIN: text }).origin?.origin).toBe(origin);
  });

  it.each([
    'results.example.org',
    'http://results.example.org',
    'https://192.0.2.1',
    'https://[2001:db8::1]',
    'https://results.example.org/podium',
    'https://results.example.org,https://other.example.org',
  ])('may not be %s', (text) => {
    expect(() => loadConfig({ PODIUM_ORIGIN: text })).toThrow(
      `PODIUM_ORIGIN is ${text}; it may be https://NAME`,
    );
  });
});

it('PODIUM_ADMIN_SECOND_FACTOR is true or false', () => {
  expect(loadConfig({}).adminsNeedSecondFactor).toBe(false);
  expect(loadConfig({ PODIUM_ADMIN_SECOND_FACTOR: 'true' }).adminsNeedSecondFactor).toBe(true);
  expect(() => loadConfig({ PODIUM_ADMIN_SECOND_FACTOR: 'yes' })).toThrow('it may be true or false');
});

describe('PODIUM_TRUST_PROXY', () => {
  it.each([
    ['true', true],
    ['false', false],
    ['10.0.0.1', '10.0.0.1'],
    ['::1', '::1'],
    ['127.0.0.1, 10.87.0.0/24,fd00::/8', '127.0.0.1, 10.87.0.0/24,fd00::/8'],
  ])('may be %s', (text, trustProxy) => {
    expect(loadConfig({ PODIUM_TRUST_PROXY: text }).trustProxy).toBe(trustProxy);
  });

  it.each([
    '1',
    '2',
    '',
    'cafe',
    '10.0.0',
    '300.1.1.1',
    'fd00::/129',
    'fe80::1%lo',
    '10.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.1,',
    'proxy',
  ])('may not be %j, with which no proxy would be trusted, or another than is meant', (text) => {
    expect(() => loadConfig({ PODIUM_TRUST_PROXY: text })).toThrow(
      `PODIUM_TRUST_PROXY is ${text}; it may be true, false, or addresses`,
    );
  });
});

describe('PODIUM_SMTP_URL', () => {
  const of = (url: string, from = 'Podium <podium@results.example>') =>
    loadConfig({ PODIUM_SMTP_URL: url, PODIUM_MAIL_FROM: from }).mail;

  it('names the mail server, together with PODIUM_MAIL_FROM', () => {
    expect(loadConfig({}).mail).toBeNull();
    const url = 'smtps://podium:s3cret@mail.internal:465';
    expect(of(url)).toEqual({ url, from: 'Podium <podium@results.example>' });
    expect(of('smtp://mail.internal', 'podium@results.example')?.from).toBe('podium@results.example');
  });

  it.each([
    ['http://podium:s3cret@mail.internal'],
    ['smtp://podium:s3cret@'],
    ['smtp://podium:s3cret@mail.internal/path'],
    ['smtp://podium:s3cret@mail.internal?pool=true'],
    [''],
  ])('may not be %p, and its password stays out of the message', (url) => {
    expect(() => of(url)).toThrow(/^PODIUM_SMTP_URL may be smtp:\/\/HOST:PORT or (?!.*s3cret)/);
  });

  it('needs a sender beside it', () => {
    expect(() => of('smtp://mail.internal', '')).toThrow(
      'PODIUM_MAIL_FROM must be given where PODIUM_SMTP_URL is',
    );
  });

  it.each(['podium', 'Podium podium@results.example', 'A <a@b>, B <c@d>', 'P\r\nBcc: <a@b>'])(
    'has no sender %p',
    (from) => {
      expect(() => of('smtp://mail.internal', from)).toThrow('PODIUM_MAIL_FROM is');
    },
  );
});

describe('PODIUM_S3_URL', () => {
  const SET = {
    PODIUM_S3_URL: 'https://s3.example/bucket/logs',
    PODIUM_S3_KEY_ID: 'AKID',
    PODIUM_S3_SECRET: 's3cret',
  };

  it('names the bucket of drains, together with its access key', () => {
    expect(loadConfig({}).objectStore).toBeNull();
    expect(loadConfig(SET).objectStore).toEqual({
      ...{ url: 'https://s3.example/bucket/logs', keyId: 'AKID', secret: 's3cret', region: 'us-east-1' },
    });
    expect(loadConfig({ ...SET, PODIUM_S3_REGION: 'eu-west-1' }).objectStore?.region).toBe('eu-west-1');
  });

  it.each([
    [{ PODIUM_S3_URL: 's3://bucket' }, 'PODIUM_S3_URL may be https://HOST/BUCKET'],
    [{ PODIUM_S3_URL: 'https://s3.example' }, 'PODIUM_S3_URL may be https://HOST/BUCKET'],
    [{ PODIUM_S3_URL: 'https://AKID:s3cret@s3.example/bucket' }, 'PODIUM_S3_URL may be https://HOST/BUCKET'],
    [{ PODIUM_S3_URL: '' }, 'PODIUM_S3_URL may be https://HOST/BUCKET'],
    [{ PODIUM_S3_KEY_ID: '' }, 'PODIUM_S3_KEY_ID must be given'],
    [{ PODIUM_S3_SECRET: '' }, 'PODIUM_S3_SECRET must be given'],
    [{ PODIUM_S3_REGION: 'EU West' }, 'PODIUM_S3_REGION may be'],
  ])('refuses %p, and tells no secret', (change, said) => {
    const load = () => loadConfig({ ...SET, ...change });
    expect(load).toThrow(said);
    expect(load).not.toThrow(/s3cret/);
  });
});

it('PODIUM_ALERT_HOSTS lists names and addresses of hosts', () => {
  expect(loadConfig({}).alertHosts).toEqual([]);
  expect(loadConfig({ PODIUM_ALERT_HOSTS: 'Hooks.internal, 10.0.0.7,fd00::7' }).alertHosts).toEqual([
    'hooks.internal',
    '10.0.0.7',
    'fd00::7',
  ]);
  expect(() => loadConfig({ PODIUM_ALERT_HOSTS: 'https://hooks.internal/' })).toThrow(
    'PODIUM_ALERT_HOSTS has https://hooks.internal/; it may be names and addresses of hosts',
  );
});

describe('PODIUM_EDGE_*', () => {
  const URL_ = 'https://api.fastly.com/service/abc/purge';

  it('are off, or say how long a shared cache answers and where it takes purges', () => {
    expect(loadConfig({}).edge).toBeNull();
    expect(loadConfig({ PODIUM_EDGE_SECONDS: '', PODIUM_EDGE_PURGE_URL: '' }).edge).toBeNull();
    expect(loadConfig({ PODIUM_EDGE_SECONDS: '60' }).edge).toEqual({
      seconds: 60,
      staleSeconds: 0,
      purge: null,
    });
    const all = {
      PODIUM_EDGE_SECONDS: '60',
      PODIUM_EDGE_STALE_SECONDS: '30',
      PODIUM_EDGE_PURGE_URL: URL_,
      PODIUM_EDGE_PURGE_HEADER: 'Fastly-Key: secret key',
    };
    expect(loadConfig(all).edge).toEqual({
      seconds: 60,
      staleSeconds: 30,
      purge: { url: URL_, header: { 'Fastly-Key': 'secret key' } },
    });
  });

  it.each([
    [{ PODIUM_EDGE_SECONDS: '-1' }, 'PODIUM_EDGE_SECONDS is -1; it may be 0 to 86400'],
    [{ PODIUM_EDGE_STALE_SECONDS: '5' }, 'PODIUM_EDGE_SECONDS must be at least 1'],
    [{ PODIUM_EDGE_PURGE_URL: URL_ }, 'PODIUM_EDGE_SECONDS must be at least 1'],
    [
      { PODIUM_EDGE_SECONDS: '1', PODIUM_EDGE_PURGE_URL: 'ftp://cache' },
      'PODIUM_EDGE_PURGE_URL may be http://',
    ],
    [{ PODIUM_EDGE_SECONDS: '1', PODIUM_EDGE_PURGE_HEADER: 'A: b' }, 'PODIUM_EDGE_PURGE_URL may be http://'],
  ])('%j are refused', (env, message) => {
    expect(() => loadConfig(env)).toThrow(message);
  });

  it('take no password in the URL, and do not repeat it', () => {
    const env = { PODIUM_EDGE_SECONDS: '1', PODIUM_EDGE_PURGE_URL: 'https://purger:secret@cache/purge' };
    expect(() => loadConfig(env)).toThrow(
      'PODIUM_EDGE_PURGE_URL may be http://HOST/PATH or https://HOST/PATH; a password goes into PODIUM_EDGE_PURGE_HEADER',
    );
  });

  it('do not repeat a secret with a slip in it', () => {
    const env = { PODIUM_EDGE_SECONDS: '1', PODIUM_EDGE_PURGE_URL: URL_, PODIUM_EDGE_PURGE_HEADER: 'secret' };
    expect(() => loadConfig(env)).toThrow(
      'PODIUM_EDGE_PURGE_HEADER may be NAME: VALUE, such as Fastly-Key: …',
    );
  });
});
