/**
 * The whole configuration, read once from the environment. A wrong value, or an unknown PODIUM_* name, stops the start
 * with the name and the allowed values: a misspelt setting must not silently become the default.
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { ConfigError } from './config-error.js';
import { DEFAULT_MAX_APPEND_BYTES, MAX_APPEND_BYTES_RANGE } from './event-store/append-checks.js';
import { type PerSource, readPerSource } from './log-store/per-source.js';
import { BUILT_IN_SOURCES } from './log-store/sources.js';
import {
  hostsOf,
  type MailConfig,
  mailOf,
  type ObjectStoreConfig,
  objectStoreOf,
  type PurgeTarget,
  purgeOf,
} from './outgoing-config.js';

export interface PodiumConfig {
  readonly port: number;
  readonly host: string;
  /** Folder of every embedded store. */
  readonly dataDir: string;
  /** `sqlite:PATH`, `esdb://…` or `esdb+discover://…` */
  readonly eventStoreUrl: string;
  /** `sqlite:PATH`, `mongodb://…` or `mongodb+srv://…` */
  readonly readModelUrl: string;
  readonly operationalUrl: string;
  /** `duckdb:PATH`, `http://NODE` of the node that owns the log store, or `clickhouse://…`, which every node writes into. */
  readonly logStoreUrl: string;
  /** How many days the entries of each source are kept. */
  readonly logRetentionDays: PerSource<number>;
  /** Entries that a project may write into a source each day, UTC; null: any number. */
  readonly logQuotas: PerSource<number | null>;
  /** First part of every stream name. */
  readonly streamPrefix: string;
  /** Whether an empty store gets sample contests at the first start. */
  readonly sample: boolean;
  /** The only site on which passkeys work; null: `http://localhost` with the port. */
  readonly origin: URL | null;
  /** Whether admins must have a passkey or an authenticator app. */
  readonly adminsNeedSecondFactor: boolean;
  /** Fastify's trustProxy: the proxies whose X-Forwarded-For header is trusted. */
  readonly trustProxy: boolean | string;
  readonly logLevel: LogLevel;
  /** The port of GET /metrics; null: the server's own. */
  readonly metricsPort: number | null;
  /** How many days the audit trail of accounts is kept. */
  readonly auditDays: number;
  /** What a client of GET /metrics must send; null: nothing. */
  readonly metricsToken: string | null;
  /** Hosts of receivers of alerts that may have a private address, in lower case. */
  readonly alertHosts: readonly string[];
  /** Sends e-mail; null: the server sends none. */
  readonly mail: MailConfig | null;
  /** Where drains write files; null: nowhere. */
  readonly objectStore: ObjectStoreConfig | null;
  /** Timeout of one log query, in milliseconds. */
  readonly logQueryTimeoutMs: number;
  /** How long the server still serves after SIGTERM, in milliseconds, so that load balancers can remove it. */
  readonly drainMs: number;
  /** The shared cache in front; null: every cache revalidates each read. */
  readonly edge: EdgeConfig | null;
  /** Bytes of one append, as src/foundation/event-store/append-checks.ts counts them. */
  readonly maxAppendBytes: number;
}

