/** The client's address before Fastify is the one that Fastify tells, whatever proxies say and whichever are believed. */
import { createServer, type Server } from 'node:http';
import { afterEach, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { clientAddress } from '../../../src/http/message/client-address.js';
import { Client } from '../../support/client.js';

let fastify: FastifyInstance;
let client: Client;

afterEach(async () => {
  client.close();
  await fastify.close();
});

it.each([
  [false, undefined],
  [false, '192.0.2.1'],
  [true, undefined],
  [true, '192.0.2.1'],
  [true, '198.51.100.7, 192.0.2.1'],
  [true, 'not an address, 192.0.2.1'],
  ['127.0.0.1', '192.0.2.1'],
  ['127.0.0.1, 192.0.2.0/24', '198.51.100.7, 192.0.2.1'],
  ['127.0.0.1', '198.51.100.7, 192.0.2.1'],
  ['10.0.0.0/8', '192.0.2.1'],
] as const)('trusting %s, told %s', async (trustProxy, forwarded) => {
  const addressOf = clientAddress(trustProxy);
  let before = '';
  fastify = Fastify({
    trustProxy,
    serverFactory: (handler): Server =>
      createServer((request, response) => {
        before = addressOf(request);
        handler(request, response);
      }),
  });
  fastify.get('/', (request, reply) => reply.send({ ip: request.ip }));
  client = new Client(await fastify.listen({ port: 0, host: '127.0.0.1' }));
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const { text } = await client.send('/', { method: 'GET', headers });
  expect(before).not.toBe('');
  expect({ ip: before }).toEqual(JSON.parse(text));
});
