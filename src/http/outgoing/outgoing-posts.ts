/**
 * Posts bodies to URLs that users have given. Guarantees that no connection goes to an address that is not public, unless the setting
 * PODIUM_ALERT_HOSTS lists the host. The address is checked where the connection is made, so a name cannot lead elsewhere after a
 * check. Follows no redirect, and uses no proxy.
 */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { isPublicAddress } from './public-addresses.js';

const TIMEOUT_MS = 10_000;

/** The URL is not allowed, so no attempt can succeed. */
export class RefusedUrlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedUrlError';
  }
}

export interface OutgoingPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly signal?: AbortSignal;
}

/** Finds the addresses of a host. */
export type Resolve = (
  host: string,
  options: { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** Injection token of a Resolve. */
export const RESOLVE = Symbol('Resolve');
export const resolveByDns: Resolve = (host, options, done) => dnsLookup(host, options, done);

@Injectable()
export class OutgoingPosts {
  readonly #listed: ReadonlySet<string>;

  constructor(
    @Inject(CONFIG) { alertHosts }: Pick<PodiumConfig, 'alertHosts'>,
    @Inject(RESOLVE) private readonly resolve: Resolve,
  ) {
    this.#listed = new Set(alertHosts);
  }

  /** Returns why no message may go there; null: it may, as far as the URL tells. */
  refusal(text: string): string | null {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || !/^https?:$/.test(url.protocol)) return 'must be a URL such as https://example.com/alerts';
    if (url.username !== '' || url.password !== '') return 'must hold no user and no password';
    if (this.#isListed(url)) return null;
    if (url.protocol !== 'https:') return 'must begin with https://';
    const host = hostOf(url);
    if (isIP(host) === 0 || isPublicAddress(host)) return null;
    return 'must lead to a public address, or to a host that PODIUM_ALERT_HOSTS lists';
  }

  /** Returns the status of the reply. Throws RefusedUrlError; any other error is one of the connection, within 10 s. */
  async send({ url: text, headers, body, signal }: OutgoingPost): Promise<number> {
    const refusal = this.refusal(text);
    if (refusal !== null) throw new RefusedUrlError(`the URL ${refusal}`);
    const url = new URL(text);
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    return new Promise((resolve, reject) => {
      const post = request(url, {
        method: 'POST',
        // A connection of its own, so each one is checked.
        agent: false,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        ...(!this.#isListed(url) && { lookup: this.#lookup }),
      });
      post.once('response', (response) => {
        resolve(response.statusCode ?? 0);
        // The rest of the reply is not needed.
        response.destroy();
      });
      post.on('error', (error) =>
        reject(timeout.aborted ? new Error('it did not answer within 10 s') : error),
      );
      post.end(body);
    });
  }

  /** Gives a connection the public addresses of a host alone. */
  readonly #lookup: LookupFunction = (host, { all }, done) => {
    this.resolve(host, { all: true }, (error, found) => {
      const addresses = found?.filter(({ address }) => isPublicAddress(address)) ?? [];
      const [first] = addresses;
      if (error || !first) done(error ?? new RefusedUrlError(`the host ${host} has no public address`), []);
      else if (all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };

  #isListed(url: URL): boolean {
    return this.#listed.has(hostOf(url));
  }
}

/** In lower case, without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