export interface EdgeConfig {
  /** How long the cache answers public reads by itself. */
  readonly seconds: number;
  /** How long it may send an old reply after that, while it fetches the new one. */
  readonly staleSeconds: number;
  /** Where purges are sent, with a header that the cache asks for; null: nowhere. */
  readonly purge: PurgeTarget | null;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

const PODIUM_NAMES = [
  'PODIUM_DATA',
  'PODIUM_SAMPLE',
  'PODIUM_ORIGIN',
  'PODIUM_ADMIN_SECOND_FACTOR',
  'PODIUM_TRUST_PROXY',
  'PODIUM_STREAM_PREFIX',
  'PODIUM_LOG_LEVEL',
  'PODIUM_LOG_QUERY_SECONDS',
  'PODIUM_LOG_RETENTION',
  'PODIUM_LOG_QUOTA',
  'PODIUM_ALERT_HOSTS',
  'PODIUM_SMTP_URL',
  'PODIUM_MAIL_FROM',
  'PODIUM_S3_URL',
  'PODIUM_S3_KEY_ID',
  'PODIUM_S3_SECRET',
  'PODIUM_S3_REGION',
  'PODIUM_DRAIN_SECONDS',
  'PODIUM_MAX_APPEND_BYTES',
  'PODIUM_METRICS_PORT',
  'PODIUM_METRICS_TOKEN',
  'PODIUM_AUDIT_DAYS',
  'PODIUM_EDGE_SECONDS',
  'PODIUM_EDGE_STALE_SECONDS',
  'PODIUM_EDGE_PURGE_URL',
  'PODIUM_EDGE_PURGE_HEADER',
  // Of `podium logs tail` alone; a shell may have exported it for all commands.
  'PODIUM_TOKEN',
];

/** The allowed forms of each store's URL; the operator fills in the part in capitals. */
const STORE_URLS = {
  EVENT_STORE_URL: ['sqlite:PATH', 'esdb://HOST', 'esdb+discover://HOST'],
  READ_MODEL_URL: ['sqlite:PATH', 'mongodb://HOST', 'mongodb+srv://HOST'],
  OPERATIONAL_URL: ['sqlite:PATH', 'mongodb://HOST', 'mongodb+srv://HOST'],
  LOG_STORE_URL: ['duckdb:PATH', 'http://NODE', 'https://NODE', 'clickhouse://HOST', 'clickhouses://HOST'],
} as const;

/** Throws ConfigError naming the variable and what it may be. */
export const loadConfig = (env: Readonly<Record<string, string | undefined>>): PodiumConfig => {
  for (const name of Object.keys(env)) {
    if (name.startsWith('PODIUM_') && !name.startsWith('PODIUM_TEST_') && !PODIUM_NAMES.includes(name)) {
      throw new ConfigError(`${name} is not a setting of Podium; there are ${PODIUM_NAMES.join(', ')}`);
    }
  }
  const dataDir = resolve(notEmpty('PODIUM_DATA', env.PODIUM_DATA ?? 'data'));
  const embedded = (file: string): string => `sqlite:${resolve(dataDir, file)}`;
  const url = (name: keyof typeof STORE_URLS): string | undefined => storeUrl(name, env[name]);
  const port = portOf('PORT', env.PORT ?? '3000');
  return {
    port,
    host: notEmpty('HOST', env.HOST ?? '127.0.0.1'),
    dataDir,
    eventStoreUrl: url('EVENT_STORE_URL') ?? embedded('events.sqlite'),
    readModelUrl: url('READ_MODEL_URL') ?? embedded('read-models.sqlite'),
    operationalUrl: url('OPERATIONAL_URL') ?? embedded('operational.sqlite'),
    logStoreUrl: url('LOG_STORE_URL') ?? `duckdb:${resolve(dataDir, 'logs.duckdb')}`,
    logRetentionDays: retentionOf(env.PODIUM_LOG_RETENTION),
    logQuotas: quotasOf(env.PODIUM_LOG_QUOTA),
    streamPrefix: prefixOf(env.PODIUM_STREAM_PREFIX),
    sample: booleanOf('PODIUM_SAMPLE', env.PODIUM_SAMPLE, true),
    origin: env.PODIUM_ORIGIN ? originOf(env.PODIUM_ORIGIN) : null,
    adminsNeedSecondFactor: booleanOf('PODIUM_ADMIN_SECOND_FACTOR', env.PODIUM_ADMIN_SECOND_FACTOR, false),
    trustProxy: trustProxyOf(env.PODIUM_TRUST_PROXY),
    logLevel: logLevelOf(env.PODIUM_LOG_LEVEL),
    // Files of containers give the empty text for what is not set.
    metricsPort: env.PODIUM_METRICS_PORT ? metricsPortOf(env.PODIUM_METRICS_PORT, port) : null,
    metricsToken: env.PODIUM_METRICS_TOKEN ? metricsTokenOf(env.PODIUM_METRICS_TOKEN) : null,
    auditDays: integerOf('PODIUM_AUDIT_DAYS', env.PODIUM_AUDIT_DAYS ?? '180', [1, MAX_RETENTION_DAYS]),
    alertHosts: hostsOf(env.PODIUM_ALERT_HOSTS),
    mail: mailOf(env.PODIUM_SMTP_URL, env.PODIUM_MAIL_FROM),
    objectStore: objectStoreOf(env),
    logQueryTimeoutMs:
      integerOf('PODIUM_LOG_QUERY_SECONDS', env.PODIUM_LOG_QUERY_SECONDS ?? '10', [1, 300]) * 1_000,
    drainMs: integerOf('PODIUM_DRAIN_SECONDS', env.PODIUM_DRAIN_SECONDS ?? '0', [0, 60]) * 1_000,
    edge: edgeOf(env),
    maxAppendBytes: integerOf(
      'PODIUM_MAX_APPEND_BYTES',
      env.PODIUM_MAX_APPEND_BYTES ?? String(DEFAULT_MAX_APPEND_BYTES),
      MAX_APPEND_BYTES_RANGE,
    ),
  };
};

const portOf = (name: string, text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new ConfigError(`${name} is ${text}; it may be 0 to 65535`);
  return port;
};

const metricsPortOf = (text: string, serverPort: number): number => {
  const port = portOf('PODIUM_METRICS_PORT', text);
  if (port !== 0 && port === serverPort)
    throw new ConfigError(`PODIUM_METRICS_PORT is ${port}, as PORT is; it may be another port`);
  return port;
};

/** An empty host would be every address of the machine, an empty folder the one the process was started in. */
const notEmpty = (name: string, text: string): string => {
  if (text.trim() === '') throw new ConfigError(`${name} is empty; give it a value, or leave it out`);
  return text;
};

/** Browsers make passkeys for names only, and only where the connection cannot be read. */
const originOf = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isBare = url !== null && text.replace(/\/$/, '') === url.origin;
  const isSafe = url?.protocol === 'https:' || url?.hostname === 'localhost';
  if (isBare && isSafe && !/^[\d.]+$|^\[/.test(url.hostname)) return url;
  throw new ConfigError(
    `PODIUM_ORIGIN is ${text}; it may be https://NAME, with a port if it is not 443, or http://localhost:PORT`,
  );
};

/** The text stays out of the message: it may be a secret with a slip in it. */
const metricsTokenOf = (text: string): string => {
  if (/^[A-Za-z0-9_~+./=-]{16,256}$/.test(text)) return text;
  throw new ConfigError('PODIUM_METRICS_TOKEN may have 16 to 256 letters, digits and _ ~ + . / = -');
};

const MAX_EDGE_SECONDS = 86_400;

const edgeOf = (env: Readonly<Record<string, string | undefined>>): EdgeConfig | null => {
  const allowed = [0, MAX_EDGE_SECONDS] as const;
  const seconds = integerOf('PODIUM_EDGE_SECONDS', env.PODIUM_EDGE_SECONDS || '0', allowed);
  const staleSeconds = integerOf('PODIUM_EDGE_STALE_SECONDS', env.PODIUM_EDGE_STALE_SECONDS || '0', allowed);
  const purge = purgeOf(env.PODIUM_EDGE_PURGE_URL, env.PODIUM_EDGE_PURGE_HEADER);
  if (seconds > 0) return { seconds, staleSeconds, purge };
  if (staleSeconds === 0 && purge === null) return null;
  throw new ConfigError('PODIUM_EDGE_SECONDS must be at least 1 where another PODIUM_EDGE_* is set');
};

const storeUrl = (name: keyof typeof STORE_URLS, text: string | undefined): string | undefined => {
  const allowed = STORE_URLS[name];
  if (text !== undefined && (!allowed.some((form) => beginsLike(form, text)) || isBrokenNode(text))) {
    throw new ConfigError(`${name} may be ${allowed.join(' or ')}`);
  }
  return text;
};

/** Whether the text has the scheme of a form such as `sqlite:PATH`, and a rest after it. */
const beginsLike = (form: string, text: string): boolean => {
  const scheme = form.slice(0, form.search(/[A-Z]/));
  return text.startsWith(scheme) && text.length > scheme.length;
};

/** The URLs of other stores are read by their engines. */
const isBrokenNode = (text: string): boolean => /^https?:/.test(text) && !URL.canParse(text);

const prefixOf = (text = 'podium'): string => {
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(text)) {
    throw new ConfigError(
      `PODIUM_STREAM_PREFIX is ${text}; it may hold letters, digits, _ . and -, 64 at most`,
    );
  }
  return text;
};

