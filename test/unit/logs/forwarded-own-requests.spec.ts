/** A node's own requests on their way to the owner of the logs, as its token is revoked. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ForwardedOwnRequests } from '../../../src/logs/forwarded-own-requests.js';
import { IssueToken, RevokeToken } from '../../../src/logs/tokens/token.commands.js';

let owner: Server;
let valid: Set<string>;
let written: string[];
let issued: number;
let sink: ForwardedOwnRequests;

const commands = {
  execute: async (command: unknown) => {
    if (command instanceof RevokeToken) valid.delete(`t${command.tokenId}`);
    if (!(command instanceof IssueToken)) return undefined;
    issued += 1;
    valid.add(`t${issued}`);
    return { tokenId: String(issued), token: `t${issued}`, scopes: ['ingest'], position: issued };
  },
};

beforeEach(async () => {
  valid = new Set();
  written = [];
  issued = 0;
  owner = createServer((request, reply) => {
    const token = String(request.headers['x-api-key']);
    const isAllowed = request.method === 'GET' || valid.has(token);
    if (isAllowed && request.method === 'POST') written.push(token);
    reply.writeHead(isAllowed ? 200 : 401).end();
    request.resume();
  });
  owner.listen(0, '127.0.0.1');
  await once(owner, 'listening');
  const address = owner.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  sink = new ForwardedOwnRequests(new URL(`http://127.0.0.1:${port}`), commands as never, 'node-1');
});
afterEach(() => {
  owner.closeAllConnections();
  owner.close();
});

const write = (): Promise<void> => sink.write(Buffer.from('{}'));

it('go on with another token when one that was good is revoked, as of a node that was paused', async () => {
  await write();
  valid.clear();
  await expect(write()).rejects.toThrow('answered 401');
  await write();
  expect(written).toEqual(['t1', 't2']);
  await sink.close();
  expect(valid.size).toBe(0);
});

it('end where a new token is refused: the owner stands on other stores, and would refuse all', async () => {
  valid.add = () => valid;
  await expect(write()).rejects.toThrow('answered 401');
  await expect(write()).rejects.toThrow('takes no entries');
  expect(issued).toBe(1);
});
