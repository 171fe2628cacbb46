/**
 * Arbitrary commands of every decider: ids and values from small pools, so that commands meet, mixed with values that no
 * caller should send.
 */
import fc from 'fast-check';
import type { ApiKeyCommand } from '../../src/competition/aggregates/api-key/api-key.decider.js';
import type { ContestCommand } from '../../src/competition/aggregates/contest/contest.decider.js';
import type { ContestDetails, PlannedRound } from '../../src/competition/aggregates/contest/contest.js';
import type { RoundPlan } from '../../src/competition/aggregates/contest/contest-rules.js';
import type { PersonCommand } from '../../src/competition/aggregates/person/person.decider.js';
import type { ReferencesCommand } from '../../src/competition/aggregates/references/references.decider.js';
import type { RoundCommand } from '../../src/competition/aggregates/round/round.decider.js';
import type { RoundSetup } from '../../src/competition/aggregates/round/round.js';
import type { SpaceCommand } from '../../src/competition/aggregates/space/space.decider.js';
import type { EventDefinition } from '../../src/competition/aggregates/space/space.events.js';
import { CONFIRMATIONS } from '../../src/domain/advancement-plan.js';
import { ROUND_FORMATS, type RoundRules, VALUE_FORMATS } from '../../src/domain/attempts.js';
import { KEY_PURPOSES } from '../../src/domain/key-purposes.js';
import { REGISTRATION_STATES } from '../../src/domain/registrations.js';
import { ONE_CATEGORIES, VALUE_KINDS } from '../../src/domain/results.js';
import { type CompetitorFacts, MODERATOR_MARKS } from '../../src/domain/roster.js';
import type { Competitor } from '../../src/domain/round-entry.js';
import { encodeMulti } from '../../src/domain/scoring.js';
import type { EndpointCommand } from '../../src/logs/endpoints/endpoint.decider.js';
import type { EndpointConfig } from '../../src/logs/endpoints/endpoint.events.js';
import type { EndpointNameCommand } from '../../src/logs/endpoints/endpoint-name.decider.js';
import type { SavedQueryCommand } from '../../src/logs/saved-queries/saved-query.decider.js';
import type { AccessTokenCommand } from '../../src/logs/tokens/access-token.decider.js';
import type { TokenScope } from '../../src/logs/tokens/token-scope.js';

const wildNumber = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.double(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0, 1e15, -1e15, Number.MAX_SAFE_INTEGER),
);
const wildText = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.constantFrom('', ' ', 'a/b', 'constructor', '__proto__'),
);
const rarely = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: rare });

const date = rarely(
  fc.constantFrom('2023-07-28', '2023-07-29', '2024-02-29'),
  fc.constantFrom('2023-02-29', 'x'),
);
const region = rarely(fc.constantFrom('IE', 'FR', 'US'), fc.constantFrom('ZZ', 'XE'));
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary);

// --- rounds ---------------------------------------------------------------------------------------------------------

const multi = fc
  .record({ solved: fc.nat(12), missed: fc.nat(12), centiseconds: fc.nat(360_000), dnf: fc.boolean() })
  .map(encodeMulti);
/** So common that two commands name the same attempts. */
const USUAL = 12;
const value = rarely(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(0, 0, -1, -2, 8_640_000) },
    { weight: 4, arbitrary: fc.constant(USUAL) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 30 }) },
    { weight: 1, arbitrary: multi },
  ),
  wildNumber,
);

export const rules: fc.Arbitrary<RoundRules> = fc.record({
  format: fc.constantFrom(...ROUND_FORMATS, 'a', 'a'),
  date: optional(date),
  timeLimit: optional(
    fc.record({
      centiseconds: rarely(fc.integer({ min: 10, max: 100 }), wildNumber),
      cumulativeRounds: fc.uniqueArray(rarely(fc.constantFrom('e-r1', 'f-r1'), wildText), { maxLength: 2 }),
    }),
  ),
  cutoff: optional(
    fc.record({
      numberOfAttempts: rarely(fc.integer({ min: 1, max: 2 }), wildNumber),
      attemptResult: rarely(fc.integer({ min: 10, max: 40 }), wildNumber),
    }),
  ),
  advancement: optional(
    fc.record({
      type: fc.constantFrom('number' as const, 'percent' as const),
      value: rarely(fc.integer({ min: 1, max: 75 }), wildNumber),
    }),
  ),
});

