import { describe, expect, it } from '@jest/globals';
import { roundStream } from '../../../../src/competition/aggregates/round/round.js';
import { CreateSpace } from '../../../../src/competition/aggregates/space/space.commands.js';
import {
  AnnounceContest,
  CreateContest,
  EndContest,
} from '../../../../src/competition/contests/contest.commands.js';
import { AuthenticateKey } from '../../../../src/competition/keys/key.queries.js';
import {
  EditPerson,
  ErasePerson,
  MergePersons,
  RegisterPerson,
} from '../../../../src/competition/persons/person.commands.js';
import {
  ChangeRound,
  EnterAttempt,
  EnterResults,
  OpenRound,
  UndoChange,
} from '../../../../src/competition/rounds/round.commands.js';
import { RejectedError } from '../../../../src/domain/rejections.js';
import { EventFeed } from '../../../../src/foundation/aggregates/event-feed.js';
import {
  at,
  attempt,
  CONTEST,
  CONTEXT,
  issueKey,
  makeContest,
  openContestCore,
} from '../../../support/contest-world.js';
import { openMemoryCore } from '../../../support/memory-core.js';
import { openForEach } from '../../../support/open-for-each.js';
import { heard } from '../../../support/process-manager.js';
import { DETAILS, SPACE } from '../../../support/small-world.js';

const core = openForEach(openContestCore);

const byAssocId = (assocIds: readonly string[], value: number): EnterAttempt =>
  new EnterAttempt(at('cube'), { by: 'assocId', assocIds }, 1, value, CONTEXT);

describe('an attempt', () => {
  it('is answered with the result as it stands', async () => {
    await core().execute(attempt(at('cube'), [1], 2, 1700));
    const receipt = await core().execute(attempt(at('cube'), [1], 1, 1888));
    expect(receipt.results).toEqual([
      {
        resultId: 'C_cube_r1_1',
        personIds: [1],
        attempts: [1888, 1700, 0, 0, 0],
        best: 1700,
        average: 0,
        changed: true,
        changes: 2,
      },
    ]);
    expect(receipt.position).toBe(await core().store.head());
  });

  it('again changes nothing and is answered the same', async () => {
    const first = await core().execute(attempt(at('cube'), [1], 1, 1888));
    const head = await core().store.head();
    const again = await core().execute(attempt(at('cube'), [1], 1, 1888));
    expect(again.results[0]).toEqual({ ...first.results[0], changed: false });
    expect(await core().store.head()).toBe(head);
  });

  it('that takes the last value away is answered with the result that went', async () => {
    await core().execute(attempt(at('cube'), [1], 1, 1888));
    const { results } = await core().execute(attempt(at('cube'), [1], 1, 0));
    expect(results).toEqual([
      {
        resultId: 'C_cube_r1_1',
        personIds: [1],
        attempts: [0, 0, 0, 0, 0],
        best: -1,
        average: 0,
        changed: true,
        changes: 2,
      },
    ]);
  });

  it('finds the person by association id, in any case', async () => {
    const { results } = await core().execute(byAssocId(['2016ann01'], 1500));
    expect(results[0]?.personIds).toEqual([1]);
  });

  it('finds a new bearer of an association id at once', async () => {
    await core().execute(byAssocId(['2016ANN01'], 1500));
    await core().execute(new EditPerson(1, { assocId: null }, CONTEXT));
    await core().execute(new EditPerson(3, { assocId: '2016ANN01' }, CONTEXT));
    const { results } = await core().execute(byAssocId(['2016ANN01'], 1500));
    expect(results[0]?.personIds).toEqual([3]);
  });

  it('finds on another node the new bearer of an association id that came by a merge', async () => {
    const other = await openMemoryCore(core());
    await other.execute(byAssocId(['2016ANN01'], 1500));
    const changed = heard(other.get(EventFeed), 'PersonProfileChanged', 2);
    await core().execute(new MergePersons(1, 4, CONTEXT));
    await core().execute(new EditPerson(4, { assocId: null }, CONTEXT));
    await core().execute(new EditPerson(3, { assocId: '2016ANN01' }, CONTEXT));
    await changed;
    const { results } = await other.execute(byAssocId(['2016ANN01'], 1500));
    expect(results[0]?.personIds).toEqual([3]);
    await other.close();
  });

  it('finds on another node the new bearer of an association id of one who was merged and erased', async () => {
    const other = await openMemoryCore(core());
    await other.execute(byAssocId(['2016ANN01'], 1500));
    const erased = heard(other.get(EventFeed), 'PersonErased');
    await core().execute(new MergePersons(1, 2, CONTEXT));
    await core().execute(new ErasePerson(2, CONTEXT));
    const eva = { spaceId: SPACE, name: 'Eva', localizedName: null, assocId: '2016ANN01', timeline: [] };
    const { personId } = await core().execute(new RegisterPerson(eva, CONTEXT));
    await erased;
    const { results } = await other.execute(byAssocId(['2016ANN01'], 1500));
    expect(results[0]?.personIds).toEqual([personId]);
    await other.close();
  });

  it('of a team takes the order in which it is named', async () => {
    await core().execute(attempt(at('pairs'), [1, 2], 1, 500));
    const { results } = await core().execute(attempt(at('pairs'), [2, 1], 1, 600));
    expect(results[0]).toMatchObject({
      resultId: 'C_pairs_r1_1-2',
      personIds: [2, 1],
      attempts: [600, 0, 0, 0, 0],
    });
  });

  it('goes to the person that the named one was merged into', async () => {
    await core().execute(attempt(at('cube'), [3], 1, 1888));
    await core().execute(new MergePersons(3, 4, CONTEXT));
    const { results } = await core().execute(attempt(at('cube'), [3], 2, 1777));
    expect(results[0]).toMatchObject({
      resultId: 'C_cube_r1_3',
      personIds: [4],
      attempts: [1888, 1777, 0, 0, 0],
    });
    const elsewhere = await core().execute(attempt(at('clock'), [3], 1, 1777));
    expect(elsewhere.results[0]).toMatchObject({ resultId: 'C_clock_r1_4', personIds: [4] });
  });
});

