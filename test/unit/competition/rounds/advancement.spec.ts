/** From one round to the next in a contest with a competitor list, and back. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { QueryBus } from '@nestjs/cqrs';
import {
  CONFIRMATIONS,
  type Confirmation,
} from '../../../../src/competition/aggregates/round/advancement-plan.js';
import type { RosterMark } from '../../../../src/competition/aggregates/round/roster.js';
import {
  AdvanceRound,
  CloseRound,
  MarkRoster,
  OpenRound,
  UndoOpening,
} from '../../../../src/competition/aggregates/round/round.commands.js';
import { roundStream } from '../../../../src/competition/aggregates/round/round.js';
import {
  MarkCompetitor,
  RegisterCompetitors,
} from '../../../../src/competition/contests/competitor-list.commands.js';
import { PlanRound } from '../../../../src/competition/contests/contest.commands.js';
import { GetRound, type RoundView } from '../../../../src/competition/contests/contest.queries.js';
import { MergePersons, RegisterPerson } from '../../../../src/competition/persons/person.commands.js';
import { AdvancementProcess } from '../../../../src/competition/rounds/advancement.process.js';
import { GetAdvancement } from '../../../../src/competition/rounds/advancement.queries.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import { AGGREGATES } from '../../../../src/foundation/aggregates/aggregate.js';
import { EventFeed } from '../../../../src/foundation/aggregates/event-feed.js';
import { READ_MODELS } from '../../../../src/foundation/projections/read-models.js';
import { breakOffAt } from '../../../support/broken-off.js';
import { at, attempt, CONTEST, CONTEXT, openContestCore, planned } from '../../../support/contest-world.js';
import { type MemoryCore, openMemoryCore } from '../../../support/memory-core.js';
import { openForEach } from '../../../support/open-for-each.js';
import { heard, startProcess } from '../../../support/process-manager.js';

let core: MemoryCore;
/** The round of clock has no roster: it was opened before anybody was registered. Rounds of the cube are not open. */
openForEach(openContestCore, (opened) => {
  core = opened;
});

const register = (personId: number, ...eventIds: readonly string[]): RegisterCompetitors => {
  const selector = { by: 'personId', personIds: [personId] } as const;
  return new RegisterCompetitors(CONTEST, [{ selector, number: null, eventIds }], CONTEXT);
};

/** A rule for round 1 of the cube, and all four persons registered for it, before it opens anew. */
beforeEach(async () => {
  await core.execute(new UndoOpening(at('cube'), CONTEXT));
  const rule = { format: '1', advancement: { type: 'number', value: 2 } } as const;
  await core.execute(new PlanRound(CONTEST, planned('cube', 1, rule), CONTEXT));
  for (const id of [1, 2, 3, 4]) await core.execute(register(id, 'cube'));
  await core.execute(new OpenRound(at('cube'), CONTEXT));
});

const enter = async (...values: readonly (readonly [personId: number, value: number])[]): Promise<void> => {
  for (const [personId, value] of values) await core.execute(attempt(at('cube'), [personId], 1, value));
};
const advance = (
  persons: readonly number[],
  confirmed: readonly Confirmation[] = CONFIRMATIONS,
): AdvanceRound =>
  new AdvanceRound(
    at('cube'),
    persons.map((id) => [id]),
    confirmed,
    CONTEXT,
  );
const mark = (roundNumber: number, personId: number, as: RosterMark): MarkRoster =>
  new MarkRoster(at('cube', roundNumber), [{ personIds: [personId], mark: as }], CONTEXT);
const shown = async (roundNumber = 1): Promise<RoundView> => {
  await core.shown(await core.store.head());
  return core.query(new GetRound(at('cube', roundNumber)));
};
const typesOf = (roundNumber: number): Promise<readonly string[]> =>
  core.types((names) => names.of(roundStream, at('cube', roundNumber)));
const ids = (placed: readonly { readonly persons: readonly { readonly id: number }[] }[]) =>
  placed.map(({ persons }) => persons.map(({ id }) => id).join());

