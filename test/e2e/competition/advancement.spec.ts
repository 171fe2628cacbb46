/** From round to round over real HTTP: the roster, who advances, the next round, and the way back. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CONTEST } from '../../support/api-world.js';
import { type Reply, refusalOf } from '../../support/client.js';
import { pageHeaders, signIn, startModerated } from '../../support/dashboard.js';
import { openListedRound } from '../../support/listed-round.js';

const { api, moderator } = await startModerated();
const [ada, bob, cy, dee] = api.world.personIds;
beforeAll(() => openListedRound(api));

const roundAt = (roundNumber: number): string =>
  `/api/moderation/contests/${CONTEST}/rounds/333/${roundNumber}`;
const enter = (personId: number, value: number, roundNumber = 1): Promise<Reply> =>
  api.enter({ roundNumber, personId, attemptResult: value });
const shown = async (roundNumber: number, after?: Reply) => {
  const path = `/api/competitions/${CONTEST}`;
  const { json } = after
    ? await api.client.after(after.headers['podium-position'], path)
    : await api.client.get(path);
  return Object(json).events[0].rounds[roundNumber - 1];
};
const mark = (roundNumber: number, personId: number, as: string): Promise<Reply> =>
  moderator.send('POST', `${roundAt(roundNumber)}/roster`, {
    competitors: [{ personIds: [personId], mark: as }],
  });
const advance = (persons: readonly number[], confirmed: readonly string[]): Promise<Reply> =>
  moderator.send('POST', `${roundAt(1)}/advance`, {
    competitors: persons.map((id) => ({ personIds: [id] })),
    confirmed,
  });
const ALL = ['missing-results', 'few-competitors', 'fifth-round', 'other-competitors'];

describe('a round with a roster', () => {
  it('shows how far it is, and who still has to come', async () => {
    const reply = await enter(ada, 900);
    const round = await shown(1, reply);
    expect(round.roster).toMatchObject({ expected: 4, entered: 1, complete: 1 });
    expect(round.roster.missing.map((each: typeof round) => each.persons[0].name)).toEqual([
      'Bob',
      'Cy',
      'Dee',
    ]);
    expect(round.results).toMatchObject([{ advances: false, advancement: 'possible' }]);
  });

  it('has an outlook of those who still have to come, until they have a result or are not expected', async () => {
    const { json } = await api.client.get(`/api/competitions/${CONTEST}/rounds/333/1/outlook`);
    const none = {
      resultId: null,
      attemptNumber: 1,
      isEveryAttempt: true,
      projected: null,
      spentElsewhere: 0,
    };
    const places = { first: { need: 900, isTied: true }, podium: { need: 'success', isTied: false } };
    expect(json).toMatchObject([
      { personIds: [bob], ...none, places, records: { single: { WR: 900, PR: 'success' } } },
      { personIds: [cy], ...none, places },
      { personIds: [dee], ...none, places },
    ]);
  });

  it('is corrected by moderators: no-shows, who quits, and who comes in addition', async () => {
    const marked = await mark(1, dee, 'no-show');
    expect(marked.status).toBe(200);
    expect((await shown(1, marked)).roster).toMatchObject({ expected: 3 });
    const outlook = await api.client.get(`/api/competitions/${CONTEST}/rounds/333/1/outlook`);
    expect(Object(outlook.json).map(({ personIds }: { personIds: number[] }) => personIds)).toEqual([
      [bob],
      [cy],
    ]);
    expect(await mark(1, dee, 'away')).toMatchObject({
      status: 400,
      json: { errors: [{ field: 'competitors[0].mark', rule: 'one-of' }] },
    });
    expect(refusalOf(await mark(2, dee, 'quit'))).toBe('422 round-state');
    expect(await mark(1, 999_999, 'expected')).toMatchObject({
      status: 404,
      json: { errors: [{ field: 'competitors[0].personIds' }] },
    });
  });

  it('is changed by no device and no stranger', async () => {
    const device = { ...pageHeaders(api.client.url), 'x-api-key': api.world.keys.good };
    expect((await api.client.post(`${roundAt(1)}/roster`, { competitors: [] }, device)).status).toBe(401);
    const other = await signIn(api, { role: 'moderator', contests: [] });
    expect((await other.send('POST', `${roundAt(1)}/advance`, { competitors: [] })).status).toBe(403);
  });
});

describe('the next round', () => {
  it('opens with those who were shown, once what is unusual is confirmed', async () => {
    await enter(bob, 1_000);
    await enter(cy, 1_100);
    const { json } = await moderator.get(`${roundAt(1)}/advancement`);
    expect(json).toMatchObject({
      progress: { expected: 3, entered: 3, complete: 3 },
      competitors: [{ place: 1 }, { place: 2 }],
      toConfirm: [{ rule: 'few-competitors' }],
      missing: [{ mark: 'no-show' }],
      next: { roundNumber: 2, opened: false },
    });
    const asked = await advance([ada, bob], []);
    expect(refusalOf(asked)).toBe('409 to-confirm');
    const opened = await advance([ada, bob], ALL);
    expect(opened.status).toBe(200);
    const round = await shown(2, opened);
    expect(round).toMatchObject({ open: true, roster: { expected: 2 } });
    expect(refusalOf(await enter(cy, 900, 2))).toBe('422 not-expected');
    expect((await advance([ada, bob], ALL)).status).toBe(200);
    expect(refusalOf(await advance([ada, cy], ALL))).toBe('422 round-state');
  });

  it('offers who is next in line when somebody quits, and takes in whom a moderator adds', async () => {
    await mark(2, bob, 'quit');
    const { json } = await moderator.get(`${roundAt(1)}/advancement`);
    expect(json).toMatchObject({ next: { reserves: [{ place: 3, persons: [{ id: cy }] }] } });
    expect((await mark(2, cy, 'expected')).status).toBe(200);
    expect((await enter(cy, 900, 2)).status).toBe(201);
    expect(refusalOf(await enter(bob, 900, 2))).toBe('422 not-expected');
  });

  it('is taken back only while it has no results', async () => {
    expect(refusalOf(await moderator.send('POST', `${roundAt(2)}/undo-opening`))).toBe('422 round-state');
    await moderator.send('DELETE', `${roundAt(2)}/results/${cy}`);
    const undone = await moderator.send('POST', `${roundAt(2)}/undo-opening`);
    expect(undone.status).toBe(200);
    expect(await shown(1, undone)).toMatchObject({ open: true });
    expect(await shown(2)).toMatchObject({ open: false, roster: null });
  });
});