describe('a cumulative time limit', () => {
  it('counts what was entered in the other round, when deciding', async () => {
    await core().execute(attempt(at('cube'), [1], 1, 4000));
    const over = await core().refusal(attempt(at('clock'), [1], 1, 2000));
    expect(over).toMatchObject({ code: 'time-limit-exceeded', errors: [{ field: 'attemptResult' }] });
    await core().execute(attempt(at('cube'), [1], 1, -1));
    await core().execute(attempt(at('clock'), [1], 1, 2001));
  });

  it('counts what another process entered there', async () => {
    const other = await openMemoryCore(core());
    await core().execute(attempt(at('cube'), [1], 1, 1000));
    await other.execute(attempt(at('cube'), [1], 2, 3000));
    expect(await core().refusal(attempt(at('clock'), [1], 1, 2000))).toMatchObject({
      code: 'time-limit-exceeded',
    });
    await other.close();
  });
});

describe('a refusal', () => {
  it('comes in the order of the API', async () => {
    const { keyId } = await issueKey(core());
    await core().execute(new CreateSpace('other', 'Other', [], CONTEXT));
    await core().execute(new CreateContest({ spaceId: SPACE, competitionId: 'Draft' }, DETAILS, [], CONTEXT));
    const bad = (change: Partial<ReturnType<typeof at>>, personIds: readonly number[], number = 9) =>
      core().refusal(attempt({ ...at('cube'), ...change }, personIds, number, -9, keyId));
    const wrong = { eventId: 'none', roundNumber: 9 };
    expect(await bad({ ...wrong, spaceId: 'nowhere', competitionId: 'none' }, [99])).toMatchObject({
      code: 'space-not-found',
    });
    expect(await bad({ ...wrong, competitionId: 'none' }, [99])).toMatchObject({ code: 'contest-not-found' });
    expect(await bad({ ...wrong, competitionId: 'Draft' }, [99])).toMatchObject({
      code: 'contest-not-found',
    });
    expect(await bad(wrong, [99])).toMatchObject({ code: 'event-not-found' });
    expect(await bad({ roundNumber: 9 }, [99])).toMatchObject({ code: 'round-not-found' });
    expect(await bad({ roundNumber: 2 }, [99])).toMatchObject({ code: 'person-not-found' });
    expect(await bad({ roundNumber: 2 }, [1])).toMatchObject({ code: 'round-not-open' });
    expect(await bad({}, [1])).toMatchObject({ code: 'attempt-number-above-format' });
    expect(await bad({}, [1, 2], 1)).toMatchObject({ code: 'team-size' });
    expect(await bad({}, [1], 1)).toMatchObject({ code: 'attempt-value' });
  });

  it('for a key of another contest comes after the contest and before the event', async () => {
    const { keyId } = await issueKey(core());
    const elsewhere = { spaceId: SPACE, competitionId: 'Else' };
    const foreign = attempt({ ...elsewhere, eventId: 'none', roundNumber: 1 }, [99], 1, 1, keyId);
    await core().execute(new CreateContest(elsewhere, DETAILS, [], CONTEXT));
    expect(await core().refusal(foreign)).toMatchObject({ code: 'contest-not-found' });
    await core().execute(new AnnounceContest(elsewhere, CONTEXT));
    expect(await core().refusal(foreign)).toMatchObject({ code: 'key-of-another-contest' });
    const own = attempt(at('none'), [99], 1, 1, keyId);
    expect(await core().refusal(own)).toMatchObject({ code: 'event-not-found' });
  });

  it('says that the contest is not ongoing, after the persons', async () => {
    await core().execute(new EndContest(CONTEST, 'finish', CONTEXT));
    expect(await core().refusal(attempt(at('cube'), [99], 1, 1))).toMatchObject({ code: 'person-not-found' });
    expect(await core().refusal(attempt(at('cube'), [1], 1, 1))).toMatchObject({
      code: 'contest-not-ongoing',
      errors: [{ field: 'competitionId', rule: 'contest-not-ongoing' }],
    });
  });

  it('is not told from a state that another process has moved past', async () => {
    const other = await openMemoryCore(core());
    const person = { spaceId: SPACE, name: 'Eva', localizedName: null, assocId: null, timeline: [] };
    expect(await core().refusal(attempt(at('cube', 2), [5], 1, 1))).toMatchObject({
      code: 'person-not-found',
    });
    const { personId } = await other.execute(new RegisterPerson(person, CONTEXT));
    await other.execute(new OpenRound(at('cube', 2), CONTEXT));
    await core().execute(attempt(at('cube', 2), [personId], 1, 1888));
    await other.close();
  });

  it('names no person of another space', async () => {
    await core().execute(new CreateSpace('other', 'Other', [], CONTEXT));
    const stranger = { spaceId: 'other', name: 'Eva', localizedName: null, assocId: 'EVA1', timeline: [] };
    const { personId } = await core().execute(new RegisterPerson(stranger, CONTEXT));
    expect(await core().refusal(attempt(at('cube'), [personId], 1, 1))).toMatchObject({
      code: 'person-not-found',
      errors: [{ field: 'personId' }],
    });
    expect(await core().refusal(byAssocId(['EVA1'], 1))).toMatchObject({ errors: [{ field: 'assocId' }] });
  });
});