describe('a round with a roster', () => {
  it('says who is expected, entered, complete and missing', async () => {
    await enter([1, 900]);
    await core.execute(mark(1, 4, 'no-show'));
    const { roster } = await shown();
    expect(roster).toMatchObject({ expected: 3, entered: 1, complete: 1 });
    expect(roster?.missing.map(({ persons, mark: as }) => `${persons[0]?.name} ${as}`)).toEqual([
      'Bob expected',
      'Cem expected',
      'Dee no-show',
    ]);
  });

  it('says who advances for certain, while the others are still coming', async () => {
    await enter([1, 900], [2, 1000], [3, 1100]);
    const prospects = async () => (await shown()).results.map(({ advancement }) => advancement);
    expect(await prospects()).toEqual(['certain', 'possible', 'out']);
    await core.execute(mark(1, 4, 'no-show'));
    expect(await prospects()).toEqual(['certain', 'certain', 'out']);
  });

  it('takes nobody who has quit, until that is taken back', async () => {
    await core.execute(mark(1, 2, 'quit'));
    expect(await core.refusal(attempt(at('cube'), [2], 1, 900))).toMatchObject({
      code: 'not-expected',
      detail: 'personId: person 2 has quit round 1',
    });
    await core.execute(mark(1, 2, 'expected'));
    await enter([2, 900]);
  });

  it('follows the competitor list while it is open', async () => {
    const missing = async () =>
      (await shown()).roster?.missing.map(({ persons, mark: as }) => `${persons[0]?.name} ${as}`);
    await core.execute(new MarkCompetitor(CONTEST, 2, 'WithdrawCompetitor', CONTEXT));
    expect(await missing()).toContain('Bob quit');
    await core.execute(register(2, 'cube'));
    expect(await missing()).toContain('Bob expected');
    await core.execute(register(3, 'clock'));
    expect(await missing()).toContain('Cem quit');
    const eva = { spaceId: CONTEST.spaceId, name: 'Eva', localizedName: null, assocId: null, timeline: [] };
    const { personId } = await core.execute(new RegisterPerson(eva, CONTEXT));
    await core.execute(register(personId, 'cube'));
    expect(await missing()).toContain('Eva expected');
  });

  it('knows merged persons under all their ids', async () => {
    await core.execute(new MergePersons(2, 3, CONTEXT));
    await core.execute(mark(1, 3, 'quit'));
    expect(ids((await shown()).roster?.missing ?? [])).toEqual(['1', '3', '4']);
  });
});

