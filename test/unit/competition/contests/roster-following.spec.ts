/** Rosters of open rounds follow the competitor list, also when the command that changed it was broken off. */
import { describe, expect, it, jest } from '@jest/globals';
import { roundStream } from '../../../../src/competition/aggregates/round/round.js';
import { RosterFollowingProcess } from '../../../../src/competition/contests/roster-following.process.js';
import { MergePersons, RegisterPerson } from '../../../../src/competition/persons/person.commands.js';
import {
  ChangeRound,
  MarkRoster,
  OpenRound,
  UndoOpening,
} from '../../../../src/competition/rounds/round.commands.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import { AGGREGATES } from '../../../../src/foundation/aggregates/aggregate.js';
import type { Aggregates } from '../../../../src/foundation/aggregates/aggregates.js';
import { EventFeed } from '../../../../src/foundation/aggregates/event-feed.js';
import { ProcessServices } from '../../../../src/foundation/projections/process-services.js';
import { breakOffAt } from '../../../support/broken-off.js';
import { at, attempt, CONTEST, CONTEXT } from '../../../support/contest-world.js';
import { type MemoryCore, openMemoryCore } from '../../../support/memory-core.js';
import { openForEach } from '../../../support/open-for-each.js';
import { heard, startProcess } from '../../../support/process-manager.js';
import {
  advance,
  enter,
  mark,
  missingFrom,
  openRosteredCore,
  register,
  withdraw,
} from '../../../support/rostered-core.js';

const core = openForEach(openRosteredCore);

const missing = (roundNumber?: number) => missingFrom(core(), roundNumber);
const registerEva = async (): Promise<number> => {
  const eva = { spaceId: CONTEST.spaceId, name: 'Eva', localizedName: null, assocId: null, timeline: [] };
  return (await core().execute(new RegisterPerson(eva, CONTEXT))).personId;
};