describe('results', () => {
  const rows = (...of: readonly (readonly [personId: number, attempts: readonly number[]])[]) =>
    new EnterResults(
      at('cube'),
      of.map(([personId, attempts]) => ({ competitor: { by: 'personId', personIds: [personId] }, attempts })),
      CONTEXT,
    );

  it('land in one append', async () => {
    const appends = core().store.appends;
    const { results } = await core().execute(rows([1, [1888, 1999]], [2, [-1]], [3, []]));
    expect(core().store.appends).toBe(appends + 1);
    expect(results.map(({ attempts, changed }) => [attempts, changed])).toEqual([
      [[1888, 1999, 0, 0, 0], true],
      [[-1, 0, 0, 0, 0], true],
      [[0, 0, 0, 0, 0], false],
    ]);
  });

  it('are refused as a whole, every unknown person by the row', async () => {
    const refusal = await core().refusal(rows([1, [1888]], [98, [1]], [99, [1]]));
    expect(refusal.code).toBe('person-not-found');
    expect(refusal.errors?.map(({ field }) => field)).toEqual(['results[1].personId', 'results[2].personId']);
    expect(await core().types((names) => names.of(roundStream, at('cube')))).toEqual(['RoundOpened']);
  });

  it('meet no second row for a person who was merged into another of them', async () => {
    await core().execute(new MergePersons(3, 4, CONTEXT));
    const refusal = await core().refusal(rows([3, [1]], [4, [2]]));
    expect(refusal).toMatchObject({
      code: 'competitor-repeated',
      errors: [{ field: 'results[1].personId' }],
    });
  });
});

