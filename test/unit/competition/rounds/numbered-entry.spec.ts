/** Entry that names its competitors by their numbers in the contest. */
import { describe, expect, it } from '@jest/globals';
import { NumberCompetitors, TakeNumbers } from '../../../../src/competition/contests/contest.commands.js';
import { MergePersons } from '../../../../src/competition/persons/person.commands.js';
import { EnterAttempt, EnterResults } from '../../../../src/competition/rounds/round.commands.js';
import type { NumberSelector } from '../../../../src/domain/references.js';
import { at, attempt, CONTEST, CONTEXT, openContestCore } from '../../../support/contest-world.js';
import { openMemoryCore } from '../../../support/memory-core.js';
import { openForEach } from '../../../support/open-for-each.js';

const core = openForEach(async () => {
  const opened = await openContestCore();
  const competitors = [
    { personId: 1, number: 11 },
    { personId: 2, number: 12 },
    { personId: 3, number: 13 },
  ];
  await opened.execute(new TakeNumbers(CONTEST, competitors, CONTEXT));
  return opened;
});

const byNumber = (
  registrantIds: readonly number[],
  assocIds: readonly string[] | null = null,
): NumberSelector => ({
  by: 'registrantId',
  registrantIds,
  assocIds,
});
const enter = (selector: NumberSelector, eventId = 'cube'): EnterAttempt =>
  new EnterAttempt(at(eventId), selector, 1, 1888, CONTEXT);

describe('a number in the contest', () => {
  it('selects its competitor', async () => {
    const { results } = await core().execute(enter(byNumber([13])));
    expect(results).toMatchObject([{ resultId: 'C_cube_r1_3', personIds: [3] }]);
  });

  it('selects a team, in its order', async () => {
    const { results } = await core().execute(enter(byNumber([12, 11]), 'pairs'));
    expect(results).toMatchObject([{ personIds: [2, 1] }]);
  });

  it('may stand beside the association id of the same person', async () => {
    const { results } = await core().execute(enter(byNumber([11], ['2016ann01'])));
    expect(results).toMatchObject([{ personIds: [1] }]);
  });

  it('is refused beside the association id of somebody else, and both are named', async () => {
    expect(await core().refusal(enter(byNumber([11], ['2016BOB01'])))).toMatchObject({
      code: 'competitor-contradiction',
      detail: 'registrantId: registrantId 11 is person 1, but assocId 2016BOB01 is person 2',
      errors: [{ field: 'registrantId' }],
    });
  });

  it('is refused beside an association id that the space does not know', async () => {
    expect(await core().refusal(enter(byNumber([11], ['2016EVA01'])))).toMatchObject({
      code: 'person-not-found',
    });
  });

  it('is not looked at in a contest without numbers when an association id stands beside it', async () => {
    const bare = await openContestCore();
    const { results } = await bare.execute(enter(byNumber([99], ['2016ANN01'])));
    expect(results).toMatchObject([{ personIds: [1] }]);
    expect(await bare.refusal(enter(byNumber([99])))).toMatchObject({ code: 'person-not-found' });
    await bare.close();
  });

  it('that the contest does not have is not found', async () => {
    const row = (selector: NumberSelector) => ({ competitor: selector, attempts: [1888] });
    const rows = [row(byNumber([11])), row(byNumber([99])), row(byNumber([12], ['2016ANN01']))];
    expect(await core().refusal(new EnterResults(at('cube'), rows, CONTEXT))).toMatchObject({
      code: 'person-not-found',
      errors: [{ field: 'results[1].registrantId' }, { rule: 'competitor-contradiction' }],
    });
  });

  it('may be mixed with other names in one request', async () => {
    const rows = [
      { competitor: byNumber([13]), attempts: [1] },
      { competitor: { by: 'personId', personIds: [4] } as const, attempts: [2] },
      { competitor: byNumber([11]), attempts: [3] },
      { competitor: { by: 'assocId', assocIds: ['2016BOB01'] } as const, attempts: [4] },
    ];
    const { results } = await core().execute(new EnterResults(at('cube'), rows, CONTEXT));
    expect(results.map(({ personIds, best }) => [personIds, best])).toEqual([
      [[3], 1],
      [[4], 2],
      [[1], 3],
      [[2], 4],
    ]);
  });

  it("selects the person that its competitor was merged into, as does that person's own", async () => {
    await core().execute(new MergePersons(3, 2, CONTEXT));
    for (const number of [12, 13]) {
      const { results } = await core().execute(enter(byNumber([number])));
      expect(results).toMatchObject([{ personIds: [2] }]);
    }
  });

  it('is known as soon as another process has given it', async () => {
    expect(await core().refusal(enter(byNumber([14])))).toMatchObject({ code: 'person-not-found' });
    const other = await openMemoryCore(core());
    await other.execute(new NumberCompetitors(CONTEST, [4], CONTEXT));
    await other.close();
    const { results } = await core().execute(enter(byNumber([14])));
    expect(results).toMatchObject([{ personIds: [4] }]);
  });

  it("names the same result as the person's id", async () => {
    await core().execute(enter(byNumber([11])));
    const { results } = await core().execute(attempt(at('cube'), [1], 2, 1700));
    expect(results).toMatchObject([{ attempts: [1888, 1700, 0, 0, 0] }]);
  });
});
