/**
 * The URL of an EventStoreDB, taken apart here and not by the client, which prints the whole of it, password and all,
 * when it meets something that it does not know. A parameter that does not exist is refused, as a misspelt `tls` must
 * not be a silent default. Nothing that this file throws or hands out for printing holds the credentials.
 */
import { readFileSync } from 'node:fs';
import type {
  ChannelCredentialOptions,
  DNSClusterOptions,
  GossipClusterOptions,
  SingleNodeOptions,
} from '@eventstore/db-client';
import { messageOf } from '../../foundation/basics/error-message.js';
import { ConfigError } from '../../foundation/config-error.js';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface EsdbUrl {
  readonly connection: DNSClusterOptions | GossipClusterOptions | SingleNodeOptions;
  readonly tls: ChannelCredentialOptions;
  readonly credentials?: Credentials;
  /** Whether the client chooses among the nodes of a cluster, by gossip. */
  readonly discovers: boolean;
  /** Hosts and ports, for messages. */
  readonly where: string;
  /** How long one call may take (`defaultDeadline`). */
  readonly timeoutMs: number;
  /** After how long a ping without an answer ends the connection. */
  readonly keepAliveTimeoutMs: number;
}

const FORM = /^esdb(\+discover)?:\/\/(?:([^/?]*)@)?([^/?@]+)\/?(?:\?(.*))?$/;
const DEFAULT_PORT = 2113;
const DEFAULT_TIMEOUT_MS = 5_000;
/** A little more than the server tries to write. Another node can answer where one is silent. */
const DEFAULT_CLUSTER_TIMEOUT_MS = 3_000;
/** Seconds, of which the client takes whole ones. A node that stands still would hold up the discovery for so long. */
const DEFAULT_GOSSIP_TIMEOUT = 1;
const DEFAULT_KEEP_ALIVE_TIMEOUT_MS = 10_000;
const MIN_KEEP_ALIVE_MS = 10_000;
const NODE_PREFERENCES = ['leader', 'follower', 'random', 'read_only_replica'] as const;

const PARAMETERS = [
  'tls',
  'tlsVerifyCert',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
  'defaultDeadline',
  'connectionName',
  'nodePreference',
  'maxDiscoverAttempts',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
] as const;
type Parameter = (typeof PARAMETERS)[number];
type Parameters = ReadonlyMap<Parameter, string>;

/** Throws ConfigError with one line that names what is wrong and what is allowed. */
export const parseEsdbUrl = (url: string): EsdbUrl => {
  try {
    return partsOf(url);
  } catch (error) {
    throw new ConfigError(messageOf(error));
  }
};

const partsOf = (url: string): EsdbUrl => {
  const [, discover, userinfo, hosts, query = ''] = FORM.exec(url.trim()) ?? [];
  if (hosts === undefined) {
    throw new Error('the URL of the event store is not esdb://[USER:PASSWORD@]HOST[:PORT],…[?NAME=VALUE&…]');
  }
  const parameters = parametersOf(query);
  const endpoints = hosts.split(',').map(endpointOf);
  const [first] = endpoints;
  if (!first) throw new Error('the URL of the event store names no host');
  const credentials = userinfo === undefined ? undefined : credentialsOf(userinfo);
  const common = clientOptions(parameters);
  const cluster = discover !== undefined || endpoints.length > 1;
  return {
    connection: cluster
      ? { ...(discover ? { discover: first } : { endpoints }), ...discoveryOptions(parameters), ...common }
      : { endpoint: first, ...common },
    tls: tlsOptions(parameters),
    ...(credentials && { credentials }),
    discovers: cluster,
    where: endpoints.map(({ address, port }) => `${address}:${port}`).join(','),
    timeoutMs:
      wholeNumber(parameters, 'defaultDeadline') ??
      (cluster ? DEFAULT_CLUSTER_TIMEOUT_MS : DEFAULT_TIMEOUT_MS),
    keepAliveTimeoutMs: wholeNumber(parameters, 'keepAliveTimeout') ?? DEFAULT_KEEP_ALIVE_TIMEOUT_MS,
  };
};