describe('advancing', () => {
  beforeEach(() => enter([1, 900], [2, 1000], [3, 1100], [4, -1]));

  it('closes the round, and opens the next one with those who were shown', async () => {
    const { competitors } = await core.query(new GetAdvancement(at('cube')));
    expect(ids(competitors)).toEqual(['1', '2']);
    await core.execute(advance([1, 2]));
    expect((await typesOf(1)).slice(-2)).toEqual(['RoundClosed', 'AdvancementDecided']);
    expect(await typesOf(2)).toEqual(['RoundOpened', 'RosterSet']);
    await core.execute(advance([1, 2]));
    expect(await typesOf(2)).toEqual(['RoundOpened', 'RosterSet']);
    expect(ids((await shown(2)).roster?.missing ?? [])).toEqual(['1', '2']);
  });

  it('lets only them into the next round, and those whom a moderator adds', async () => {
    await core.execute(advance([1, 2]));
    await core.execute(attempt(at('cube', 2), [2], 1, 900));
    expect(await core.refusal(attempt(at('cube', 2), [3], 1, 900))).toMatchObject({
      code: 'not-expected',
      detail: 'personId: person 3 is not among those expected in round 2',
    });
    await core.execute(mark(2, 3, 'expected'));
    await core.execute(attempt(at('cube', 2), [3], 1, 900));
  });

  it('asks before anything is done', async () => {
    expect(await core.refusal(advance([1, 3], []))).toMatchObject({
      code: 'to-confirm',
      errors: [{ rule: 'few-competitors' }, { rule: 'other-competitors' }],
    });
    expect((await shown()).open).toBe(true);
  });

  it('opens with the same competitors when the round is opened without a list', async () => {
    expect(await core.refusal(new OpenRound(at('cube', 2), CONTEXT))).toMatchObject({ code: 'round-state' });
    await core.execute(new CloseRound(at('cube'), CONTEXT));
    await core.execute(new OpenRound(at('cube', 2), CONTEXT));
    expect(ids((await shown(2)).roster?.missing ?? [])).toEqual(['1', '2']);
  });

  it('needs a next round in the plan, which is not open with others', async () => {
    const clock = new AdvanceRound(at('clock'), [[1]], CONFIRMATIONS, CONTEXT);
    expect(await core.refusal(clock)).toMatchObject({ code: 'round-state' });
    await core.execute(advance([1, 2]));
    expect(await core.refusal(advance([1, 3]))).toMatchObject({
      code: 'round-state',
      detail: 'round 2 was opened with other competitors: take its opening back first',
    });
  });

  it('can be taken back while nothing is entered', async () => {
    await core.execute(advance([1, 2]));
    await core.execute(new UndoOpening(at('cube', 2), CONTEXT));
    expect(await shown()).toMatchObject({ open: true });
    expect(await shown(2)).toMatchObject({ open: false, roster: null });
    await core.execute(advance([1, 3]));
    await core.execute(attempt(at('cube', 2), [3], 1, 900));
    expect(await core.refusal(new UndoOpening(at('cube', 2), CONTEXT))).toMatchObject({
      code: 'round-state',
    });
  });

  it('stays as it was when a result is corrected later, and shows the difference', async () => {
    await core.execute(advance([1, 2]));
    await core.execute(new OpenRound(at('cube'), CONTEXT));
    await enter([3, 950]);
    await core.execute(new CloseRound(at('cube'), CONTEXT));
    const { next } = await core.query(new GetAdvancement(at('cube')));
    expect(ids(next?.notTaken ?? [])).toEqual(['3']);
    expect(ids(next?.notAdvancing ?? [])).toEqual(['2']);
    expect(ids((await shown(2)).roster?.missing ?? [])).toEqual(['1', '2']);
  });

  it('offers who is next in line when somebody quits', async () => {
    await core.execute(advance([1, 2]));
    const reserves = async () => {
      const { next } = await core.query(new GetAdvancement(at('cube')));
      return ids(next?.reserves ?? []);
    };
    expect(await reserves()).toEqual([]);
    await core.execute(mark(2, 2, 'quit'));
    expect(await reserves()).toEqual(['3']);
    await core.execute(mark(2, 3, 'expected'));
    expect(await reserves()).toEqual([]);
  });
});

describe('advancing that is broken off', () => {
  beforeEach(() => enter([1, 900], [2, 1000], [3, 1100], [4, -1]));
  const breakOff = (append: number, written: boolean): Promise<void> =>
    breakOffAt(core.store, { append, written }, () => core.execute(advance([1, 2])).catch(() => undefined));
  const processOf = (next: MemoryCore): AdvancementProcess =>
    new AdvancementProcess(
      next.store,
      next.get(EventFeed),
      next.get(READ_MODELS),
      next.get(AGGREGATES),
      next.get(StreamNames),
      next.get(QueryBus),
    );

  it.each([
    [0, true],
    [1, false],
    [1, true],
  ])('at append %d (written: %s) is completed by giving it again', async (append, written) => {
    await breakOff(append, written);
    await core.execute(advance([1, 2]));
    expect(await typesOf(2)).toEqual(['RoundOpened', 'RosterSet']);
  });

  it('is completed by the process of another node', async () => {
    const next = await openMemoryCore(core);
    const process = processOf(next);
    const { grace } = await startProcess(process);
    await breakOff(1, false);
    const opened = heard(next.get(EventFeed), 'RosterSet');
    (await grace)();
    await opened;
    expect(ids((await shown(2)).roster?.missing ?? [])).toEqual(['1', '2']);
    process.onApplicationShutdown();
    await next.close();
  });

  it('is completed at the next start', async () => {
    await breakOff(1, false);
    const next = await openMemoryCore(core);
    await processOf(next).completeLeftBehind();
    expect(await typesOf(2)).toEqual(['RoundOpened', 'RosterSet']);
    await next.close();
  });
});
