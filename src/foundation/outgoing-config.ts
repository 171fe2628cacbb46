/** The settings of what the server sends to others: which hosts it may reach, and through which mail server. */
import { ConfigError } from './config-error.js';

/** The operator's SMTP server. */
export interface MailConfig {
  /** `smtp://…` or `smtps://…`, with user and password where it asks for them. */
  readonly url: string;
  /** An address, or `NAME <ADDRESS>`. */
  readonly from: string;
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
  if (SENDER.test(from)) return { url, from };
  throw new ConfigError(`PODIUM_MAIL_FROM is ${from}; it may be an address, or NAME <ADDRESS>`);
};

const NO_URL = { protocol: '', hostname: '', pathname: '', search: '' };