const booleanOf = (name: string, text: string | undefined, otherwise: boolean): boolean => {
  if (text === undefined) return otherwise;
  if (text !== 'true' && text !== 'false')
    throw new ConfigError(`${name} is ${text}; it may be true or false`);
  return text === 'true';
};

const RETENTION_DAYS = 30;
const MAX_RETENTION_DAYS = 3_650;

const perSourceSaid = (what: string): string =>
  `it may be ${what}, and for single sources and projects SOURCE=… and PROJECT/SOURCE=…, separated by commas; ` +
  `the sources are ${BUILT_IN_SOURCES.join(', ')}, and your own`;

/** `30`, or with other days for single sources and projects: `30,postgres_logs=7,todo-app/edge_logs=90`. */
const retentionOf = (text = String(RETENTION_DAYS)): PerSource<number> =>
  readPerSource(text, {
    otherwise: RETENTION_DAYS,
    read: (days) =>
      /^[1-9]\d{0,3}$/.test(days) && Number(days) <= MAX_RETENTION_DAYS ? Number(days) : undefined,
    fail: (part) => {
      const days = perSourceSaid(`days from 1 to ${MAX_RETENTION_DAYS}`);
      throw new ConfigError(`PODIUM_LOG_RETENTION has ${part}; ${days}`);
    },
  });