const setup: fc.Arbitrary<RoundSetup> = fc.record({
  rules,
  valueFormat: fc.constantFrom(...VALUE_FORMATS, 'time' as const),
  participants: fc.constantFrom(1, 1, 2),
});

/** Persons of rounds: few, and some more often than others, so that they meet. */
const anyPersonId = fc.constantFrom(1, 1, 1, 2, 2, 3, 4);

const competitor = (members: number): fc.Arbitrary<Competitor> =>
  fc
    .record({
      personIds: rarely(
        fc.uniqueArray(anyPersonId, { minLength: members, maxLength: members }),
        fc.array(anyPersonId, { maxLength: 3 }),
      ),
      alias: rarely(fc.constant(null), anyPersonId),
      elsewhere: fc.nat(30),
    })
    .map(({ personIds: named, alias, elsewhere }) => {
      const personIds = alias === null ? named : named.map(() => alias);
      return { named, personIds, resultId: `C_e_r1_${personIds.join('-')}`, field: 'personId', elsewhere };
    });

const request = fc.option(
  fc.record({ key: fc.constantFrom('k1', 'k2'), fingerprint: fc.constantFrom('f1', 'f2') }),
  { nil: undefined },
);

const steps = fc.record({
  type: fc.constantFrom('CloseRound' as const, 'SealRound' as const, 'WithdrawRound' as const),
});

/** The members of a competitor: most often as many as the event wants. */
const membersOf = (size: number): fc.Arbitrary<readonly number[]> =>
  rarely(
    fc.uniqueArray(anyPersonId, { minLength: size, maxLength: size }),
    fc.uniqueArray(anyPersonId, { minLength: 1, maxLength: 2 }),
  );
const rosterOf = (teamSize: number) =>
  fc.oneof(fc.constant(null), fc.array(membersOf(teamSize), { minLength: 1, maxLength: 3 }));
const registration = fc.record({
  eventIds: fc.subarray(['e', 'f']),
  state: fc.constantFrom(...REGISTRATION_STATES, 'dropped' as const),
  isImported: fc.boolean(),
});
/** Registrations are by the present ids, so a merged person has none. */
const facts: fc.Arbitrary<CompetitorFacts> = fc
  .tuple(
    fc.constantFrom(new Map<number, number>(), new Map([[1, 3]])),
    fc.array(fc.tuple(anyPersonId, registration), { maxLength: 3 }),
  )
  .map(([merged, entries]) => ({
    merged,
    registrations: new Map(entries.filter(([personId]) => !merged.has(personId))),
  }));
const roundRef = fc.record({ eventId: fc.constant('e'), roundNumber: fc.integer({ min: 1, max: 5 }) });
const rosterCommand = (teamSize: number): fc.Arbitrary<RoundCommand> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant('MarkRoster' as const),
        competitors: fc.array(
          fc.record({ personIds: membersOf(teamSize), mark: fc.constantFrom(...MODERATOR_MARKS) }),
          { maxLength: 3 },
        ),
        facts,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ type: fc.constant('FollowList' as const), round: roundRef, facts }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('DecideAdvancement' as const),
        round: roundRef,
        competitors: fc.oneof(
          membersOf(teamSize).map((one) => [one]),
          fc.array(membersOf(teamSize), { maxLength: 3 }),
        ),
        confirmed: fc.oneof(fc.constant(CONFIRMATIONS), fc.subarray([...CONFIRMATIONS])),
        facts: fc.oneof(fc.constant({ merged: new Map(), registrations: new Map() }), facts),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ type: 'UndoOpening' as const }) },
  );

