import { describe, expect, it, jest } from '@jest/globals';
import { apiKeyAggregate } from '../../../../src/competition/aggregates/api-key/api-key.decider.js';
import { apiKeyStream } from '../../../../src/competition/aggregates/api-key/api-key.events.js';
import { contestAggregate } from '../../../../src/competition/aggregates/contest/contest.decider.js';
import { contestStream } from '../../../../src/competition/aggregates/contest/contest.js';
import { roundStream } from '../../../../src/competition/aggregates/round/round.js';
import { DefineEvent } from '../../../../src/competition/aggregates/space/space.commands.js';
import {
  AnnounceContest,
  CreateContest,
  EditContest,
  EndContest,
  PlanRound,
  RemoveRound,
  ReopenContest,
} from '../../../../src/competition/contests/contest.commands.js';
import { ContestEndingProcess } from '../../../../src/competition/contests/contest-ending.process.js';
import { IssueKey, RevokeKey } from '../../../../src/competition/keys/key.commands.js';
import { ChangeRound, OpenRound } from '../../../../src/competition/rounds/round.commands.js';
import { AGGREGATES, type AggregateRuntime } from '../../../../src/foundation/aggregates/aggregate.js';
import { EventFeed } from '../../../../src/foundation/aggregates/event-feed.js';
import { EventStoreUnavailableError } from '../../../../src/foundation/event-store/event-store.js';
import { AuditTrail } from '../../../../src/foundation/operational/audit-trail.js';
import { ProcessServices } from '../../../../src/foundation/projections/process-services.js';
import { breakOffAt } from '../../../support/broken-off.js';
import {
  at,
  attempt,
  CONTEST,
  CONTEXT,
  issueKey,
  openContestCore,
  planned,
  RULES,
} from '../../../support/contest-world.js';
import { eventDefinition } from '../../../support/event-definition.js';
import { type MemoryCore, names, openMemoryCore } from '../../../support/memory-core.js';
import { openForEach } from '../../../support/open-for-each.js';
import { firstGrace, heard, startProcess } from '../../../support/process-manager.js';
import { DETAILS, SPACE } from '../../../support/small-world.js';

const core = openForEach(openContestCore);

const contestTypes = () => core().types((of) => of.of(contestStream, CONTEST));
const roundTypes = (eventId: string, roundNumber = 1) =>
  core().types((of) => of.of(roundStream, at(eventId, roundNumber)));
/** Another process opens round 2 of the cube just before the action first writes to the contest. */
const whileRoundOpens = async <R>(action: () => Promise<R>): Promise<R> => {
  const other = await openMemoryCore(core());
  let raced = false;
  core().store.beforeAppend = async (stream) => {
    if (raced || stream !== names.of(contestStream, CONTEST)) return;
    raced = true;
    await other.execute(new OpenRound(at('cube', 2), CONTEXT));
  };
  const outcome = await action();
  await other.close();
  return outcome;
};
const finish = new EndContest(CONTEST, 'finish', CONTEXT);
const remove = new EndContest(CONTEST, 'delete', CONTEXT);
const FINISHED_THEN_DELETED = ['ContestEnding', 'ContestFinished', 'ContestEnding', 'ContestDeleted'];

describe('creating a contest', () => {
  const create = (change: Partial<typeof DETAILS>, rounds = [planned('cube', 1)]) =>
    new CreateContest({ spaceId: SPACE, competitionId: 'New' }, { ...DETAILS, ...change }, rounds, CONTEXT);

  it('needs events of the catalogue and organizers of the space', async () => {
    expect(await core().refusal(create({}, [planned('none', 1)]))).toMatchObject({ code: 'event-not-found' });
    expect(await core().refusal(create({ organizerIds: [1, 99] }))).toMatchObject({
      code: 'person-not-found',
      errors: [{ field: 'organizerIds[1]' }],
    });
    await core().execute(create({ organizerIds: [1] }));
    const edit = new EditContest({ spaceId: SPACE, competitionId: 'New' }, { organizerIds: [99] }, CONTEXT);
    expect(await core().refusal(edit)).toMatchObject({ code: 'person-not-found' });
  });

  it('needs its space', async () => {
    const command = new CreateContest({ spaceId: 'none', competitionId: 'New' }, DETAILS, [], CONTEXT);
    expect(await core().refusal(command)).toMatchObject({ code: 'space-not-found' });
  });
});