/** `none`, or entries a day: `1000000,edge_logs=5000000,todo-app/edge_logs=none`. */
const quotasOf = (text = 'none'): PerSource<number | null> =>
  readPerSource<number | null>(text, {
    otherwise: null,
    read: (entries) => {
      if (entries === 'none') return null;
      return /^[1-9]\d{0,11}$/.test(entries) ? Number(entries) : undefined;
    },
    fail: (part) => {
      throw new ConfigError(`PODIUM_LOG_QUOTA has ${part}; ${perSourceSaid('entries a day, or none')}`);
    },
  });

const trustProxyOf = (text = 'false'): boolean | string => {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text.split(',').every((part) => isAddressRange(part.trim()))) return text;
  throw new ConfigError(
    `PODIUM_TRUST_PROXY is ${text}; it may be true, false, or addresses and CIDR ranges, separated by commas`,
  );
};

/** A number alone is none: elsewhere it counts proxies, and here it would be the address 0.0.0.1. */
const isAddressRange = (text: string): boolean => {
  const [address = '', prefix = '1', ...rest] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  if (bits === undefined || address.includes('%') || rest.length > 0) return false;
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits;
};

const logLevelOf = (text = 'info'): LogLevel => {
  const level = LOG_LEVELS.find((known) => known === text);
  if (!level) throw new ConfigError(`PODIUM_LOG_LEVEL is ${text}; it may be ${LOG_LEVELS.join(', ')}`);
  return level;
};

const integerOf = (name: string, text: string, [least, most]: readonly [number, number]): number => {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most)
    throw new ConfigError(`${name} is ${text}; it may be ${least} to ${most}`);
  return number;
};

/** Injection token of the PodiumConfig. */
export const CONFIG = Symbol('PodiumConfig');