const roundCommand = (teamSize: number): fc.Arbitrary<RoundCommand> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ type: fc.constant('OpenRound' as const), setup, roster: rosterOf(teamSize) }),
    },
    { weight: 8, arbitrary: rosterCommand(teamSize) },
    { weight: 1, arbitrary: steps },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('ChangeRules' as const), rules }) },
    {
      weight: 24,
      arbitrary: fc.record({
        type: fc.constant('EnterAttempt' as const),
        eventId: fc.constant('333'),
        competitor: competitor(teamSize),
        attemptNumber: rarely(fc.constantFrom(1, 1, 1, 2, 2, 3, 4), wildNumber),
        value,
        request: rarely(fc.constant(undefined), request),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('EnterResults' as const),
        eventId: fc.constant('333'),
        rows: fc.array(
          fc.record({
            index: fc.nat(1),
            competitor: competitor(teamSize),
            attempts: fc.array(value, { maxLength: 4 }),
          }),
          { maxLength: 2 },
        ),
        request: rarely(fc.constant(undefined), request),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('CheckResult' as const),
        competitor: competitor(teamSize),
        attempts: fc.oneof(fc.constant([USUAL]), fc.array(value, { maxLength: 4 })),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant('UndoChange' as const),
        eventId: fc.constant('333'),
        competitor: competitor(teamSize).map((given) => ({
          ...given,
          resultId: `C_e_r1_${given.named.join('-')}`,
        })),
        change: rarely(fc.constantFrom(1, 1, 1, 2, 3, 4), wildNumber),
        before: fc.oneof(fc.constant([]), fc.array(value, { maxLength: 4 })),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('MergeCompetitor' as const),
        from: anyPersonId,
        into: anyPersonId,
      }),
    },
  );

const LONG = { minLength: 5, maxLength: 40, size: 'max' } as const;

/** A round is opened, with a roster or without, and then anything may come. */
export const roundHistory: fc.Arbitrary<readonly RoundCommand[]> = setup.chain((first) =>
  fc
    .tuple(rosterOf(first.participants), fc.array(roundCommand(first.participants), LONG))
    .map(([roster, commands]): readonly RoundCommand[] => [
      { type: 'OpenRound', setup: first, roster },
      ...commands,
    ]),
);

// --- contests -------------------------------------------------------------------------------------------------------

const PLAIN_RULES: RoundRules = { format: 'a', date: null, timeLimit: null, cutoff: null, advancement: null };

const createContest = (details: ContestDetails): ContestCommand => ({
  type: 'CreateContest',
  spaceId: 'default',
  competitionId: 'C',
  details,
  rounds: ['e', 'f'].map((eventId) => ({
    round: { eventId, roundNumber: 1, rules: PLAIN_RULES },
    valueFormat: 'time',
  })),
});

const dates = fc
  .tuple(date, date)
  .map(([a, b]) => (a < b ? { startDate: a, endDate: b } : { startDate: b, endDate: a }));

const detailsWithoutDates = fc.record({
  name: rarely(fc.constantFrom('One', 'Two'), wildText),
  shortName: fc.constant('One'),
  type: fc.constantFrom('competition' as const, 'meetup' as const, 'online' as const),
  city: optional(fc.constant('Dublin')),
  regionCode: optional(region),
  venue: fc.constant(null),
  organizerIds: fc.array(rarely(anyPersonId, wildNumber), { maxLength: 2 }),
});
const details: fc.Arbitrary<ContestDetails> = fc
  .tuple(detailsWithoutDates, dates)
  .map(([rest, ownDates]) => ({ ...rest, ...ownDates }));

const planned: fc.Arbitrary<PlannedRound> = fc.record({
  eventId: rarely(fc.constantFrom('e', 'f'), wildText),
  roundNumber: rarely(fc.integer({ min: 1, max: 2 }), wildNumber),
  rules,
});
const plan: fc.Arbitrary<RoundPlan> = fc.record({
  round: planned,
  valueFormat: fc.constantFrom(...VALUE_FORMATS),
});
const ending = fc.constantFrom('finish' as const, 'delete' as const);

