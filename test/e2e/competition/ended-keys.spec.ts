/**
 * The devices of a venue share one address. After the finish, and after their keys were revoked, they go on sending: each
 * hears why it is refused, and none of them is taken for someone who guesses keys.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EndContest } from '../../../src/competition/contests/contest.commands.js';
import { IssueKey, RevokeKey } from '../../../src/competition/keys/key.commands.js';
import { IssueToken, RevokeToken } from '../../../src/logs/tokens/token.commands.js';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST, CONTEXT, SPACE } from '../../support/api-world.js';
import { Client, type Reply, refusalOf } from '../../support/client.js';
import { withToken } from '../../support/endpoint-api.js';

const DEVICES = 64;
/** Of each device, after its key has ended. */
const ENTRIES_AFTER = 20;

let api: Api;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = new Client(api.server.url);
});
afterAll(async () => {
  client?.close();
  await api?.close();
});

interface IssuedKey {
  readonly keyId: string;
  readonly key: string;
}

const issueKeys = (): Promise<readonly IssuedKey[]> =>
  Promise.all(
    Array.from({ length: DEVICES }, (_, at) => {
      const contest = { spaceId: SPACE, competitionId: CONTEST };
      return api.commands.execute(new IssueKey(contest, `Timer ${at}`, CONTEXT));
    }),
  );

const enter = (key: string, attemptResult: number): Promise<Reply> =>
  client.post(
    '/api/enter-attempt',
    {
      ...{ competitionId: CONTEST, eventId: '333', roundNumber: 1, personId: api.world.personIds[0] },
      ...{ attemptNumber: 1, attemptResult },
    },
    { 'x-api-key': key },
  );

/** All devices enter without a pause while `end` ends their keys, and go on for a while. Returns how they were refused. */
const refusalsAround = async (
  keys: readonly IssuedKey[],
  end: () => Promise<unknown>,
): Promise<ReadonlyMap<string, number>> => {
  const refusals = new Map<string, number>();
  let hasEnded = false;
  const device = async ({ key }: IssuedKey): Promise<void> => {
    let after = 0;
    for (let sent = 0; after < ENTRIES_AFTER; sent++) {
      const wasOver = hasEnded;
      const reply = await enter(key, 1_000 + sent);
      if (wasOver) after++;
      if (reply.status >= 400) refusals.set(refusalOf(reply), (refusals.get(refusalOf(reply)) ?? 0) + 1);
    }
  };
  const devices = keys.map(device);
  await end();
  hasEnded = true;
  await Promise.all(devices);
  return refusals;
};

const guessKey = async (): Promise<string> => refusalOf(await enter('podium_none', 1_000));

it('of devices that send on after their keys were revoked, each is told so', async () => {
  const keys = await issueKeys();
  const refusals = await refusalsAround(keys, () =>
    Promise.all(keys.map(({ keyId }) => api.commands.execute(new RevokeKey(keyId, CONTEXT)))),
  );
  expect([...refusals.keys()]).toEqual(['401 key-revoked']);
  expect(refusals.get('401 key-revoked')).toBeGreaterThanOrEqual(DEVICES * ENTRIES_AFTER);
  expect(await guessKey()).toBe('401 key-unknown');
});

it('of devices that send on after the finish, each is told that its key has ended', async () => {
  const keys = await issueKeys();
  const contest = { spaceId: SPACE, competitionId: CONTEST };
  const refusals = await refusalsAround(keys, () =>
    api.commands.execute(new EndContest(contest, 'finish', CONTEXT)),
  );
  // Between the end of the round and that of the key, the round refuses.
  const codes = new Set(refusals.keys());
  expect(codes.delete('401 key-ended')).toBe(true);
  codes.delete('422 round-not-open');
  codes.delete('422 contest-not-ongoing');
  expect([...codes]).toEqual([]);
  expect(refusals.get('401 key-ended')).toBeGreaterThanOrEqual(DEVICES * (ENTRIES_AFTER - 5));
  // The address has all its guesses left.
  expect(await guessKey()).toBe('401 key-unknown');
});

it('of programs that call on with a revoked token, each is told so', async () => {
  const request = { name: 'T', scopes: ['query'], project: null };
  const { token, tokenId } = await api.commands.execute(new IssueToken(request, CONTEXT));
  await api.commands.execute(new RevokeToken(tokenId, CONTEXT));
  const replies = await Promise.all(
    Array.from({ length: 200 }, () => client.get('/api/endpoints/query/logs.all', withToken(token))),
  );
  expect(new Set(replies.map(refusalOf))).toEqual(new Set(['401 token-revoked']));
});

it('guesses from the same address are limited all the same', async () => {
  const codes = new Set<string>();
  for (let at = 0; at < 40; at++) codes.add(await guessKey());
  expect(codes).toEqual(new Set(['401 key-unknown', '429 too-many-bad-keys']));
});
