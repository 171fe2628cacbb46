/** Posts to URLs of users: none reaches an address that is not public, however its host is named. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OutgoingPosts, type Resolve } from '../../../../src/http/outgoing/outgoing-posts.js';

let server: Server;
let port: number;
let received: IncomingMessage[];
let reply: { readonly status: number; readonly location?: string };

beforeEach(async () => {
  received = [];
  reply = { status: 204 };
  server = createServer((request, response) => {
    received.push(request);
    request.resume();
    response.writeHead(reply.status, reply.location ? { location: reply.location } : {}).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port: given }: Pick<AddressInfo, 'port'> = Object(server.address());
  port = given;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

const resolveTo =
  (...addresses: readonly string[]): Resolve =>
  (_host, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

const posts = (alertHosts: readonly string[], ...addresses: readonly string[]) =>
  new OutgoingPosts({ alertHosts }, resolveTo(...addresses));

const post = (url: string) => ({ url, headers: { 'x-one': '1' }, body: '{}' });

describe('a host that the setting lists', () => {
  it('may have a private address, and need not use TLS', async () => {
    expect(await posts(['127.0.0.1']).send(post(`http://127.0.0.1:${port}/a`))).toBe(204);
    expect(received).toMatchObject([{ method: 'POST', url: '/a', headers: { 'x-one': '1' } }]);
  });

  it('leads nowhere else: a redirect is not followed', async () => {
    reply = { status: 302, location: `http://127.0.0.1:${port}/b` };
    expect(await posts(['127.0.0.1']).send(post(`http://127.0.0.1:${port}/a`))).toBe(302);
    expect(received).toHaveLength(1);
  });
});

describe('another host', () => {
  it.each(['10.0.0.1', '127.0.0.1', '::1', '169.254.169.254', '::ffff:127.0.0.1'])(
    'whose name leads to %s gets nothing',
    async (address) => {
      const sent = posts([], address).send(post(`https://hooks.example:${port}/`));
      await expect(sent).rejects.toThrow('the host hooks.example has no public address');
      expect(received).toEqual([]);
    },
  );

  it('is asked for its address with each post, so a name that leads elsewhere later gets nothing', async () => {
    let asked = 0;
    const rebinding: Resolve = (host, options, done) => {
      asked += 1;
      return resolveTo('127.0.0.1')(host, options, done);
    };
    const outgoing = new OutgoingPosts({ alertHosts: [] }, rebinding);
    for (const _ of [1, 2])
      await expect(outgoing.send(post(`https://hooks.example:${port}/`))).rejects.toThrow(
        'no public address',
      );
    expect(asked).toBe(2);
  });

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
  ])('is refused when its URL names a private address: %s', async (url) => {
    expect(posts([]).refusal(url)).toMatch(/must lead to a public address/);
    await expect(posts([], '1.1.1.1').send(post(url))).rejects.toThrow('must lead to a public address');
  });

  it.each([
    ['http://hooks.example/', /https/],
    ['ftp://hooks.example/', /must be a URL/],
    ['hooks.example', /must be a URL/],
    ['https://ann:secret@hooks.example/', /no user and no password/],
  ])('is refused with a URL of another form: %s', (url, refusal) => {
    expect(posts([]).refusal(url)).toMatch(refusal);
  });

  it('may have any name', () => {
    expect(posts([]).refusal('https://hooks.example/services/1')).toBeNull();
    expect(posts([]).refusal('https://1.1.1.1/')).toBeNull();
  });
});
