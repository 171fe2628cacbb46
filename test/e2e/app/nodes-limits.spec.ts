/** Guesses at keys and passwords are counted over all nodes: what one of them gave out, the next does not give out again. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../../src/accounts/accounts.js';
import {
  OPERATIONAL_STORE,
  type OperationalStore,
} from '../../../src/foundation/operational/operational-store.js';
import { CONTEXT } from '../../support/api-world.js';
import type { Reply } from '../../support/client.js';
import { Cluster, type Node } from '../../support/cluster.js';
import { PASSWORD, pageHeaders } from '../../support/dashboard.js';
import { STORE_PAIRS } from '../../support/store-pairs.js';
import { until } from '../../support/until.js';

const EMAIL = 'ann@example.org';

describe.each(STORE_PAIRS)('two nodes on $name', ({ open }) => {
  let cluster: Cluster;
  let nodes: readonly [Node, Node];
  let operational: OperationalStore;

  beforeAll(async () => {
    cluster = await Cluster.open(open);
    const app = await cluster.app();
    operational = app.get<OperationalStore>(OPERATIONAL_STORE);
    const account = { spaceId: 'default', email: EMAIL, name: 'Ann', role: 'admin', contests: [] } as const;
    await app.get(Accounts).create({ ...account, readsLogs: false }, PASSWORD, CONTEXT);
    nodes = [await cluster.start(), await cluster.start()];
  });
  afterAll(() => cluster.close());

  const badKey = ({ client }: Node): Promise<Reply> =>
    client.post('/api/enter-attempt', ATTEMPT, { 'x-api-key': 'podium_none' });
  const guess = ({ client }: Node): Promise<Reply> =>
    client.post('/api/session', { email: EMAIL, password: 'a wrong guess' }, pageHeaders(client.url));

  const isRefused = ({ status }: Reply): boolean => status === 429;

  /** How many attempts the node takes before it refuses one. */
  const takenBy = async (node: Node, attempt: (node: Node) => Promise<Reply>): Promise<number> => {
    let sent = 0;
    await until(() => {
      sent += 1;
      return attempt(node);
    }, isRefused);
    return sent - 1;
  };

  /** Until the store has the failures of the first node at this limit. */
  const written = (limit: string, count: number) =>
    until(
      async () => {
        const reader = { nodeId: 'reader', at: 0, failures: [] };
        const found = (await operational.failures.exchange(reader, 0)).flatMap(({ failures }) => failures);
        return Math.max(0, ...found.filter(({ key }) => key.startsWith(limit)).map((each) => each.count));
      },
      (most) => most >= count,
    );

  it('refuse bad keys together', async () => {
    const [first, second] = nodes;
    expect(await takenBy(first, badKey)).toBeGreaterThanOrEqual(30);
    await written('credential', 30);
    // One comes back every two seconds.
    expect(await takenBy(second, badKey)).toBeLessThan(15);
  });

  it('refuse guesses at a password together', async () => {
    const [first, second] = nodes;
    expect(await takenBy(first, guess)).toBeGreaterThanOrEqual(10);
    await written('place', 10);
    // One comes back every ten seconds.
    expect(await takenBy(second, guess)).toBeLessThan(5);
  });
});

const ATTEMPT = {
  ...{ competitionId: 'Open2026', eventId: '333', roundNumber: 1, personId: 1 },
  ...{ attemptNumber: 1, attemptResult: 1_500 },
};
