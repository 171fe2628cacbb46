/** Entry into the first rounds of a contest that has a competitor list. */
import { describe, expect, it } from '@jest/globals';
import {
  MarkCompetitor,
  RegisterCompetitors,
  ReplaceCompetitors,
} from '../../../../src/competition/contests/competitor-list.commands.js';
import { MergePersons } from '../../../../src/competition/persons/person.commands.js';
import { EnterAttempt, EnterResults } from '../../../../src/competition/rounds/round.commands.js';
import { at, attempt, CONTEST, CONTEXT, openContestCore } from '../../../support/contest-world.js';
import { openMemoryCore } from '../../../support/memory-core.js';
import { openForEach } from '../../../support/open-for-each.js';

const register = (personId: number, ...eventIds: readonly string[]): RegisterCompetitors => {
  const row = { selector: { by: 'personId', personIds: [personId] } as const, number: null, eventIds };
  return new RegisterCompetitors(CONTEST, [row], CONTEXT);
};
const withdraw = (personId: number): MarkCompetitor =>
  new MarkCompetitor(CONTEST, personId, 'WithdrawCompetitor', CONTEXT);

/** Ann is registered for the cube and pairs, Bob for the cube. */
const core = openForEach(async () => {
  const opened = await openContestCore();
  await opened.execute(register(1, 'cube', 'pairs'));
  await opened.execute(register(2, 'cube'));
  return opened;
});

const rows = (
  ...entered: readonly (readonly [personId: number, attempts: readonly number[]])[]
): EnterResults =>
  new EnterResults(
    at('cube'),
    entered.map(([personId, attempts]) => ({
      competitor: { by: 'personId', personIds: [personId] },
      attempts,
    })),
    CONTEXT,
  );

const ONE = { key: 'one', fingerprint: 'a body' };
const OTHER = { key: 'other', fingerprint: 'a body' };

describe('the first round of an event', () => {
  it('takes those who are registered for it', async () => {
    await core().execute(attempt(at('cube'), [1], 1, 1888));
    expect(await core().refusal(attempt(at('clock'), [1], 1, 1888))).toMatchObject({
      code: 'not-registered',
      detail: 'personId: person 1 is not registered for clock',
      errors: [{ field: 'personId' }],
    });
  });

  it('names every row of others', async () => {
    const refusal = await core().refusal(rows([3, [1]], [1, [2]], [4, [3]]));
    expect(refusal.code).toBe('not-registered');
    expect(refusal.errors?.map(({ field }) => field)).toEqual(['results[0].personId', 'results[2].personId']);
  });

  it('takes a team whose members are all registered', async () => {
    expect(await core().refusal(attempt(at('pairs'), [1, 2], 1, 500))).toMatchObject({
      code: 'not-registered',
    });
    await core().execute(register(2, 'cube', 'pairs'));
    await core().execute(attempt(at('pairs'), [1, 2], 1, 500));
  });

  it('takes nothing new of who has withdrawn or was dropped', async () => {
    await core().execute(withdraw(2));
    expect(await core().refusal(attempt(at('cube'), [2], 1, 1888))).toMatchObject({
      detail: 'personId: person 2 has withdrawn from this contest',
    });
    await core().execute(new ReplaceCompetitors(CONTEST, [], null, CONTEXT));
    expect(await core().refusal(attempt(at('cube'), [1], 1, 1888))).toMatchObject({ code: 'not-registered' });
  });

  it('has results that stay correctable, repeatable and removable', async () => {
    await core().execute(attempt(at('cube'), [2], 1, 1888));
    await core().execute(withdraw(2));
    const { results } = await core().execute(attempt(at('cube'), [2], 1, 1888));
    expect(results).toMatchObject([{ changed: false }]);
    await core().execute(attempt(at('cube'), [2], 2, 1777));
    await core().execute(rows([2, []]));
    await core().execute(rows([2, []]));
    await core().execute(attempt(at('cube'), [2], 1, 0));
    expect(await core().refusal(rows([2, [1888]]))).toMatchObject({ code: 'not-registered' });
  });

  it('answers a repeated request of who has withdrawn since, also when the result is gone', async () => {
    const requests = [
      new EnterAttempt(at('cube'), { by: 'personId', personIds: [2] }, 1, 1888, CONTEXT, ONE),
      new EnterResults(at('cube'), rows([2, [1777]]).results, CONTEXT, OTHER),
    ];
    for (const request of requests) await core().execute(request);
    await core().execute(rows([2, []]));
    await core().execute(withdraw(2));
    for (const request of requests) {
      const { results } = await core().execute(request);
      expect(results).toMatchObject([{ attempts: [0, 0, 0, 0, 0], changed: false }]);
    }
    expect(
      await core().refusal(
        new EnterAttempt(at('cube'), { by: 'personId', personIds: [2] }, 1, 1999, CONTEXT, {
          ...ONE,
          fingerprint: 'another body',
        }),
      ),
    ).toMatchObject({ code: 'not-registered' });
  });

  it('takes a person under the registration of the one who was merged into it', async () => {
    await core().execute(new MergePersons(2, 4, CONTEXT));
    const { results } = await core().execute(attempt(at('cube'), [4], 1, 1888));
    expect(results).toMatchObject([{ personIds: [4] }]);
    await core().execute(withdraw(4));
    expect(await core().refusal(attempt(at('pairs'), [4, 1], 1, 1))).toMatchObject({
      code: 'not-registered',
    });
  });

  it('takes at once whom another process has registered', async () => {
    expect(await core().refusal(attempt(at('cube'), [3], 1, 1))).toMatchObject({ code: 'not-registered' });
    const other = await openMemoryCore(core());
    await other.execute(register(3, 'cube'));
    await other.close();
    await core().execute(attempt(at('cube'), [3], 1, 1888));
  });
});