describe('racing processes', () => {
  it('lose no attempt', async () => {
    const other = await openMemoryCore(core());
    const commands = Array.from({ length: 40 }, (_, index) =>
      attempt(at('cube'), [1 + (index % 4)], 1 + (Math.floor(index / 4) % 5), 1000 + index),
    );
    await Promise.all(commands.map((command, index) => (index % 2 === 0 ? core() : other).execute(command)));
    const types = await core().types((names) => names.of(roundStream, at('cube')));
    expect(types.filter((type) => type === 'AttemptEntered' || type === 'AttemptCorrected')).toHaveLength(40);
    await other.close();
  });

  it('take nothing into a round that one of them has closed', async () => {
    const other = await openMemoryCore(core());
    await core().execute(attempt(at('cube'), [1], 1, 1));
    await other.execute(new ChangeRound(at('cube'), { type: 'CloseRound' }, CONTEXT));
    expect(await core().refusal(attempt(at('cube'), [1], 2, 1))).toMatchObject({ code: 'round-not-open' });
    await other.close();
  });
});

describe('an API key', () => {
  const authenticate = (key: string | null): Promise<unknown> =>
    core()
      .query(new AuthenticateKey(key))
      .catch((error: unknown) => (error instanceof RejectedError ? error.rejection.code : error));

  it('says who holds it', async () => {
    const { key, keyId } = await issueKey(core());
    expect(await authenticate(key)).toEqual({ keyId, ...CONTEST, device: 'Table 1', purpose: 'entry' });
  });

  it('is refused with the reason', async () => {
    const { key } = await issueKey(core());
    const other = await openMemoryCore();
    await makeContest(other);
    const foreign = await issueKey(other);
    await other.close();
    expect(await authenticate(null)).toBe('key-missing');
    expect(await authenticate('')).toBe('key-missing');
    expect(await authenticate(`${key}x`)).toBe('key-unknown');
    expect(await authenticate(foreign.key)).toBe('key-unknown');
    await core().execute(new EndContest(CONTEST, 'finish', CONTEXT));
    expect(await authenticate(key)).toBe('key-ended');
  });
});

describe('undoing', () => {
  /** Entered for person 3 and taken away again, who then turns out to be person 4. */
  const removedBeforeTheMerge = async (): Promise<void> => {
    await core().execute(attempt(at('cube'), [3], 1, 1888));
    await core().execute(attempt(at('cube'), [3], 1, 0));
    await core().execute(new MergePersons(3, 4, CONTEXT));
  };
  const undo = new UndoChange(at('cube'), 'C_cube_r1_3', 2, CONTEXT);

  it('brings a result back as that of the person that its owner was merged into meanwhile', async () => {
    await removedBeforeTheMerge();
    const { results } = await core().execute(undo);
    expect(results).toMatchObject([
      { resultId: 'C_cube_r1_3', personIds: [4], attempts: [1888, 0, 0, 0, 0] },
    ]);
    const entered = await core().execute(attempt(at('cube'), [3], 2, 1700));
    expect(entered.results).toMatchObject([{ resultId: 'C_cube_r1_3', attempts: [1888, 1700, 0, 0, 0] }]);
  });

  it('gives no person a second result in a round', async () => {
    await removedBeforeTheMerge();
    await core().execute(attempt(at('cube'), [4], 1, 1500));
    expect(await core().refusal(undo)).toMatchObject({ code: 'result-changed' });
  });
});
