/**
 * `clickhouse://USER:PASSWORD@HOST:PORT/DATABASE`, or `clickhouses://…` for TLS, of the server's HTTP interface. Queries run under
 * the user that `?reader=USER:PASSWORD` names, who needs SELECT on the database only; default: the same user. `?cluster=NAME`: the
 * tables are replicated over the servers of that cluster, of which HOST is one.
 */
import { ConfigError } from '../../foundation/config-error.js';
import type { Cluster } from './replicas.js';

export interface ClickhouseUser {
  readonly username: string;
  readonly password: string;
}

export interface ClickhouseAddress {
  /** Of the HTTP interface, without the user. */
  readonly url: string;
  readonly database: string;
  readonly writer: ClickhouseUser;
  readonly reader: ClickhouseUser;
  readonly cluster: Cluster;
  /** What may be shown: the URL without passwords. */
  readonly shown: string;
}

const SCHEMES: Readonly<Record<string, { readonly scheme: string; readonly port: string }>> = {
  'clickhouse:': { scheme: 'http', port: '8123' },
  'clickhouses:': { scheme: 'https', port: '8443' },
};
const DEFAULT_DATABASE = 'podium';
const PARAMETERS: readonly string[] = ['reader', 'cluster'];

/** Throws ConfigError, which shows no password. */
export const readClickhouseUrl = (text: string): ClickhouseAddress => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const scheme = url === null ? undefined : SCHEMES[url.protocol];
  if (url === null || scheme === undefined || url.hostname === '')
    return fail('LOG_STORE_URL is not clickhouse://USER:PASSWORD@HOST:PORT/DATABASE');
  const database = decoded(url.pathname.replace(/^\//, '')) || DEFAULT_DATABASE;
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(database))
    return fail('the database in LOG_STORE_URL must have letters, digits and underscores only');
  for (const name of url.searchParams.keys())
    if (!PARAMETERS.includes(name))
      return fail(`LOG_STORE_URL has an unknown parameter ${name}; there are ${PARAMETERS.join(' and ')}`);
  const cluster = url.searchParams.get('cluster');
  if (cluster !== null && !/^[A-Za-z0-9_.-]{1,100}$/.test(cluster))
    return fail('cluster in LOG_STORE_URL must be the name of a cluster of the server');
  const writer = {
    username: decoded(url.username) || 'default',
    password: decoded(url.password),
  };
  const host = `${url.hostname}:${url.port || scheme.port}`;
  return {
    url: `${scheme.scheme}://${host}`,
    database,
    writer,
    reader: readerOf(url) ?? writer,
    cluster,
    shown: `${url.protocol}//${host}/${database}`,
  };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return fail('LOG_STORE_URL is not percent-encoded as it should be');
  }
};

const readerOf = (url: URL): ClickhouseUser | null => {
  const given = url.searchParams.get('reader');
  if (given === null) return null;
  const [, username = '', password = ''] = /^([^:]+):(.*)$/s.exec(given) ?? [];
  if (username === '') return fail('reader in LOG_STORE_URL must be USER:PASSWORD');
  return { username, password };
};

const fail = (message: string): never => {
  throw new ConfigError(message);
};
