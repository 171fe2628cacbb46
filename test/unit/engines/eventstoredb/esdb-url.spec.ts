/** The URL of an EventStoreDB: what it says, what is refused, and that no refusal shows the password. */
import { describe, expect, it } from '@jest/globals';
import { parseEsdbUrl } from '../../../../src/engines/eventstoredb/esdb-url.js';
import { loadConfig } from '../../../../src/foundation/config.js';
import { ConfigError } from '../../../../src/foundation/config-error.js';
import { CERTIFICATE } from '../../../support/eventstoredb/test-server.js';

const SECRET = 's3cret';

describe('the URL of an EventStoreDB', () => {
  it('names one node, TLS being on and the port 2113 unless it says otherwise', () => {
    expect(parseEsdbUrl('esdb://stage.example')).toEqual({
      connection: { endpoint: { address: 'stage.example', port: 2113 } },
      tls: { insecure: false },
      discovers: false,
      where: 'stage.example:2113',
      timeoutMs: 5_000,
      keepAliveTimeoutMs: 10_000,
    });
    expect(parseEsdbUrl('esdb://127.0.0.1:2114/?tls=false&defaultDeadline=800')).toMatchObject({
      connection: { endpoint: { address: '127.0.0.1', port: 2114 } },
      tls: { insecure: true },
      timeoutMs: 800,
    });
  });

  it('names a cluster by its nodes or by a name to discover', () => {
    const [a, b] = [
      { address: 'a', port: 1 },
      { address: 'b', port: 2113 },
    ];
    expect(parseEsdbUrl('esdb://a:1,b?nodePreference=Follower')).toMatchObject({
      connection: { endpoints: [a, b], nodePreference: 'follower' },
      discovers: true,
      where: 'a:1,b:2113',
    });
    expect(parseEsdbUrl('esdb+discover://b?maxDiscoverAttempts=3')).toMatchObject({
      connection: { discover: b, maxDiscoverAttempts: 3 },
      discovers: true,
    });
  });

  it('takes credentials apart, percent-encoded or not', () => {
    const { credentials, where } = parseEsdbUrl('esdb://ad%40min:a:b%2Fc%40d@host:1');
    expect(credentials).toEqual({ username: 'ad@min', password: 'a:b/c@d' });
    expect(where).toBe('host:1');
  });

  it('reads certificates when it is opened', () => {
    const { tls } = parseEsdbUrl(`esdb://host?tlsCAFile=${encodeURIComponent(CERTIFICATE)}`);
    expect(String(tls.rootCertificate)).toContain('BEGIN CERTIFICATE');
  });

  it.each([
    ['esdb://', /is not esdb:/],
    [`esdb://u:${SECRET}@`, /is not esdb:/],
    [`esdb://u:${SECRET}@ho st`, /a host that is none/],
    [`esdb://u:${SECRET}@host:port`, /a host that is none/],
    [`esdb://u:%zz${SECRET}@host`, /the password .* percent-encoded/],
    [`esdb://u:${SECRET}@host?tsl=false`, /tsl is not a parameter .* tls,/],
    [`esdb://u:a?b${SECRET}@host?tls=false`, /has to be %3F/],
    [`esdb://u:a?b&=${SECRET}@host`, /has to be %3F/],
    [`esdb://u:${SECRET}@host?tls=no`, /tls .* true or false/],
    [`esdb://u:${SECRET}@host?tlsVerifyCert=false`, /tlsCAFile/],
    [`esdb://u:${SECRET}@host?tlsCAFile=/nowhere`, /cannot be read: \/nowhere/],
    [`esdb://u:${SECRET}@host?userCertFile=${encodeURIComponent(CERTIFICATE)}`, /belong together/],
    [`esdb://u:${SECRET}@host?defaultDeadline=soon`, /defaultDeadline .* whole number/],
    [`esdb://u:${SECRET}@host?keepAliveInterval=5`, /at least 10000/],
    [`esdb://u:${SECRET}@a,b?nodePreference=best`, /leader, follower/],
  ])('%s is refused in one line without the password', (url, reason) => {
    const refusal = (): unknown => parseEsdbUrl(url);
    expect(refusal).toThrow(ConfigError);
    expect(refusal).toThrow(reason);
    expect(refusal).not.toThrow(SECRET);
    expect(refusal).not.toThrow('\n');
  });

  it('of another scheme is refused by the configuration without being shown', () => {
    const load = (): unknown => loadConfig({ EVENT_STORE_URL: `http://u:${SECRET}@host` });
    expect(load).toThrow(/EVENT_STORE_URL may be/);
    expect(load).not.toThrow(SECRET);
  });
});