describe('opening a round', () => {
  it('starts the contest once', async () => {
    expect((await contestTypes()).filter((type) => type === 'ContestStarted')).toHaveLength(1);
    await core().execute(new OpenRound(at('cube', 2), CONTEXT));
    expect((await contestTypes()).filter((type) => type === 'ContestStarted')).toHaveLength(1);
  });

  it('is refused in a draft, and where there is no such round', async () => {
    const draft = { spaceId: SPACE, competitionId: 'Draft' };
    await core().execute(new CreateContest(draft, DETAILS, [planned('cube', 1)], CONTEXT));
    const inDraft = new OpenRound({ ...draft, eventId: 'cube', roundNumber: 1 }, CONTEXT);
    expect(await core().refusal(inDraft)).toMatchObject({ code: 'contest-state' });
    expect(await core().refusal(new OpenRound(at('cube', 9), CONTEXT))).toMatchObject({
      code: 'round-not-found',
    });
    const nowhere = new OpenRound({ ...at('cube'), competitionId: 'none' }, CONTEXT);
    expect(await core().refusal(nowhere)).toMatchObject({ code: 'contest-not-found' });
  });

  it('loses to an ending that comes between', async () => {
    const other = await openMemoryCore(core());
    let raced = false;
    core().store.beforeAppend = async (stream) => {
      if (raced || stream !== names.of(roundStream, at('cube', 2))) return;
      raced = true;
      await other.execute(finish);
    };
    expect(await core().refusal(new OpenRound(at('cube', 2), CONTEXT))).toMatchObject({
      code: 'contest-state',
    });
    expect(raced).toBe(true);
    expect(await roundTypes('cube', 2)).toEqual(['RoundClosed']);
    await other.close();
  });

  it('again, after it was closed, goes on with what was entered', async () => {
    await core().execute(attempt(at('cube'), [1], 1, 1888));
    await core().execute(new ChangeRound(at('cube'), { type: 'CloseRound' }, CONTEXT));
    await core().execute(new OpenRound(at('cube'), CONTEXT));
    const { results } = await core().execute(attempt(at('cube'), [1], 2, 1777));
    expect(results[0]?.attempts).toEqual([1888, 1777, 0, 0, 0]);
  });
});

describe('planning a round', () => {
  const replan = (rules: Partial<typeof RULES>, roundNumber = 1) =>
    new PlanRound(CONTEST, planned('cube', roundNumber, rules), CONTEXT);

  it('that is open changes it as well, where what was entered allows it', async () => {
    await core().execute(attempt(at('cube'), [1], 1, 1888));
    await core().execute(replan({ cutoff: { numberOfAttempts: 1, attemptResult: 1888 } }));
    expect(await core().refusal(attempt(at('cube'), [1], 2, 1))).toMatchObject({ code: 'cutoff-not-met' });
    const contest = await contestTypes();
    const refused = await core().refusal(replan({ timeLimit: { centiseconds: 1000, cumulativeRounds: [] } }));
    expect(refused).toMatchObject({
      code: 'rules-conflict',
      errors: [{ field: 'timeLimit', message: 'Ann: a time was entered that reaches this limit' }],
    });
    expect(await contestTypes()).toEqual(contest);
  });

  it('writes nothing where the contest refuses', async () => {
    await core().execute(finish);
    const before = await roundTypes('cube');
    expect(await core().refusal(replan({ format: 'm' }))).toMatchObject({ code: 'contest-state' });
    expect(await roundTypes('cube')).toEqual(before);
  });

  it('reaches a round that is opened meanwhile', async () => {
    await whileRoundOpens(() => core().execute(replan({ format: 'm' }, 2)));
    expect(await roundTypes('cube', 2)).toEqual(['RoundOpened', 'RoundRulesChanged']);
  });
});

describe('removing a round', () => {
  const removeRound = (roundNumber: number) => new RemoveRound(CONTEST, 'cube', roundNumber, CONTEXT);

  it('takes out what was never opened, and it can come back', async () => {
    await core().execute(removeRound(2));
    expect(await core().refusal(new OpenRound(at('cube', 2), CONTEXT))).toMatchObject({
      code: 'round-not-found',
    });
    expect(await core().refusal(removeRound(2))).toMatchObject({ code: 'round-not-found' });
    await core().execute(new PlanRound(CONTEST, planned('cube', 2), CONTEXT));
    await core().execute(new OpenRound(at('cube', 2), CONTEXT));
    expect(await roundTypes('cube', 2)).toEqual(['RoundClosed', 'RoundOpened']);
  });

  it('is refused once it was opened', async () => {
    expect(await core().refusal(removeRound(1))).toMatchObject({ code: 'round-state' });
  });

  it('that is opened meanwhile puts it back', async () => {
    const refusal = await whileRoundOpens(() => core().refusal(removeRound(2)));
    expect(refusal).toMatchObject({ code: 'round-state' });
    expect((await contestTypes()).slice(-2)).toEqual(['RoundRemoved', 'RoundAdded']);
    await core().execute(attempt(at('cube', 2), [1], 1, 1888));
  });
});

