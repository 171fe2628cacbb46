/** What the hall sees, over real HTTP: what competitors need, and what a moderator has the screens show. */
import { describe, expect, it } from '@jest/globals';
import { PlanRound } from '../../../src/competition/contests/contest.commands.js';
import { OpenRound, UndoOpening } from '../../../src/competition/rounds/round.commands.js';
import { CONTEST, CONTEXT, SPACE } from '../../support/api-world.js';
import type { SentAttempt } from '../../support/attempts.js';
import { type Reply, refusalOf } from '../../support/client.js';
import { signIn, startModerated } from '../../support/dashboard.js';

const { api, moderator } = await startModerated();

const READ = `/api/competitions/${CONTEST}`;
const shownAfter = (reply: Pick<Reply, 'headers'>, path: string, headers = {}): Promise<Reply> =>
  api.client.after(reply.headers['podium-position'], `${READ}${path}`, headers);

describe('the outlook of a round', () => {
  const OUTLOOK = '/rounds/333/1/outlook';
  const enter = async (attempt: SentAttempt): Promise<Reply> => {
    const reply = await api.enter(attempt);
    expect(reply.status).toBe(201);
    return reply;
  };

  it('says what the next attempt has to be, with the records that stand, and follows each attempt', async () => {
    const [ada, bob] = api.world.personIds;
    for (const [index, value] of [1_500, 1_600, 1_700, 1_800, 1_900].entries())
      await enter({ personId: ada, attemptNumber: index + 1, attemptResult: value });
    let last: Reply | null = null;
    for (const [index, value] of [1_550, 1_650, 1_750].entries())
      last = await enter({ personId: bob, attemptNumber: index + 1, attemptResult: value });
    const early = await shownAfter(last ?? Object(null), OUTLOOK);
    expect(early.json).toMatchObject([
      {
        resultId: `${CONTEST}_333_r1_${bob}`,
        attemptNumber: 4,
        projected: 1_650,
        bestPossible: null,
        places: null,
        advancement: null,
        records: { single: { WR: 1_500, CR: 1_500, NR: 'any', PR: 'any' }, average: { WR: null } },
        standings: { single: { WR: 1_500, CR: 1_500, NR: 1_550, PR: 1_550 }, average: { WR: 1_700, NR: 0 } },
      },
    ]);
    const fourth = await enter({ personId: bob, attemptNumber: 4, attemptResult: 1_850 });
    const late = await shownAfter(fourth, OUTLOOK, { 'if-none-match': String(early.headers.etag) });
    expect(late.status).toBe(200);
    expect(late.json).toMatchObject([
      {
        attemptNumber: 5,
        projected: 1_700,
        bestPossible: 1_650,
        worstPossible: 1_750,
        // The mean of 16.50, 17.50 and the value is 17.00 with 17.01; the single is worse than Ada's.
        places: { first: { need: 1_698, isTied: false }, podium: { need: 'any', isTied: false } },
        records: { average: { WR: 1_701, CR: 1_701, NR: 'any', PR: 'any' } },
      },
    ]);
    const again = await shownAfter(fourth, OUTLOOK, { 'if-none-match': String(late.headers.etag) });
    expect(again.status).toBe(304);
    const fifth = await enter({ personId: bob, attemptNumber: 5, attemptResult: 1_698 });
    expect((await shownAfter(fifth, OUTLOOK)).json).toEqual([]);
    const { json } = await shownAfter(fifth, '');
    expect(Object(json).events[0].rounds[0].results[0].persons).toMatchObject([{ id: bob }]);
  });

  it('counts what was spent in the other rounds of a cumulative time limit', async () => {
    const [, bob] = api.world.personIds;
    const contest = { spaceId: SPACE, competitionId: CONTEST };
    const ref = { eventId: '333', roundNumber: 3 };
    const timeLimit = { centiseconds: 10_000, cumulativeRounds: ['333-r1', '333-r3'] };
    const rules = { format: '3', date: null, timeLimit, cutoff: null, advancement: null } as const;
    await api.commands.execute(new UndoOpening({ ...contest, ...ref }, CONTEXT));
    await api.commands.execute(new PlanRound(contest, { ...ref, rules }, CONTEXT));
    await api.commands.execute(new OpenRound({ ...contest, ...ref }, CONTEXT));
    const entered = await enter({ roundNumber: 3, personId: bob, attemptNumber: 1, attemptResult: 1_000 });
    // Of 100 seconds 84.98 went in round 1 and 10.00 in this one, so 5.01 is the worst time that is left.
    expect((await shownAfter(entered, '/rounds/333/3/outlook')).json).toMatchObject([
      { personIds: [bob], spentElsewhere: 8_498, records: { single: { WR: 'any' } } },
    ]);
    const over = await api.enter({ roundNumber: 3, personId: bob, attemptNumber: 2, attemptResult: 502 });
    expect(over.status).toBe(422);
  });

  it.each([
    ['rounds/333/2/outlook', '200'],
    ['rounds/333/9/outlook', '404 round-not-found'],
    ['rounds/333/x/outlook', '404 round-not-found'],
  ])('%s is %s', async (path, expected) => {
    const reply = await api.client.get(`${READ}/${path}`);
    if (expected !== '200') return expect(refusalOf(reply)).toBe(expected);
    expect({ status: reply.status, json: reply.json }).toEqual({ status: 200, json: [] });
  });

  it('is hidden with its contest', async () => {
    for (const contest of ['Draft2026', 'Gone2025', 'None'])
      for (const path of ['rounds/333/1/outlook', 'screens/1'])
        expect(refusalOf(await api.client.get(`/api/competitions/${contest}/${path}`))).toBe(
          '404 contest-not-found',
        );
  });
});

