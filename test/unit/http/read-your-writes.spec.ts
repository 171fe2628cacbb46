/** What a command has made is never answered with "there is no such thing", however long reads take to show it. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { type FastifyInstance, fastify } from 'fastify';
import type { ReadModels } from '../../../src/foundation/projections/read-models.js';
import { ReadYourWrites } from '../../../src/http/reads/read-your-writes.js';
import { Client, type Reply } from '../../support/client.js';

const reads = { tokenOf: String, positionToken: () => '0', waitForToken: async () => true };

let server: FastifyInstance;

afterEach(() => server.close());

/** The reply to a command at position 7, which reads show once this much was waited for it. */
const repliedAfter = async (milliseconds: number): Promise<Reply> => {
  let left = milliseconds;
  const waitFor: ReadModels['waitFor'] = async (_, timeoutMs) => {
    left -= timeoutMs;
    return left <= 0;
  };
  const snapshot = (): Promise<never> => Promise.reject(new Error('there is no view'));
  const commanded = new ReadYourWrites(reads, { position: 0, waitFor, snapshot });
  server = fastify();
  server.post('/', (_, reply) =>
    commanded.waitUntilCreated(7, reply, async () => (left <= 0 ? 'it' : 'no such thing')),
  );
  const client = new Client(await server.listen());
  const reply = await client.post('/', {});
  client.close();
  return reply;
};

describe('what a command has made', () => {
  it.each([0, 6_000])('is read when reads show it, after %d ms', async (milliseconds) => {
    const { text, headers } = await repliedAfter(milliseconds);
    expect([text, headers['podium-position']]).toEqual(['it', '7']);
  });

  it('is not read where reads do not show it in ten seconds', async () => {
    const { status, text } = await repliedAfter(11_000);
    expect([status, text]).toEqual([500, expect.stringContaining('It was created')]);
  });
});