describe('ending a contest', () => {
  it('closes every round and key, and only then says so', async () => {
    const { keyId } = await issueKey(core());
    const before = await core().store.head();
    const { position } = await core().execute(finish);
    expect(position).toBe(await core().store.head());
    const types = core()
      .store.log.filter((event) => event.position > before)
      .map(({ type }) => type);
    expect(types).toEqual([
      'ContestEnding',
      'RoundClosed',
      'RoundClosed',
      'RoundClosed',
      'RoundClosed',
      'ApiKeyEnded',
      'ContestFinished',
    ]);
    expect(await roundTypes('cube', 2)).toEqual(['RoundClosed']);
    expect(await core().types((of) => of.of(apiKeyStream, keyId))).toEqual(['ApiKeyIssued', 'ApiKeyEnded']);
  });

  it('is the cause of all that follows from it, whichever process completes it', async () => {
    const { keyId } = await issueKey(core());
    await core().execute(finish);
    const ending = core().store.log.findLastIndex(({ type }) => type === 'ContestEnding');
    const [began, ...followed] = core().store.log.slice(ending);
    expect(followed.map(({ stream }) => stream)).toContain(names.of(apiKeyStream, keyId));
    for (const { metadata } of followed)
      expect(metadata).toMatchObject({ correlationId: CONTEXT.correlationId, causationId: began?.id });
    expect(began?.metadata.causationId).toBeUndefined();
  });

  it('again changes nothing', async () => {
    await core().execute(finish);
    const head = await core().store.head();
    expect(await core().execute(finish)).toEqual({ position: head });
    expect(await core().store.head()).toBe(head);
  });

  it('that was finished can be deleted, and then is gone', async () => {
    await core().execute(finish);
    await core().execute(remove);
    expect((await contestTypes()).slice(-4)).toEqual(FINISHED_THEN_DELETED);
    expect(await core().refusal(new AnnounceContest(CONTEST, CONTEXT))).toMatchObject({
      code: 'contest-not-found',
    });
  });

  it('may be undone, but keys stay ended', async () => {
    const { keyId } = await issueKey(core());
    await core().execute(finish);
    await core().execute(new ReopenContest(CONTEST, CONTEXT));
    expect(await core().refusal(attempt(at('cube'), [1], 1, 1))).toMatchObject({ code: 'round-not-open' });
    const runtime = core().get<AggregateRuntime>(AGGREGATES);
    expect((await runtime.load(apiKeyAggregate, keyId)).state.phase).toBe('ended');
    await issueKey(core());
  });

  it('ends a key that is being issued before it can be used', async () => {
    const other = await openMemoryCore(core());
    core().store.beforeAppend = async (stream) => {
      if (!stream.startsWith(names.of(apiKeyStream, ''))) return;
      core().store.beforeAppend = () => undefined;
      await other.execute(finish);
    };
    expect(await core().refusal(new IssueKey(CONTEST, 'Table 2', CONTEXT))).toMatchObject({
      code: 'contest-state',
    });
    await other.close();
  });

  it('does not finish what was never begun', async () => {
    const draft = { spaceId: SPACE, competitionId: 'Draft' };
    await core().execute(new CreateContest(draft, DETAILS, [], CONTEXT));
    expect(await core().refusal(new EndContest(draft, 'finish', CONTEXT))).toMatchObject({
      code: 'contest-state',
    });
    await core().execute(new EndContest(draft, 'delete', CONTEXT));
  });
});

const processOf = (process: MemoryCore): ContestEndingProcess =>
  new ContestEndingProcess(process.get(ProcessServices), process.get(AuditTrail));