const competitorIds = fc.uniqueArray(anyPersonId, { minLength: 1, maxLength: 2 });
const listRow = {
  personIds: competitorIds,
  // A person keeps the first number, so most rows leave it to the list.
  number: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.integer({ min: 0, max: 9 })),
  eventIds: fc.array(rarely(fc.constantFrom('e', 'f'), wildText), { maxLength: 2 }),
};

/** Rows that mostly name other persons. */
const rowsOf = <R extends { readonly personIds: readonly number[] }>(row: fc.Arbitrary<R>) =>
  fc.uniqueArray(row, { maxLength: 3, selector: ({ personIds }) => personIds[0] });

const anyState = optional(fc.constantFrom(...REGISTRATION_STATES));

export const importCommand = fc.record({
  type: fc.constant('ImportCompetitors' as const),
  rows: rowsOf(fc.record({ ...listRow, state: anyState })),
  seen: fc.constantFrom(null, null, 0, 1),
  overwrite: fc.boolean(),
  keepsMissing: fc.boolean(),
});

const listCommand: fc.Arbitrary<ContestCommand> = fc.oneof(
  fc.record({
    type: fc.constant('NumberCompetitors' as const),
    personIds: fc.array(anyPersonId, { maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant('TakeNumbers' as const),
    competitors: fc.array(fc.record({ personId: anyPersonId, number: fc.integer({ min: 1, max: 5 }) }), {
      maxLength: 3,
    }),
  }),
  fc.record({
    type: fc.constant('ReplaceCompetitors' as const),
    rows: rowsOf(fc.record({ ...listRow, state: anyState })),
    seen: fc.constantFrom(null, null, 0, 1),
  }),
  fc.record({
    type: fc.constant('RegisterCompetitors' as const),
    rows: rowsOf(fc.record(listRow)),
  }),
  importCommand,
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('CheckInCompetitor', 'WithdrawCompetitor'),
      personIds: competitorIds,
    }),
  },
);

const contestCommand: fc.Arbitrary<ContestCommand> = fc.oneof(
  fc.record({
    type: fc.constant('CreateContest' as const),
    spaceId: fc.constant('default'),
    competitionId: rarely(fc.constant('C'), wildText),
    details,
    rounds: fc.array(plan, { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('EditContest' as const),
    change: details.map(({ name, endDate }): Partial<ContestDetails> => ({ name, endDate })),
  }),
  plan.map((each) => ({ type: 'PlanRound' as const, ...each })),
  planned.map(({ eventId, roundNumber }) => ({ type: 'RemoveRound' as const, eventId, roundNumber })),
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('AnnounceContest', 'StartContest', 'StartContest') }),
  },
  { weight: 8, arbitrary: listCommand },
  fc.record({
    type: fc.constant('KeepOpaqueParts' as const),
    parts: fc.record({
      rounds: fc.array(
        fc.record({
          eventId: fc.constantFrom('e', 'f'),
          roundNumber: fc.integer({ min: 1, max: 3 }),
          format: fc.constant('h' as const),
          date: fc.constant(null),
          results: fc.constantFrom(
            [],
            [{ personIds: [1], place: 1, attempts: [900], best: 900, average: null }],
          ),
        }),
        { maxLength: 1 },
      ),
      participation: fc.constant([]),
    }),
  }),
  fc.record({ type: fc.constant('RecordKey' as const), keyId: fc.constantFrom('k1', 'k2') }),
  fc.record({
    type: fc.constant('BeginEnding' as const),
    ending: fc.constantFrom('finish', 'finish', 'finish', 'delete'),
  }),
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('CompleteEnding', 'ReopenContest') }) },
);

/** A contest is created and announced, and then such commands come. */
const announcedContest = (
  commands: fc.Arbitrary<readonly ContestCommand[]>,
): fc.Arbitrary<readonly ContestCommand[]> =>
  fc
    .tuple(details, commands)
    .map(([first, later]) => [createContest(first), { type: 'AnnounceContest' }, ...later]);