/** Names are told apart without regard to case, as the client does. */
const parametersOf = (query: string): Parameters => {
  const parameters = new Map<Parameter, string>();
  for (const pair of query.split('&').filter(Boolean)) {
    const [rawName = '', ...rest] = pair.split('=');
    const name = PARAMETERS.find((known) => known.toLowerCase() === rawName.toLowerCase());
    if (!name) {
      // Then it may be the end of a password, and is not shown.
      if (query.includes('@'))
        throw new Error(
          "the user or password in the event store's URL has a ? or &, which has to be %3F or %26",
        );
      throw new Error(
        `${rawName} is not a parameter of the event store's URL; there are ${PARAMETERS.join(', ')}`,
      );
    }
    parameters.set(name, decoded(rest.join('='), name));
  }
  return parameters;
};

const decoded = (text: string, what: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`${what} in the event store's URL is not percent-encoded as it should be`);
  }
};

const endpointOf = (text: string): { readonly address: string; readonly port: number } => {
  const [, address, port] = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  if (address === undefined) throw new Error('the URL of the event store names a host that is none');
  return { address, port: port === undefined ? DEFAULT_PORT : Number(port) };
};

const credentialsOf = (userinfo: string): { readonly username: string; readonly password: string } => {
  const [username = '', ...password] = userinfo.split(':');
  return {
    username: decoded(username, 'the user'),
    password: decoded(password.join(':'), 'the password'),
  };
};

const clientOptions = (parameters: Parameters) => {
  const connectionName = parameters.get('connectionName');
  const keepAliveInterval = wholeNumber(parameters, 'keepAliveInterval');
  if (keepAliveInterval !== undefined && keepAliveInterval < MIN_KEEP_ALIVE_MS) {
    throw new Error(`keepAliveInterval in the event store's URL is at least ${MIN_KEEP_ALIVE_MS}`);
  }
  return {
    ...(connectionName !== undefined && { connectionName }),
    ...(keepAliveInterval !== undefined && { keepAliveInterval }),
  };
};

const discoveryOptions = (parameters: Parameters) => {
  const wanted = parameters.get('nodePreference')?.toLowerCase();
  const nodePreference = NODE_PREFERENCES.find(
    (known) => known.replaceAll('_', '') === wanted?.replaceAll('_', ''),
  );
  if (wanted !== undefined && !nodePreference) {
    throw new Error(`nodePreference in the event store's URL may be ${NODE_PREFERENCES.join(', ')}`);
  }
  const maxDiscoverAttempts = wholeNumber(parameters, 'maxDiscoverAttempts');
  const discoveryInterval = wholeNumber(parameters, 'discoveryInterval');
  const gossipTimeout = wholeNumber(parameters, 'gossipTimeout') ?? DEFAULT_GOSSIP_TIMEOUT;
  return {
    ...(nodePreference && { nodePreference }),
    ...(maxDiscoverAttempts !== undefined && { maxDiscoverAttempts }),
    ...(discoveryInterval !== undefined && { discoveryInterval }),
    gossipTimeout,
  };
};

const tlsOptions = (parameters: Parameters): ChannelCredentialOptions => {
  if (parameters.get('tlsVerifyCert') === 'false') {
    throw new Error(
      "tlsVerifyCert=false is not supported in the event store's URL: name the certificate of its authority with tlsCAFile",
    );
  }
  const tls = parameters.get('tls') ?? 'true';
  if (tls !== 'true' && tls !== 'false') throw new Error("tls in the event store's URL is true or false");
  if (tls === 'false') return { insecure: true };
  const rootCertificate = fileOf(parameters, 'tlsCAFile');
  const userCertFile = fileOf(parameters, 'userCertFile');
  const userKeyFile = fileOf(parameters, 'userKeyFile');
  if (!userCertFile !== !userKeyFile) {
    throw new Error("userCertFile and userKeyFile in the event store's URL belong together");
  }
  return {
    insecure: false,
    ...(rootCertificate && { rootCertificate }),
    ...(userCertFile && { userCertFile }),
    ...(userKeyFile && { userKeyFile }),
  };
};

const fileOf = (parameters: Parameters, name: Parameter): Buffer | undefined => {
  const path = parameters.get(name);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch {
    throw new Error(`${name} in the event store's URL names a file that cannot be read: ${path}`);
  }
};

const wholeNumber = (parameters: Parameters, name: Parameter): number | undefined => {
  const text = parameters.get(name);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`${name} in the event store's URL is a whole number above 0`);
  return Number(text);
};