describe('an interrupted ending', () => {
  const APPENDS_OF_AN_ENDING = 7;
  /** Finishes the contest and breaks off at the given append, before or after it was written. */
  const breakOff = (append: number, written: boolean): Promise<void> =>
    breakOffAt(core().store, { append, written }, () =>
      core()
        .execute(finish)
        .catch(() => undefined),
    );
  const phase = async () =>
    (await core().get<AggregateRuntime>(AGGREGATES).load(contestAggregate, CONTEST, { fresh: true })).state
      .phase;
  const cases = Array.from({ length: APPENDS_OF_AN_ENDING }, (_, index) => [index, false] as const).flatMap(
    ([index]) => [[index, false] as const, [index, true] as const],
  );

  it.each(cases)('at append %d (written: %s) is completed by giving it again', async (index, written) => {
    const { keyId } = await issueKey(core());
    await breakOff(index, written);
    await core().execute(finish);
    const ended = { spaceId: SPACE, action: 'key-ended', limit: 10 } as const;
    expect((await core().operational.audit.page(ended)).map(({ subject }) => subject)).toContain(keyId);
    expect((await contestTypes()).slice(-2)).toEqual(['ContestEnding', 'ContestFinished']);
    for (const eventId of ['cube', 'clock', 'pairs'])
      expect((await roundTypes(eventId)).at(-1)).toBe('RoundClosed');
  });

  it('is finished before it is deleted', async () => {
    await breakOff(2, false);
    await core().execute(remove);
    expect((await contestTypes()).slice(-4)).toEqual(FINISHED_THEN_DELETED);
  });

  it('refuses entry, and is completed by the process manager at the next start', async () => {
    await issueKey(core());
    await breakOff(3, false);
    expect(await phase()).toBe('ending');
    expect(await core().refusal(attempt(at('cube'), [1], 1, 1))).toMatchObject({
      code: 'contest-not-ongoing',
    });
    const next = await openMemoryCore(core());
    await processOf(next).completeLeftBehind();
    expect(await phase()).toBe('finished');
    const began = core().store.log.findLast(({ type }) => type === 'ContestEnding');
    expect(core().store.log.at(-1)?.metadata).toMatchObject({
      actor: 'system',
      correlationId: CONTEXT.correlationId,
      causationId: began?.id,
    });
    await next.close();
  });

  it('is completed at the next start although the first search for it fails', async () => {
    await breakOff(3, false);
    const next = await openMemoryCore(core());
    const process = processOf(next);
    const grace = firstGrace(process);
    const finished = heard(next.get(EventFeed), 'ContestFinished');
    jest.spyOn(next.store, 'head').mockRejectedValueOnce(new EventStoreUnavailableError('planted'));
    process.onApplicationBootstrap();
    (await grace)();
    await finished;
    expect(await phase()).toBe('finished');
    process.onApplicationShutdown();
    await next.close();
  });

  it('of another process is completed when it has not ended a few seconds later', async () => {
    const next = await openMemoryCore(core());
    const process = processOf(next);
    const { grace } = await startProcess(process);
    await breakOff(3, false);
    const endGrace = await grace;
    expect(await phase()).toBe('ending');
    const finished = heard(next.get(EventFeed), 'ContestFinished');
    endGrace();
    await finished;
    expect(await phase()).toBe('finished');
    process.onApplicationShutdown();
    await next.close();
  });
});

describe('an API key', () => {
  it('needs a contest that takes entries or will', async () => {
    const nowhere = new IssueKey({ spaceId: SPACE, competitionId: 'none' }, 'Table 1', CONTEXT);
    expect(await core().refusal(nowhere)).toMatchObject({ code: 'contest-not-found' });
    expect(await core().refusal(new IssueKey(CONTEST, '', CONTEXT))).toMatchObject({
      code: 'invalid-request',
    });
    await core().execute(finish);
    expect(await core().refusal(new IssueKey(CONTEST, 'Table 1', CONTEXT))).toMatchObject({
      code: 'contest-state',
    });
  });

  it('is revoked once', async () => {
    const { keyId } = await issueKey(core());
    const { position } = await core().execute(new RevokeKey(keyId, CONTEXT));
    expect(await core().execute(new RevokeKey(keyId, CONTEXT))).toEqual({ position });
    expect(await core().refusal(new RevokeKey('none', CONTEXT))).toMatchObject({ code: 'key-not-found' });
  });

  it('never shows its secret in the events', async () => {
    const { key, keyId } = await issueKey(core());
    const secret = key.slice(`podium_${keyId}_`.length);
    expect(JSON.stringify(core().store.log)).not.toContain(secret.slice(0, 32));
  });
});

describe('an event of the catalogue', () => {
  it('keeps its format once defined', async () => {
    const cube = eventDefinition('cube', { format: 'number' });
    expect(await core().refusal(new DefineEvent(SPACE, cube, CONTEXT))).toMatchObject({
      code: 'rules-conflict',
    });
    await core().execute(new DefineEvent(SPACE, { ...cube, format: 'time' }, CONTEXT));
    expect(await core().refusal(new DefineEvent('none', cube, CONTEXT))).toMatchObject({
      code: 'space-not-found',
    });
  });
});
