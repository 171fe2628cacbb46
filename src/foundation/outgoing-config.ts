/** The settings of what the server sends to others: which hosts it may reach, and through which mail server. */
import { ConfigError } from './config-error.js';

/** The operator's SMTP server. */
export interface MailConfig {
  /** `smtp://…` or `smtps://…`, with user and password where it asks for them. */
  readonly url: string;
  /** An address, or `NAME <ADDRESS>`. */
  readonly from: string;
}

/** The operator's bucket, at a store that speaks the protocol of S3. */
export interface ObjectStoreConfig {
  /** `https://HOST/BUCKET`, with a path for all keys where one is wanted. */
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  readonly region: string;
}

/** Where purges of the shared cache are sent, with a header that it asks for. */
export interface PurgeTarget {
  readonly url: string;
  readonly header: Readonly<Record<string, string>>;
}

/** `hooks.internal,10.0.0.7`; the empty text: none. */
export const hostsOf = (text = ''): readonly string[] => {
  const hosts = text
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
  const wrong = hosts.find((host) => !/^[a-z0-9._-]+$|^[0-9a-f:.]+$/.test(host));
  if (wrong === undefined) return hosts;
  throw new ConfigError(
    `PODIUM_ALERT_HOSTS has ${wrong}; it may be names and addresses of hosts, separated by commas`,
  );
};

const SENDER = /^(?:[^\s@<>"]+@[^\s@<>"]+|[^@<>"\p{Cc}]{1,100} <[^\s@<>"]+@[^\s@<>"]+>)$/u;

/** The URL stays out of the message: it holds a password. */
export const mailOf = (url = '', from = ''): MailConfig | null => {
  if (url === '' && from === '') return null;
  const { protocol, hostname, pathname, search } = URL.canParse(url) ? new URL(url) : NO_URL;
  if (!/^smtps?:$/.test(protocol) || hostname === '' || !/^\/?$/.test(pathname) || search !== '')
    throw new ConfigError(
      'PODIUM_SMTP_URL may be smtp://HOST:PORT or smtps://HOST:PORT, with USER:PASSWORD@ before the host',
    );
  if (from === '') throw new ConfigError('PODIUM_MAIL_FROM must be given where PODIUM_SMTP_URL is');
  if (SENDER.test(from)) return { url, from };
  throw new ConfigError(`PODIUM_MAIL_FROM is ${from}; it may be an address, or NAME <ADDRESS>`);
};

const NO_URL = { protocol: '', hostname: '', pathname: '', search: '', username: '', password: '' };

const S3_SETTINGS = ['PODIUM_S3_URL', 'PODIUM_S3_KEY_ID', 'PODIUM_S3_SECRET'] as const;

/** No value gets into a message: the key and the secret could have been exchanged. */
export const objectStoreOf = (
  env: Readonly<Record<string, string | undefined>>,
): ObjectStoreConfig | null => {
  const region = env.PODIUM_S3_REGION || 'us-east-1';
  const [url = '', keyId = '', secret = ''] = S3_SETTINGS.map((name) => env[name]);
  if (url === '' && keyId === '' && secret === '') return null;
  const { protocol, pathname, search, username } = URL.canParse(url) ? new URL(url) : NO_URL;
  if (!/^https?:$/.test(protocol) || pathname.length < 2 || search !== '' || username !== '')
    throw new ConfigError(
      'PODIUM_S3_URL may be https://HOST/BUCKET, with a path after it where one is wanted',
    );
  const missing = keyId === '' ? 'PODIUM_S3_KEY_ID' : secret === '' ? 'PODIUM_S3_SECRET' : null;
  if (missing !== null) throw new ConfigError(`${missing} must be given where PODIUM_S3_URL is`);
  if (/^[a-z0-9-]{1,64}$/.test(region)) return { url, keyId, secret, region };
  throw new ConfigError('PODIUM_S3_REGION may be the name of a region, such as eu-west-1');
};

/** The header stays out of the message: it is a secret. So does a URL with a password, with which no request can be made. */
export const purgeOf = (url = '', header = ''): PurgeTarget | null => {
  if (url === '' && header === '') return null;
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : NO_URL;
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '')
    throw new ConfigError(
      'PODIUM_EDGE_PURGE_URL may be http://HOST/PATH or https://HOST/PATH; a password goes into PODIUM_EDGE_PURGE_HEADER',
    );
  const [, name, value] = /^([A-Za-z0-9-]{1,64}): ?([\x21-\x7E][\x20-\x7E]{0,1000})$/.exec(header) ?? [];
  if (header === '') return { url, header: {} };
  if (name === undefined || value === undefined)
    throw new ConfigError('PODIUM_EDGE_PURGE_HEADER may be NAME: VALUE, such as Fastly-Key: …');
  return { url, header: { [name]: value } };
};
