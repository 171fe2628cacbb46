/** From one round to the next in a contest with a competitor list, and back. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  EndContest,
  PlanRound,
  ReopenContest,
} from '../../../../src/competition/contests/contest.commands.js';
import { MergePersons, RegisterPerson } from '../../../../src/competition/persons/person.commands.js';
import { AdvancementProcess } from '../../../../src/competition/rounds/advancement.process.js';
import {
  AdvanceRound,
  ChangeRound,
  OpenRound,
  UndoOpening,
} from '../../../../src/competition/rounds/round.commands.js';
import { CONFIRMATIONS } from '../../../../src/domain/advancement-plan.js';
import { EventFeed } from '../../../../src/foundation/aggregates/event-feed.js';
import { ProcessServices } from '../../../../src/foundation/projections/process-services.js';
import { breakOffAt } from '../../../support/broken-off.js';
import { at, attempt, CONTEST, CONTEXT, openContestCore, planned } from '../../../support/contest-world.js';
import { type MemoryCore, openMemoryCore } from '../../../support/memory-core.js';
import { openForEach } from '../../../support/open-for-each.js';
import { heard, startProcess } from '../../../support/process-manager.js';
import {
  advance,
  advancementOf,
  enter,
  ids,
  mark,
  missingFrom,
  missingIn,
  openRosteredCore,
  register,
  roundEventTypes,
  shownRound,
  withdraw,
} from '../../../support/rostered-core.js';

const core = openForEach(openRosteredCore);

const enterAll = () => enter(core(), [1, 900], [2, 1000], [3, 1100], [4, -1]);

describe('a round with a roster', () => {
  it('says who is expected, entered, complete and missing', async () => {
    await enter(core(), [1, 900]);
    await core().execute(mark(1, 4, 'no-show'));
    const round = await shownRound(core());
    expect(round.roster).toMatchObject({ expected: 3, entered: 1, complete: 1 });
    expect(missingIn(round)).toEqual(['Bob expected', 'Cem expected', 'Dee no-show']);
  });

  it('says who advances for certain, while the others are still coming', async () => {
    await enter(core(), [1, 900], [2, 1000], [3, 1100]);
    const prospects = async () => (await shownRound(core())).results.map(({ advancement }) => advancement);
    expect(await prospects()).toEqual(['certain', 'possible', 'out']);
    await core().execute(mark(1, 4, 'no-show'));
    expect(await prospects()).toEqual(['certain', 'certain', 'out']);
  });

  it('takes nobody who has quit, until that is taken back', async () => {
    await core().execute(mark(1, 2, 'quit'));
    expect(await core().refusal(attempt(at('cube'), [2], 1, 900))).toMatchObject({
      code: 'not-expected',
      detail: 'personId: person 2 has quit round 1',
    });
    await core().execute(mark(1, 2, 'expected'));
    await enter(core(), [2, 900]);
  });

  it('knows merged persons under all their ids', async () => {
    await core().execute(new MergePersons(2, 3, CONTEXT));
    await core().execute(mark(1, 3, 'quit'));
    expect(ids((await shownRound(core())).roster?.missing)).toEqual(['1', '3', '4']);
  });

  it('does not await a person for ever who was merged into one with a result', async () => {
    await enter(core(), [1, 900], [2, 1000], [3, 1100]);
    expect(ids((await advancementOf(core())).missing)).toEqual(['4']);
    await core().execute(new MergePersons(4, 3, CONTEXT));
    const view = await advancementOf(core());
    expect(view.missing).toEqual([]);
    expect(view.toConfirm.map(({ rule }) => rule)).toEqual(['few-competitors']);
    await core().execute(advance([1, 2], ['few-competitors']));
  });
});

describe('places', () => {
  it('are provisional while the round is open, and after it while results are missing', async () => {
    const provisional = async () => (await shownRound(core())).provisional;
    expect((await shownRound(core(), 2)).provisional).toBe(false);
    await enter(core(), [1, 900], [2, 1000], [3, 1100]);
    expect(await provisional()).toBe(true);
    await core().execute(new ChangeRound(at('cube'), { type: 'CloseRound' }, CONTEXT));
    expect(await provisional()).toBe(true);
    await core().execute(mark(1, 4, 'no-show'));
    expect(await provisional()).toBe(false);
  });

  it('are provisional while attempts are missing of one who has not quit', async () => {
    await core().execute(new PlanRound(CONTEST, planned('cube', 1, { format: '2' }), CONTEXT));
    await core().execute(new OpenRound(at('cube'), CONTEXT));
    await enter(core(), [1, 900]);
    for (const id of [2, 3, 4]) await core().execute(mark(1, id, 'no-show'));
    await core().execute(new ChangeRound(at('cube'), { type: 'CloseRound' }, CONTEXT));
    expect((await shownRound(core())).provisional).toBe(true);
    await core().execute(mark(1, 1, 'quit'));
    expect((await shownRound(core())).provisional).toBe(false);
  });

  it('are final in a finished contest, and provisional again when it goes on', async () => {
    await enter(core(), [1, 900]);
    const provisional = async () => (await shownRound(core())).provisional;
    await core().execute(new EndContest(CONTEST, 'finish', CONTEXT));
    expect(await provisional()).toBe(false);
    await core().execute(new ReopenContest(CONTEST, CONTEXT));
    expect(await provisional()).toBe(true);
  });
});

describe('advancing', () => {
  beforeEach(enterAll);

  it('closes the round, and opens the next one with those who were shown', async () => {
    expect(ids((await advancementOf(core())).competitors)).toEqual(['1', '2']);
    await core().execute(advance([1, 2]));
    expect((await roundEventTypes(core(), 1)).slice(-2)).toEqual(['RoundClosed', 'AdvancementDecided']);
    expect(await roundEventTypes(core(), 2)).toEqual(['RoundOpened', 'RosterSet']);
    await core().execute(advance([1, 2]));
    expect(await roundEventTypes(core(), 2)).toEqual(['RoundOpened', 'RosterSet']);
    expect(ids((await shownRound(core(), 2)).roster?.missing)).toEqual(['1', '2']);
  });

  it('lets only them into the next round, and those whom a moderator adds', async () => {
    await core().execute(advance([1, 2]));
    await core().execute(attempt(at('cube', 2), [2], 1, 900));
    expect(await core().refusal(attempt(at('cube', 2), [3], 1, 900))).toMatchObject({
      code: 'not-expected',
      detail: 'personId: person 3 is not among those expected in round 2',
    });
    await core().execute(mark(2, 3, 'expected'));
    await core().execute(attempt(at('cube', 2), [3], 1, 900));
    // Repeated after the addition.
    await core().execute(advance([1, 2]));
  });

  it('asks before anything is done', async () => {
    expect(await core().refusal(advance([1, 3], []))).toMatchObject({
      code: 'to-confirm',
      errors: [{ rule: 'few-competitors' }, { rule: 'other-competitors' }],
    });
    expect((await shownRound(core())).open).toBe(true);
  });

  it('opens with the same competitors when the round is opened alone', async () => {
    expect(await core().refusal(new OpenRound(at('cube', 2), CONTEXT))).toMatchObject({
      code: 'round-state',
    });
    await core().execute(new ChangeRound(at('cube'), { type: 'CloseRound' }, CONTEXT));
    await core().execute(new OpenRound(at('cube', 2), CONTEXT));
    expect(ids((await shownRound(core(), 2)).roster?.missing)).toEqual(['1', '2']);
  });

  it('needs a next round in the plan, which is not open with others', async () => {
    const clock = new AdvanceRound(at('clock'), [[1]], CONFIRMATIONS, CONTEXT);
    expect(await core().refusal(clock)).toMatchObject({ code: 'round-state' });
    await core().execute(advance([1, 2]));
    expect(await core().refusal(advance([1, 3]))).toMatchObject({
      code: 'round-state',
      detail: 'others advance already: take the opening of the next round back first',
    });
    await core().execute(new OpenRound(at('cube'), CONTEXT));
    expect(await core().refusal(advance([1, 2]))).toMatchObject({
      code: 'round-state',
      detail: 'round 2 was opened before: take its opening back first',
    });
  });

  it('can be taken back while nothing is entered', async () => {
    await core().execute(advance([1, 2]));
    await core().execute(new UndoOpening(at('cube', 2), CONTEXT));
    expect(await shownRound(core())).toMatchObject({ open: true });
    expect(await shownRound(core(), 2)).toMatchObject({ open: false, roster: null });
    await core().execute(advance([1, 3]));
    await core().execute(attempt(at('cube', 2), [3], 1, 900));
    expect(await core().refusal(new UndoOpening(at('cube', 2), CONTEXT))).toMatchObject({
      code: 'round-state',
    });
  });

  it('opens no round again that is over, when it is repeated', async () => {
    await core().execute(advance([1, 2]));
    await core().execute(new ChangeRound(at('cube', 2), { type: 'CloseRound' }, CONTEXT));
    await core().execute(advance([1, 2]));
    expect(await shownRound(core(), 2)).toMatchObject({ open: false });
  });

  it('is taken back only while the contest goes on', async () => {
    await core().execute(advance([1, 2]));
    await core().execute(new EndContest(CONTEST, 'finish', CONTEXT));
    expect(await core().refusal(new UndoOpening(at('cube', 2), CONTEXT))).toMatchObject({
      code: 'contest-state',
    });
    expect((await roundEventTypes(core(), 2)).at(-1)).toBe('RoundClosed');
  });

  it('stays as it was when a result is corrected later, and shows the difference', async () => {
    await core().execute(advance([1, 2]));
    await core().execute(new OpenRound(at('cube'), CONTEXT));
    await enter(core(), [3, 950]);
    await core().execute(new ChangeRound(at('cube'), { type: 'CloseRound' }, CONTEXT));
    const { next } = await advancementOf(core());
    expect(ids(next?.notTaken)).toEqual(['3']);
    expect(ids(next?.notAdvancing)).toEqual(['2']);
    expect(next?.reserves).toEqual([]);
    expect(ids((await shownRound(core(), 2)).roster?.missing)).toEqual(['1', '2']);
  });
});

describe('who is next in line', () => {
  beforeEach(enterAll);
  const reserves = async () => ids((await advancementOf(core())).next?.reserves);

  it('is offered when somebody quits the next round', async () => {
    await core().execute(advance([1, 2]));
    expect(await reserves()).toEqual([]);
    await core().execute(mark(2, 2, 'quit'));
    expect(await reserves()).toEqual(['3']);
    await core().execute(mark(2, 3, 'expected'));
    const { next } = await advancementOf(core());
    expect([next?.reserves, next?.notTaken, next?.notAdvancing]).toEqual([[], [], []]);
  });

  it('is offered when somebody withdraws from the contest, before the opening and after it', async () => {
    await core().execute(withdraw(2));
    const { competitors, leaving, line, places } = await advancementOf(core());
    expect([ids(competitors), ids(leaving), ids(line), places]).toEqual([['1'], ['2'], ['3'], 2]);
    await core().execute(advance([1]));
    expect(await reserves()).toEqual(['3']);
    await core().execute(mark(2, 3, 'expected'));
    await core().execute(withdraw(1));
    expect(await reserves()).toEqual([]);
    expect(await missingFrom(core(), 2)).toEqual(['Ann withdrawn', 'Cem expected']);
  });

  it('is offered for the place of who was left out, who can still be added', async () => {
    await core().execute(advance([1]));
    const { next } = await advancementOf(core());
    expect([ids(next?.reserves), ids(next?.notTaken)]).toEqual([['3'], ['2']]);
  });

  it('is nobody who has quit either, and nobody without a valid result', async () => {
    await core().execute(mark(1, 3, 'quit'));
    await core().execute(advance([1]));
    expect(await reserves()).toEqual([]);
  });

  it('is known under the present id of merged persons', async () => {
    await core().execute(advance([1, 2]));
    const eva = { spaceId: CONTEST.spaceId, name: 'Eva', localizedName: null, assocId: null, timeline: [] };
    const { personId } = await core().execute(new RegisterPerson(eva, CONTEXT));
    await core().execute(new MergePersons(2, personId, CONTEXT));
    const { next } = await advancementOf(core());
    expect([next?.reserves, next?.notTaken]).toEqual([[], []]);
  });
});

describe('who withdraws between two rounds', () => {
  beforeEach(enterAll);

  it('does not advance when the next round is opened alone', async () => {
    await core().execute(new ChangeRound(at('cube'), { type: 'CloseRound' }, CONTEXT));
    await core().execute(withdraw(2));
    await core().execute(new OpenRound(at('cube', 2), CONTEXT));
    expect(await missingFrom(core(), 2)).toEqual(['Ann expected']);
  });

  it('is not taken in the next round, and is again once registered', async () => {
    await core().execute(advance([1, 2]));
    await core().execute(withdraw(2));
    expect(await core().refusal(attempt(at('cube', 2), [2], 1, 900))).toMatchObject({
      code: 'not-registered',
      detail: 'personId: person 2 has withdrawn from this contest',
    });
    expect(await core().refusal(mark(2, 2, 'expected'))).toMatchObject({
      code: 'roster',
      errors: [{ field: 'competitors[0].personIds', rule: 'has-withdrawn' }],
    });
    await core().execute(register(2, 'cube'));
    await core().execute(attempt(at('cube', 2), [2], 1, 900));
  });

  it('is withdrawn in a round that a crash has opened late', async () => {
    await breakOffAt(core().store, { append: 1, written: false }, () =>
      core()
        .execute(advance([1, 2]))
        .catch(() => undefined),
    );
    await core().execute(withdraw(2));
    await core().execute(advance([1, 2]));
    expect(await missingFrom(core(), 2)).toEqual(['Ann expected', 'Bob withdrawn']);
  });
});

describe('without a rule for advancing', () => {
  beforeEach(async () => {
    await core().execute(new PlanRound(CONTEST, planned('cube', 1, { format: '1' }), CONTEXT));
    await core().execute(new OpenRound(at('cube'), CONTEXT));
    await enterAll();
  });

  it('a moderator has to say who advances', async () => {
    await core().execute(new ChangeRound(at('cube'), { type: 'CloseRound' }, CONTEXT));
    expect(await core().refusal(new OpenRound(at('cube', 2), CONTEXT))).toMatchObject({
      code: 'round-state',
      detail: 'round 1 has no rule for advancing: choose who advances from it',
    });
    const view = await advancementOf(core());
    expect(view).toMatchObject({ hasRule: false, competitors: [], places: null });
    expect(ids(view.line)).toEqual(['1', '2', '3']);
    await core().execute(advance([1, 3], ['few-competitors']));
    expect(ids((await shownRound(core(), 2)).roster?.missing)).toEqual(['1', '3']);
  });

  it('the next in line takes the place of one whom the moderator chose', async () => {
    await core().execute(advance([1, 3]));
    await core().execute(mark(2, 3, 'quit'));
    expect(ids((await advancementOf(core())).next?.reserves)).toEqual(['2']);
  });
});

describe('a later round of a contest with a list', () => {
  it('opens only when it is known who advances', async () => {
    await core().execute(new ChangeRound(at('cube'), { type: 'CloseRound' }, CONTEXT));
    expect(await core().refusal(new OpenRound(at('cube', 2), CONTEXT))).toMatchObject({
      code: 'round-state',
      detail: 'no competitor advances from round 1 by its rule: choose who advances from it',
    });
    await core().execute(new UndoOpening(at('cube'), CONTEXT));
    expect(await core().refusal(new OpenRound(at('cube', 2), CONTEXT))).toMatchObject({
      code: 'round-state',
      detail: 'round 1 was never opened, so no competitor advances from it',
    });
  });
});

describe('without a competitor list', () => {
  it('the next round takes every known person, and says nothing of who advances', async () => {
    const plain = await openContestCore();
    const rules = { format: '1', advancement: { type: 'number', value: 2 } } as const;
    for (const roundNumber of [1, 2])
      await plain.execute(new PlanRound(CONTEST, planned('cube', roundNumber, rules), CONTEXT));
    await plain.execute(new OpenRound(at('cube'), CONTEXT));
    await enter(plain, [1, 900], [2, 1000], [3, 1100]);
    await plain.execute(advance([1, 2]));
    await plain.execute(attempt(at('cube', 2), [4], 1, 900));
    expect(await shownRound(plain, 2)).toMatchObject({
      open: true,
      roster: null,
      results: [{ advancement: null }],
    });
    await plain.close();
  });
});

describe('advancing that is broken off', () => {
  beforeEach(enterAll);
  const breakOff = (append: number, written: boolean): Promise<void> =>
    breakOffAt(core().store, { append, written }, () =>
      core()
        .execute(advance([1, 2]))
        .catch(() => undefined),
    );
  const processOf = (next: MemoryCore): AdvancementProcess =>
    new AdvancementProcess(next.get(ProcessServices));

  it.each([
    [0, true],
    [1, false],
    [1, true],
  ])('at append %d (written: %s) is completed by giving it again', async (append, written) => {
    await breakOff(append, written);
    await core().execute(advance([1, 2]));
    expect(await roundEventTypes(core(), 2)).toEqual(['RoundOpened', 'RosterSet']);
  });

  it('is completed by the process of another node', async () => {
    const next = await openMemoryCore(core());
    const process = processOf(next);
    const { grace } = await startProcess(process);
    await breakOff(1, false);
    const opened = heard(next.get(EventFeed), 'RosterSet');
    (await grace)();
    await opened;
    expect(ids((await shownRound(core(), 2)).roster?.missing)).toEqual(['1', '2']);
    process.onApplicationShutdown();
    await next.close();
  });

  it('is completed at the next start', async () => {
    await breakOff(1, false);
    const next = await openMemoryCore(core());
    await processOf(next).completeLeftBehind();
    expect(await roundEventTypes(core(), 2)).toEqual(['RoundOpened', 'RosterSet']);
    await next.close();
  });
});
