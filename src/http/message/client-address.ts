/** The client's address, for requests that are answered before Fastify: the same as Fastify's `request.ip`. */
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** `trustProxy` as PODIUM_TRUST_PROXY has it: which proxies are believed when they tell whose request they pass on. */
export const clientAddress = (trustProxy: boolean | string): ((request: IncomingMessage) => string) => {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? '';
  const trusts = trustedProxies(trustProxy);
  return (request) => proxyAddr.all(request, trusts).at(-1) ?? '';
};

/** Returns whether an address is a trusted proxy's. `hop`: 0 for the address of the connection. */
export const trustedProxies = (trustProxy: true | string): ((address: string, hop: number) => boolean) =>
  trustProxy === true ? () => true : proxyAddr.compile(trustProxy.split(',').map((part) => part.trim()));