/** Something is done to its competitor list, and then anything may come. */
export const contestHistory = announcedContest(
  fc
    .tuple(fc.array(listCommand, { maxLength: 3 }), fc.array(contestCommand, LONG))
    .map((parts) => parts.flat()),
);
/** Nothing happens but to its competitor list. */
export const listHistory = announcedContest(fc.array(listCommand, { maxLength: 8 }));

// --- persons, spaces and keys -----------------------------------------------------------------------------------------

const timeline = fc.array(fc.record({ from: optional(date), regionCode: optional(region) }), {
  maxLength: 2,
});

const personCommand: fc.Arbitrary<PersonCommand> = fc.oneof(
  fc.record({
    type: fc.constant('RegisterPerson' as const),
    personId: fc.constant(1),
    spaceId: fc.constantFrom('default', 'other'),
    timeline,
  }),
  fc.record({
    type: fc.constantFrom('NoteProfileChange', 'NoteProfileChange', 'NoteProfileChange', 'ErasePerson'),
  }),
  fc.record({ type: fc.constant('MovePerson' as const), from: date, regionCode: optional(region) }),
  fc.record({ type: fc.constant('CorrectRegion' as const), timeline }),
  fc.record({
    type: fc.constant('LearnBests' as const),
    on: date,
    bests: fc.array(
      fc.record({
        eventId: rarely(fc.constantFrom('e', 'f'), wildText),
        kind: fc.constantFrom(...VALUE_KINDS),
        value: rarely(fc.integer({ min: 1, max: 5 }), wildNumber),
      }),
      { maxLength: 3 },
    ),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom('BeginMerge', 'CancelMerge', 'CompleteMerge'),
      now: fc.integer({ min: 1, max: 3 }),
      into: fc.constantFrom(1, 2, 2, 2, 3),
    }),
  },
  fc.record({ type: fc.constant('AbsorbPerson' as const), personId: anyPersonId }),
);

const definition: fc.Arbitrary<EventDefinition> = fc.record({
  eventId: rarely(fc.constantFrom('e', 'f'), wildText),
  name: rarely(fc.constantFrom('One', 'Two'), wildText),
  category: fc.constant('wca'),
  rank: rarely(fc.integer({ min: 1, max: 3 }), wildNumber),
  format: fc.constantFrom(...VALUE_FORMATS),
  defaultRoundFormat: fc.constantFrom(...ROUND_FORMATS),
  participants: rarely(fc.constantFrom(1, 2), wildNumber),
  description: optional(fc.constant('text')),
});

const spaceCommand: fc.Arbitrary<SpaceCommand> = fc.oneof(
  fc.record({
    type: fc.constant('CreateSpace' as const),
    spaceId: rarely(fc.constant('default'), wildText),
    name: rarely(fc.constant('Default'), wildText),
    events: fc.array(definition, { maxLength: 2 }),
  }),
  fc.record({ type: fc.constant('DefineEvent' as const), event: definition }),
);

const apiKeyCommand: fc.Arbitrary<ApiKeyCommand> = fc.oneof(
  fc.record({
    type: fc.constant('IssueApiKey' as const),
    keyId: fc.constant('k'),
    spaceId: fc.constant('default'),
    competitionId: fc.constant('C'),
    device: rarely(fc.constant('Table 1'), wildText),
    purpose: fc.constantFrom(...KEY_PURPOSES),
    secretHash: fc.constant('ab'),
  }),
  fc.record({ type: fc.constant('RevokeApiKey' as const) }),
  ending.map((reason) => ({ type: 'EndApiKey' as const, reason })),
);

const accessTokenCommand: fc.Arbitrary<AccessTokenCommand> = fc.oneof(
  fc.record({
    type: fc.constant('IssueAccessToken' as const),
    tokenId: fc.constant('t'),
    name: rarely(fc.constant('Dashboard'), wildText),
    scopes: fc.array(fc.constantFrom<TokenScope>('ingest', 'query', 'query:e', 'admin'), { maxLength: 3 }),
    project: optional(rarely(fc.constant('p1'), wildText)),
    secretHash: fc.constant('ab'),
  }),
  fc.record({ type: fc.constant('RevokeAccessToken' as const) }),
  fc.record({ type: fc.constant('HandOverAccessToken' as const), accountId: fc.constantFrom('a', 'b') }),
);

