/** Viewers of a round: one who left early is sent nothing, an ended round has no viewer, and a failed read loses no change. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type FastifyInstance, fastify } from 'fastify';
import type { RoundView } from '../../../../src/competition/contests/contest.queries.js';
import { LiveController } from '../../../../src/competition/live/live.controller.js';
import { LiveRounds } from '../../../../src/competition/live/live-rounds.js';
import { RejectedError } from '../../../../src/domain/rejections.js';
import { tags } from '../../../../src/domain/tags.js';
import type { EventReader } from '../../../../src/http/message/event-stream.js';
import { type Gate, gate } from '../../../support/gate.js';
import { roundView } from '../../../support/round-views.js';
import { turn } from '../../../support/turn.js';
import { until } from '../../../support/until.js';

const ROUND = { spaceId: 'default', competitionId: 'Open2026', eventId: '333', roundNumber: 1 };

const view = (open: boolean): RoundView => roundView({ open });

class TestViewer implements EventReader {
  readonly isBehind = false;
  ended = false;
  readonly sent: string[] = [];

  send(bytes: Buffer): void {
    this.sent.push(bytes.toString());
  }

  end(): void {
    this.ended = true;
  }
}

/** What the next look at the round comes to. */
let look: () => Promise<RoundView>;
let rounds: LiveRounds;

beforeEach(() => {
  look = async () => view(true);
  rounds = new LiveRounds({ execute: () => look() });
});

const gone = (): Promise<never> =>
  Promise.reject(new RejectedError({ code: 'contest-not-found', detail: 'there is no contest Open2026' }));

describe('a person who was erased', () => {
  const shownAs = (name: string): RoundView => {
    const persons = [{ id: 7, name, localizedName: null, regionCode: null, assocId: null }];
    const value = { attempts: [{ result: 900 }], best: 900, average: 0 };
    const result = {
      resultId: 'r',
      place: 1,
      advances: false,
      advancement: null,
      recordTags: { single: null, average: null },
      persons,
      ...value,
      date: '',
      regionCode: null,
    };
    return { ...view(true), results: [result] };
  };
  const changed = (...names: readonly string[]): void =>
    rounds.changed(new Map(names.map((name) => [name, 0])));
  const comesBack = async (lastStep: string): Promise<string> => {
    const viewer = new TestViewer();
    await rounds.watch(ROUND, viewer, lastStep);
    return viewer.sent.join('');
  };

  it.each([
    ['before a look', async (erase: () => void) => erase()],
    [
      'while a look is under way',
      async (erase: () => void) => {
        const old: Gate = gate();
        look = async () => {
          await old.opened;
          return shownAs('Eva Old');
        };
        changed(tags.round(ROUND));
        erase();
        old.open();
      },
    ],
  ])('%s is in nothing that is sent to a viewer who comes back', async (_, erased) => {
    const viewer = new TestViewer();
    await rounds.watch(ROUND, viewer, undefined);
    const [, first = ''] = /^id: (.+)$/m.exec(viewer.sent.join('')) ?? [];
    look = async () => shownAs('Eva');
    changed(tags.round(ROUND));
    await until(
      async () => viewer.sent.join(''),
      (sent) => sent.includes('"Eva"'),
    );
    await erased(() => {
      changed(tags.person(7), tags.round(ROUND));
    });
    look = async () => shownAs('—');
    changed(tags.round(ROUND));
    await until(
      async () => viewer.sent.join(''),
      (sent) => sent.includes('—'),
    );
    const sent = await comesBack(first);
    expect(sent).toContain('—');
    expect(sent).not.toContain('Eva');
  });
});

describe('a round that no viewer watches any more', () => {
  it('is watched anew for a viewer that came in the same moment', async () => {
    const [first, second] = [new TestViewer(), new TestViewer()];
    const leave = await rounds.watch(ROUND, first, undefined);
    const coming = rounds.watch(ROUND, second, undefined);
    leave();
    await coming;
    look = async () => view(false);
    rounds.changed(null);
    await until(
      async () => second.sent.join(''),
      (sent) => sent.includes('"open":false'),
    );
  });
});

describe('a round that is gone', () => {
  it('is refused to new viewers, also while an earlier one has not left', async () => {
    const first = new TestViewer();
    await rounds.watch(ROUND, first, undefined);
    look = gone;
    rounds.changed(null);
    await turn();
    expect(first.ended).toBe(true);
    await expect(rounds.watch(ROUND, new TestViewer(), undefined)).rejects.toThrow(RejectedError);
  });

  it('is watched anew where it is there again, whenever the first one leaves', async () => {
    const leave = await rounds.watch(ROUND, new TestViewer(), undefined);
    look = gone;
    rounds.changed(null);
    await turn();
    look = async () => view(true);
    const again = new TestViewer();
    await rounds.watch(ROUND, again, undefined);
    leave();
    look = async () => view(false);
    rounds.changed(null);
    await turn();
    expect(again.sent.at(-1)).toContain('"open":false');
    expect(rounds.viewers).toBe(1);
  });
});

describe('a look that fails', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is made up for, though nothing happens any more', async () => {
    const viewer = new TestViewer();
    await rounds.watch(ROUND, viewer, undefined);
    look = () => Promise.reject(new Error('the store is away'));
    rounds.changed(null);
    await turn();
    look = async () => view(false);
    expect(viewer.sent).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(viewer.sent.at(-1)).toContain('"open":false');
  });
});

describe('over HTTP', () => {
  let server: FastifyInstance;
  let handled: Promise<void>;

  beforeEach(async () => {
    const controller = new LiveController(rounds, { requireBuilt: async () => undefined });
    server = fastify();
    server.get('/', (given, reply) => {
      handled = controller.watch(ROUND, given, reply);
      return handled;
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => server.close());

  it('HEAD is answered with a head, and watches nothing', async () => {
    look = async () => view(true);
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(server.listeningOrigin).port), '127.0.0.1', () =>
        socket.write('HEAD / HTTP/1.1\r\nhost: x\r\n\r\n'),
      );
      let came = '';
      socket.on('data', (piece) => (came += String(piece)));
      socket.on('end', () => resolve(came));
      socket.on('error', reject);
    });
    expect(text).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[\s\S]*Content-Type: text\/event-stream[^\n]*\n[\s\S]*\r\n\r\n$/,
    );
    expect(text).not.toContain('roundNumber');
    expect(rounds.viewers).toBe(0);
  });

  it('a viewer who goes before the round is shown is counted no more', async () => {
    const [asked, answer] = [gate(), gate()];
    look = async () => {
      asked.open();
      await answer.opened;
      return view(true);
    };
    const connected = once(server.server, 'connection');
    const sent = request(server.listeningOrigin);
    sent.on('error', () => undefined);
    sent.end();
    const [socket] = await connected;
    await asked.opened;
    sent.destroy();
    await until(
      async () => socket.destroyed,
      (destroyed) => destroyed,
    );
    answer.open();
    await handled;
    expect(rounds.viewers).toBe(0);
  });
});