describe('the roster of an open round', () => {
  it('follows who withdraws, comes back, leaves the event and is registered late', async () => {
    await core().execute(withdraw(2));
    expect(await missing()).toContain('Bob withdrawn');
    await core().execute(register(2, 'cube'));
    expect(await missing()).toContain('Bob expected');
    await core().execute(register(3, 'clock'));
    expect(await missing()).toContain('Cem withdrawn');
    await core().execute(register(await registerEva(), 'cube'));
    expect(await missing()).toContain('Eva expected');
  });

  it('keeps what a moderator has marked, and whom a moderator has added', async () => {
    const eva = await registerEva();
    await core().execute(mark(1, eva, 'expected'));
    await core().execute(register(eva, 'clock'));
    await core().execute(mark(1, 2, 'quit'));
    await core().execute(withdraw(2));
    await core().execute(register(2, 'cube'));
    expect(await missing()).toEqual([
      'Ann expected',
      'Bob quit',
      'Cem expected',
      'Dee expected',
      'Eva expected',
    ]);
    await core().execute(attempt(at('cube'), [eva], 1, 900));
  });

  it('finds persons whose registration or entry was moved by a merge', async () => {
    const eva = await registerEva();
    await enter(core(), [2, 900]);
    await core().execute(new MergePersons(2, eva, CONTEXT));
    await core().execute(new MergePersons(3, 4, CONTEXT));
    await core().execute(withdraw(eva));
    await core().execute(withdraw(4));
    expect(await missing()).toEqual(['Ann expected', 'Dee withdrawn']);
    expect(await core().refusal(attempt(at('cube'), [3], 1, 900))).toMatchObject({ code: 'not-registered' });
    await core().execute(register(4, 'cube'));
    expect(await missing()).toEqual(['Ann expected', 'Dee expected']);
  });

  it('knows a merge that another node has made just now', async () => {
    const other = await openMemoryCore(core());
    await other.execute(register(4, 'cube'));
    await core().execute(new MergePersons(3, 4, CONTEXT));
    await other.execute(withdraw(4));
    expect(await missing()).toEqual(['Ann expected', 'Bob expected', 'Dee withdrawn']);
    await other.close();
  });

  it('knows a round that another node has opened just now', async () => {
    const other = await openMemoryCore(core());
    await other.execute(new UndoOpening(at('cube'), CONTEXT));
    await core().execute(new OpenRound(at('cube'), CONTEXT));
    await other.execute(withdraw(2));
    expect(await missing()).toEqual(['Ann expected', 'Bob withdrawn', 'Cem expected', 'Dee expected']);
    await other.close();
  });

  it('knows a change of the list that another node has made while the round was being opened', async () => {
    const other = await openMemoryCore(core());
    await core().execute(new UndoOpening(at('cube'), CONTEXT));
    // This node hears of nothing that the other one does.
    jest.spyOn(core().get<Aggregates>(AGGREGATES), 'observeRevision').mockReturnValue();
    core().store.beforeAppend = async (_, [event]) => {
      if (event?.type === 'RoundOpened') await other.execute(withdraw(2));
    };
    await core().execute(new OpenRound(at('cube'), CONTEXT));
    expect(await missing()).toEqual(['Ann expected', 'Bob withdrawn', 'Cem expected', 'Dee expected']);
    await other.close();
  });

  it('shows a merged person as whom they became, who was not on it', async () => {
    await core().execute(new MergePersons(2, await registerEva(), CONTEXT));
    expect(await missing()).toEqual(['Ann expected', 'Cem expected', 'Dee expected', 'Eva expected']);
  });

  it('withdraws a team whose member withdraws', async () => {
    await enter(core(), [1, 900], [2, 1000], [3, 1100], [4, -1]);
    await core().execute(advance([1, 2]));
    await core().execute(new MarkRoster(at('cube', 2), [{ personIds: [4, 3], mark: 'expected' }], CONTEXT));
    await core().execute(withdraw(3));
    expect(await missing(2)).toEqual(['Ann expected', 'Bob expected', 'Dee+Cem withdrawn']);
    await core().execute(register(3, 'cube'));
    expect(await missing(2)).toEqual(['Ann expected', 'Bob expected', 'Dee+Cem expected']);
  });

  it('catches up when a closed round is opened again', async () => {
    await core().execute(new ChangeRound(at('cube'), { type: 'CloseRound' }, CONTEXT));
    await core().execute(withdraw(2));
    await core().execute(register(await registerEva(), 'cube'));
    expect(await missing()).toEqual(['Ann expected', 'Bob expected', 'Cem expected', 'Dee expected']);
    await core().execute(new OpenRound(at('cube'), CONTEXT));
    expect(await missing()).toEqual([
      'Ann expected',
      'Bob withdrawn',
      'Cem expected',
      'Dee expected',
      'Eva expected',
    ]);
  });

  it('has merged persons once when it is written', async () => {
    await core().execute(new UndoOpening(at('cube'), CONTEXT));
    await core().execute(new MergePersons(2, 3, CONTEXT));
    await core().execute(new OpenRound(at('cube'), CONTEXT));
    expect(await missing()).toEqual(['Ann expected', 'Cem expected', 'Dee expected']);
    const events = await core().store.readStream(new StreamNames().of(roundStream, at('cube')));
    expect(events?.findLast(({ type }) => type === 'RosterSet')?.data).toEqual({
      competitors: [[1], [3], [4]],
    });
  });
});

describe('following that was broken off', () => {
  /** The list changes, and the roster does not follow. */
  const breakOff = (): Promise<void> =>
    breakOffAt(core().store, { append: 1, written: false }, () =>
      expect(core().execute(withdraw(2))).rejects.toThrow('broken off'),
    );
  const processOf = (next: MemoryCore): RosterFollowingProcess =>
    new RosterFollowingProcess(next.get(ProcessServices));

  it('is completed by giving the command again', async () => {
    await breakOff();
    expect(await missing()).toContain('Bob expected');
    await core().execute(withdraw(2));
    expect(await missing()).toContain('Bob withdrawn');
  });

  it('is completed by the process of another node', async () => {
    const next = await openMemoryCore(core());
    const process = processOf(next);
    const { grace } = await startProcess(process);
    await breakOff();
    const followed = heard(next.get(EventFeed), 'RosterMarked');
    (await grace)();
    await followed;
    expect(await missing()).toContain('Bob withdrawn');
    process.onApplicationShutdown();
    await next.close();
  });

  it('is completed at the next start, once', async () => {
    await breakOff();
    const next = await openMemoryCore(core());
    await processOf(next).completeLeftBehind();
    expect(await missing()).toContain('Bob withdrawn');
    const head = await core().store.head();
    await processOf(next).completeLeftBehind();
    expect(await core().store.head()).toBe(head);
    await next.close();
  });
});