const endpointConfig: fc.Arbitrary<EndpointConfig> = fc.record({
  name: rarely(fc.constantFrom('one', 'two'), wildText),
  description: optional(rarely(fc.constant('text'), wildText)),
  queryLanguage: fc.constant('sql'),
  query: rarely(fc.constantFrom('select 1', 'select 2'), wildText),
  maxRows: rarely(fc.integer({ min: 1, max: 3 }), wildNumber),
  cachingSeconds: optional(rarely(fc.constant(60), wildNumber)),
  cacheWarmingSeconds: optional(rarely(fc.constant(20), wildNumber)),
  sandboxing: fc.boolean(),
  redactPii: fc.boolean(),
});

const endpointCommand: fc.Arbitrary<EndpointCommand> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constantFrom('CreateEndpoint', 'SeedEndpoint'), config: endpointConfig }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('ChangeEndpoint' as const),
      config: endpointConfig,
      basedOn: fc.constantFrom(1, 1, 2, 3, 4),
    }),
  },
  fc.record({ type: fc.constant('YieldName' as const), name: fc.constantFrom('one', 'two', 'three') }),
  fc.record({ type: fc.constant('RemoveEndpoint' as const) }),
);

const endpointId = fc.constantFrom('e', 'f');

const endpointNameCommand: fc.Arbitrary<EndpointNameCommand> = fc.oneof(
  fc.record({ type: fc.constant('ClaimName' as const), endpointId, insteadOf: optional(endpointId) }),
  fc.record({ type: fc.constant('ReleaseName' as const), endpointId }),
);

const savedQueryCommand: fc.Arbitrary<SavedQueryCommand> = fc.oneof(
  fc.record({
    type: fc.constant('SaveLogQuery' as const),
    address: rarely(fc.constantFrom('endpoint=a&lql=', 'endpoint=b'), wildText),
  }),
  fc.record({ type: fc.constant('RemoveSavedLogQuery' as const) }),
);

const referencesCommand: fc.Arbitrary<ReferencesCommand> = fc.record({
  type: fc.constant('ReplaceReferences' as const),
  references: fc.array(
    fc.record({
      eventId: rarely(fc.constantFrom('e', 'f'), wildText),
      kind: fc.constantFrom(...VALUE_KINDS),
      category: fc.constantFrom(...ONE_CATEGORIES),
      region: optional(region),
      since: date,
      value: rarely(fc.integer({ min: 1, max: 5 }), wildNumber),
      holderId: optional(rarely(fc.integer({ min: 1, max: 2 }), wildNumber)),
    }),
    { maxLength: 4 },
  ),
});

export const referencesHistory = fc.array(referencesCommand, { maxLength: 8 });
/** Most are registered first, so that what comes then is of a person. */
export const personHistory: fc.Arbitrary<readonly PersonCommand[]> = fc.oneof(
  { weight: 1, arbitrary: fc.array(personCommand, LONG) },
  {
    weight: 3,
    arbitrary: fc
      .array(personCommand, LONG)
      .map((commands): readonly PersonCommand[] => [
        { type: 'RegisterPerson', personId: 1, spaceId: 'default', timeline: [] },
        ...commands,
      ]),
  },
);
export const spaceHistory = fc.array(spaceCommand, LONG);
export const apiKeyHistory = fc.array(apiKeyCommand, { maxLength: 6 });
export const accessTokenHistory = fc.array(accessTokenCommand, { maxLength: 6 });
export const endpointHistory = fc.array(endpointCommand, { maxLength: 8 });
export const endpointNameHistory = fc.array(endpointNameCommand, { maxLength: 8 });
export const savedQueryHistory = fc.array(savedQueryCommand, { maxLength: 8 });
