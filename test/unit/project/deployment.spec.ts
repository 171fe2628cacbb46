/**
 * What the deployment files promise, read from the files themselves: no engine of containers is needed for it. Every
 * image is pinned, every service says whether it is well, no secret has a default, and the nodes' settings are settings.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readClickhouseUrl } from '../../../src/engines/clickhouse/clickhouse-url.js';
import { loadConfig } from '../../../src/foundation/config.js';
import { KEEP_ALIVE_TIMEOUT_MS } from '../../../src/http/message/limits.js';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly restart?: string;
  readonly entrypoint?: string | readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly tmpfs?: string | readonly string[];
  readonly networks?:
    | readonly string[]
    | Readonly<Record<string, { readonly aliases?: readonly string[] } | null>>;
  readonly logging?: { readonly driver: string };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<
    Record<string, { readonly ipam?: { readonly config: readonly { readonly subnet: string }[] } }>
  >;
}

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
/** Files in the order of `docker compose -f`. */
const composeOf = (...files: readonly string[]): Compose =>
  files.map((file) => parse(read(file), { merge: true })).reduce(merged);

/** As compose does it: maps by their keys, lists one after the other, later values instead of earlier ones. */
const merged = (one: unknown, other: unknown) => {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (!isMap(one) || !isMap(other)) return other;
  const both: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) both[key] = key in one ? merged(one[key], value) : value;
  return both;
};

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const dockerfile = read('Dockerfile');
const INTERPOLATION = /(?<!\$)\$\{([A-Z_]+)(:\?|:-)?([^}]*)\}/g;

/** As compose does it: a value from the environment, else the default. */
const interpolated = (text: string, env: Readonly<Record<string, string>>): string =>
  text.replaceAll(INTERPOLATION, (_, name: string, kind: string | undefined, rest: string) => {
    const given = env[name];
    if (given !== undefined) return given;
    return kind === ':-' ? rest : '';
  });

const ON_CLICKHOUSE = ['docker-compose.yml', 'docker-compose.clickhouse.yml'];
const ON_REPLICAS = [...ON_CLICKHOUSE, 'docker-compose.clickhouse-replicas.yml'];
const SECRETS = {
  KURRENTDB_PODIUM_PASSWORD: 'a1',
  MONGO_PODIUM_PASSWORD: 'b2',
  CLICKHOUSE_PODIUM_PASSWORD: 'c3',
  CLICKHOUSE_READER_PASSWORD: 'd4',
};

describe.each([
  { files: ['docker-compose.yml'] },
  { files: ['docker-compose.single.yml'] },
  { files: ON_CLICKHOUSE },
  { files: ON_REPLICAS },
])('$files', ({ files }) => {
  const { services, volumes } = composeOf(...files);
  const all = Object.entries(services);

  it('pins every image that it does not build', () => {
    for (const [name, { image = '', build }] of all) {
      if (build === undefined)
        expect([name, image]).toEqual([name, expect.stringMatching(/:\d+\.\d+[\w.-]*$/)]);
    }
  });

  it('says of every service whether it is well, or runs it once and waits for its end', () => {
    const once = all.filter(([, { restart }]) => restart === 'no').map(([name]) => name);
    const awaited = all.flatMap(([, { depends_on = {} }]) =>
      Object.entries(depends_on)
        .filter(([, { condition }]) => condition === 'service_completed_successfully')
        .map(([name]) => name),
    );
    for (const name of once) expect(awaited).toContain(name);
    for (const [name, { restart, healthcheck, build }] of all) {
      if (restart === 'no') continue;
      expect([name, restart]).toEqual([name, 'unless-stopped']);
      const ownCheck = healthcheck !== undefined || (build === '.' && dockerfile.includes('HEALTHCHECK'));
      expect([name, ownCheck]).toEqual([name, true]);
    }
  });

  it('has no secret in it, and asks for each that is missing', () => {
    for (const [, { environment = {} }] of all) {
      for (const [name, value] of Object.entries(environment)) {
        const credentials = /:\/\/[^/]*@/.exec(value)?.[0];
        if (credentials !== undefined) expect(credentials).toMatch(/^:\/\/\w+:\$\{[A-Z_]+:\?.+\}@$/);
        if (/PASSWORD|SECRET|_KEY$/.test(name) && !name.endsWith('_FILE'))
          expect([name, value]).toEqual([name, expect.stringMatching(/^\$\{[A-Z_]+:\?.+\}$/)]);
      }
    }
    for (const [, name = '', kind] of files.map(read).join('').matchAll(INTERPOLATION))
      if (kind === ':?') expect(read('.env.example')).toContain(`\n${name}=\n`);
  });

  it('gives the nodes settings that Podium takes', () => {
    const nodes = all.filter(([, { build }]) => build === '.');
    expect(nodes.length).toBeGreaterThan(0);
    for (const [, { environment = {} }] of nodes) {
      const given = Object.entries(environment).map(([name, value]) => {
        return [name, interpolated(value, SECRETS)];
      });
      expect(() => loadConfig(Object.fromEntries(given))).not.toThrow();
    }
  });

  it('lets no log of what runs on grow without end', () => {
    for (const [name, { restart, logging }] of all)
      if (restart !== 'no') expect([name, logging?.driver]).toEqual([name, 'local']);
  });

  it('publishes on this machine only, and keeps data in named volumes', () => {
    for (const [, { ports = [], volumes: mounts = [] }] of all) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
      for (const mount of mounts) {
        const [source = ''] = mount.split(':');
        if (!source.startsWith('./deploy/')) expect(Object.keys(volumes)).toContain(source);
      }
    }
  });
});