describe('a screen', () => {
  const WRITE = `/api/moderation/contests/${CONTEST}/screens`;
  const set = (name: string, body: object): Promise<Reply> => moderator.send('PUT', `${WRITE}/${name}`, body);

  it('shows the open rounds until a moderator chooses, and then at once what was chosen', async () => {
    const before = await api.client.get(`${READ}/screens/1`);
    expect(before.json).toMatchObject({ name: '1', shows: 'open-rounds', theme: 'dark', seconds: 15 });
    expect(Object(before.json).showing).toContainEqual({ eventId: '333', roundNumber: 1 });
    expect(Object(before.json).showing).not.toContainEqual({ eventId: '333', roundNumber: 2 });
    expect((await moderator.send('GET', WRITE)).json).toMatchObject([{ name: '1' }]);

    const rounds = ['fm-r1', '333-r1'];
    const chosen = await set('1', { shows: 'rounds', rounds, seconds: 20, theme: 'light' });
    expect(chosen.json).toEqual([{ name: '1', shows: 'rounds', rounds, seconds: 20, theme: 'light' }]);
    const shown = await shownAfter(chosen, '/screens/1', { 'if-none-match': String(before.headers.etag) });
    expect(shown.json).toMatchObject({
      rounds,
      showing: [
        { eventId: 'fm', roundNumber: 1 },
        { eventId: '333', roundNumber: 1 },
      ],
    });
    const again = await shownAfter(chosen, '/screens/1', { 'if-none-match': String(shown.headers.etag) });
    expect(again.status).toBe(304);

    const second = await set('stage-2', { shows: 'schedule' });
    expect(second.json).toHaveLength(2);
    expect((await shownAfter(second, '/screens/stage-2')).json).toMatchObject({
      shows: 'schedule',
      showing: [],
    });
    const removed = await moderator.send('DELETE', `${WRITE}/stage-2`);
    expect((await shownAfter(removed, '/screens/stage-2')).json).toMatchObject({ shows: 'open-rounds' });
  });

  it('is refused with the fields that are wrong', async () => {
    const wrong = await set('1', { shows: 'rounds', rounds: ['333-r1', 'nope-r1'], seconds: 1 });
    expect(refusalOf(wrong)).toBe('400 invalid-request');
    expect(Object(wrong.json).errors.map(({ field }: { field: string }) => field)).toEqual([
      'rounds[1]',
      'seconds',
    ]);
    expect(refusalOf(await set('1', { shows: 'everything' }))).toBe('400 invalid-request');
    expect(refusalOf(await set('Main', { shows: 'schedule' }))).toBe('400 invalid-request');
    expect(refusalOf(await api.client.get(`${READ}/screens/Main`))).toBe('404 screen-not-found');
  });

  it('is chosen by moderators of the contest alone', async () => {
    const stranger = await signIn(api, { role: 'moderator', contests: ['Other2026'] });
    const body = { shows: 'schedule' };
    expect(refusalOf(await stranger.send('PUT', `${WRITE}/1`, body))).toBe('403 account-not-allowed');
    expect(refusalOf(await stranger.send('GET', WRITE))).toBe('403 account-not-allowed');
    expect(refusalOf(await api.client.get(WRITE))).toBe('401 session-missing');
  });
});