describe('the MongoDB servers of docker-compose.yml', () => {
  const servers = Object.values(composeOf('docker-compose.yml').services).filter(({ image = '' }) =>
    image.startsWith('mongo:'),
  );

  it('leave no volume without a name behind', () => {
    expect(servers).toHaveLength(4);
    for (const { volumes = [], tmpfs = [] } of servers) {
      const named = volumes.map((mount) => mount.split(':')[1]);
      expect([...named, ...[tmpfs].flat()]).toEqual(expect.arrayContaining(['/data/db', '/data/configdb']));
    }
  });

  it('share the memory of their machine', () => {
    const members = servers.filter(({ restart }) => restart !== 'no');
    for (const { entrypoint = [] } of members) {
      expect(interpolated([entrypoint].flat().join(' '), {})).toContain('--wiredTigerCacheSizeGB 1\n');
    }
  });
});

describe('the nodes of docker-compose.yml', () => {
  const { services, networks } = composeOf('docker-compose.yml');
  const configs = ['podium-1', 'podium-2', 'podium-3'].map((name) => {
    const { environment = {} } = services[name] ?? {};
    const given = Object.entries(environment).map(([key, value]) => [
      key,
      interpolated(value, { KURRENTDB_PODIUM_PASSWORD: 'a1', MONGO_PODIUM_PASSWORD: 'b2' }),
    ]);
    return loadConfig(Object.fromEntries(given));
  });

  it('stand on the same stores', () => {
    const [first] = configs;
    for (const { eventStoreUrl, readModelUrl, operationalUrl } of configs) {
      expect([eventStoreUrl, readModelUrl, operationalUrl]).toEqual([
        first?.eventStoreUrl,
        first?.readModelUrl,
        first?.operationalUrl,
      ]);
    }
    expect(first?.eventStoreUrl).toBe('esdb://podium:a1@kurrentdb:2113?tls=true&tlsCAFile=/certs/ca.crt');
    expect(new URL(first?.readModelUrl.replaceAll(',', '.') ?? '').searchParams.get('replicaSet')).toBe(
      'podium',
    );
    expect(first?.readModelUrl).not.toBe(first?.operationalUrl);
  });

  it('wait for their user in the event store, which the administrator of it creates', () => {
    for (const name of ['podium-1', 'podium-2', 'podium-3'])
      expect(services[name]?.depends_on).toMatchObject({
        'kurrentdb-user': { condition: 'service_completed_successfully' },
      });
    const { environment = {}, depends_on } = services['kurrentdb-user'] ?? {};
    const url = interpolated(environment.EVENT_STORE_URL ?? '', { KURRENTDB_PODIUM_PASSWORD: 'a1' });
    expect(url).toBe(configs[0]?.eventStoreUrl);
    expect(depends_on).toEqual({ kurrentdb: { condition: 'service_healthy' } });
  });

  it('have one owner of the log store', () => {
    expect(configs.map(({ logStoreUrl }) => logStoreUrl)).toEqual([
      expect.stringMatching(/^duckdb:/),
      'http://log-owner:3000',
      'http://log-owner:3000',
    ]);
    expect(services['podium-1']?.volumes).toContain('podium-data:/data');
  });

  it('reach the owner of the log store where it believes them, and nowhere else', () => {
    const { front, back } = Object(services['podium-1']?.networks);
    expect(front.aliases).toEqual(['log-owner']);
    expect(back).toBeNull();
    const [subnet] = networks.front?.ipam?.config ?? [];
    expect(configs[0]?.trustProxy).toBe(subnet?.subnet);
  });

  it('are all known to the balancer, which asks whether they are ready for traffic', () => {
    const caddyfile = read('deploy/Caddyfile');
    for (const name of ['podium-1', 'podium-2', 'podium-3']) expect(caddyfile).toContain(`${name}:3000`);
    expect(caddyfile).toContain('health_uri /api/healthcheck?for=traffic');
    // When none is ready, each still answers what it can: ready reads and entry without MongoDB.
    expect(caddyfile).toMatch(
      /^\thandle_errors 503 \{\n\t\treverse_proxy \{\n\t\t\timport nodes\n\t\t\}\n\t\}$/m,
    );
    // Asked once a second and given two, it has been seen to leave by then.
    for (const { drainMs } of configs) expect(drainMs).toBeGreaterThan(3_000);
    const [, seconds] = /^\t\tkeepalive (\d+)s$/m.exec(caddyfile) ?? [];
    expect(Number(seconds) * 1_000).toBeLessThan(KEEP_ALIVE_TIMEOUT_MS);
    // Else it replaces what a proxy with TLS before it says of callers.
    expect(caddyfile).toContain('trusted_proxies static private_ranges');
  });
});

describe('the nodes beside docker-compose.clickhouse.yml', () => {
  const { services } = composeOf(...ON_CLICKHOUSE);
  const nodes = ['podium-1', 'podium-2', 'podium-3'].map((name) => services[name]);

  it('write their logs into one ClickHouse, each kind of query under a user of its own', () => {
    for (const node of nodes) {
      const url = readClickhouseUrl(interpolated(node?.environment?.LOG_STORE_URL ?? '', SECRETS));
      expect(url).toMatchObject({
        url: 'http://clickhouse:8123',
        database: 'podium',
        writer: { username: 'podium', password: 'c3' },
        reader: { username: 'podium_reader', password: 'd4' },
      });
    }
  });

  it('wait for these users, which deploy/clickhouse-users.sql creates with their passwords', () => {
    for (const node of nodes)
      expect(Object.keys(node?.depends_on ?? {})).toEqual([
        'kurrentdb-user',
        'mongo-init',
        'clickhouse-users',
      ]);
    const { entrypoint, environment = {} } = services['clickhouse-users'] ?? {};
    const command = [entrypoint].flat().join(' ');
    const users = read('deploy/clickhouse-users.sql');
    for (const [user, name] of [
      ['podium', 'PODIUM_PASSWORD'],
      ['podium_reader', 'READER_PASSWORD'],
    ] as const) {
      expect(users).toContain(`CREATE USER IF NOT EXISTS ${user} IDENTIFIED BY '${name}';`);
      expect(command).toContain(`"s/'${name}'/'$$CLICKHOUSE_${name}'/"`);
      expect(environment[`CLICKHOUSE_${name}`]).toMatch(new RegExp(`^\\$\\{CLICKHOUSE_${name}:`));
    }
  });
});

describe('the servers of docker-compose.clickhouse-replicas.yml', () => {
  const { services } = composeOf(...ON_REPLICAS);
  const servers = Object.entries(services).filter(
    ([, { image = '', restart }]) => image.startsWith('clickhouse/') && restart !== 'no',
  );
  const config = read('deploy/clickhouse-replica.xml');

  it('are the cluster that the nodes name', () => {
    for (const name of ['podium-1', 'podium-2', 'podium-3']) {
      const url = readClickhouseUrl(interpolated(services[name]?.environment?.LOG_STORE_URL ?? '', SECRETS));
      expect(url).toMatchObject({ url: 'http://clickhouse-balancer:8123', cluster: 'podium' });
      expect(config).toContain(`<${url.cluster}>`);
    }
  });

  it('are all known to Keeper, the cluster and the balancer, each under a name of its own', () => {
    const names = servers.map(([name]) => name);
    expect(names).toHaveLength(3);
    for (const [at, [name, { environment = {}, volumes = [] }]] of servers.entries()) {
      expect(environment.CLICKHOUSE_REPLICA).toBe(name);
      expect(environment.CLICKHOUSE_KEEPER_ID).toBe(String(at + 1));
      expect(volumes.join()).toContain('./deploy/clickhouse-replica.xml:/etc/clickhouse-server/config.d/');
      expect(volumes.join()).toContain('-data:/var/lib/clickhouse,');
      expect(config).toContain(`<node><host>${name}</host><port>9181</port></node>`);
      expect(config).toContain(`<replica><host>${name}</host><port>9000</port></replica>`);
      expect(config).toContain(`<id>${at + 1}</id><hostname>${name}</hostname>`);
      expect(read('deploy/clickhouse.Caddyfile')).toMatch(new RegExp(`\\bto .*\\b${name}:8123`));
    }
  });

  it('read what a majority of Keepers knows, which turns need', () => {
    expect(config).toContain('<quorum_reads>true</quorum_reads>');
  });
});

describe('the Dockerfile', () => {
  it('pins what it builds on, builds in one stage and runs in another, as an ordinary user', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\w+))?$/gm)];
    expect(bases.map(([, , name]) => name)).toEqual(['build', undefined]);
    for (const [, image] of bases) expect(image).toMatch(/:\d+\.\d+\.\d+-[\w-]+$/);
    const [, run = ''] = dockerfile.split(/^FROM .*-slim$/m);
    expect(run).toMatch(/^USER node$/m);
    expect(run.indexOf('USER node')).toBeLessThan(run.indexOf('CMD ["node", "dist/app/main.js"]'));
    expect(run).not.toMatch(/npm (ci|install)/);
  });
});
