/**
 * The sample of a first start: the real contests of examples/, and an invented ongoing one with open rounds, a
 * valid key and some attempts. A newcomer can enter the next attempt at once.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CommandBus } from '@nestjs/cqrs';
import { ImportContests } from '../../competition/exchange/exchange.commands.js';
import type {
  ContestFile,
  FilePerson,
  FileRound,
  Reading,
} from '../../competition/exchange/formats/contest-file.js';
import { readContests } from '../../competition/exchange/formats/read-contests.js';
import { IssueKey } from '../../competition/keys/key.commands.js';
import { catalogueEvent } from '../../competition/spaces/catalogue.js';
import type { RoundRules } from '../../domain/attempts.js';
import { DEFAULT_SPACE } from '../../domain/ids.js';
import { padded } from '../../domain/scoring.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import { today } from '../../foundation/basics/today.js';

export interface SampleLogSummary {
  readonly entries: number;
  /** The project with the most entries. */
  readonly project: string;
  /** An access token that may query the logs of the project. Shown this once. */
  readonly token: string;
}

export interface SampleSummary {
  /** The number of real contests. */
  readonly contests: number;
  readonly results: number;
  /** The ongoing contest. */
  readonly competitionId: string;
  /** Shown this once. */
  readonly key: string;
  /** An attempt that the key may enter. */
  readonly attempt: {
    readonly competitionId: string;
    readonly eventId: string;
    readonly roundNumber: number;
    readonly assocId: string;
    readonly attemptNumber: number;
    readonly attemptResult: number;
  };
  /** Null when the log store was unavailable. */
  readonly logs: SampleLogSummary | null;
}

export const SAMPLE_CONTEST = { spaceId: DEFAULT_SPACE, competitionId: 'PodiumDemoOpen2026' };

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url));
const PLACE = { file: 'sample', line: null, column: null };
const DATE = '2026-06-27';

const person = (
  name: string,
  assocId: string,
  regionCode: string,
  localizedName: string | null = null,
): FilePerson => ({
  name,
  localizedName,
  assocId,
  regionCode,
  ref: null,
});

/** Invented persons: the numbers above 90 do not collide with ids of the association. */
const PERSONS: readonly FilePerson[] = [
  person('Mara Okafor', '2019OKAF91', 'IE'),
  person('Tomás Quintela', '2021QUIN91', 'ES'),
  person('Ilse van Aken', '2017AKEN91', 'NL'),
  person('Haruka Minato', '2022MINA91', 'JP', '港 晴香'),
  person('Bram Oduya', '2023ODUY91', 'IE'),
  person('Wiktoria Zaleska', '2018ZALE91', 'PL'),
  person('Dario Benvenuti', '2024BENV91', 'IT'),
  person('Sunniva Rask', '2020RASK91', 'NO'),
];

const rules = (format: RoundRules['format'], more: Partial<RoundRules> = {}): RoundRules => ({
  format,
  date: DATE,
  timeLimit: { centiseconds: 60_000, cumulativeRounds: [] },
  cutoff: null,
  advancement: null,
  ...more,
});

interface DemoResult {
  /** By index of the persons; a team in its order. */
  readonly competitor: readonly number[];
  readonly attempts: readonly number[];
}

const round = (
  eventId: string,
  roundNumber: number,
  roundRules: RoundRules,
  results: readonly DemoResult[],
): FileRound => ({
  eventId,
  roundNumber,
  rules: roundRules,
  results: results.map(({ competitor, attempts }) => ({
    competitors: competitor.flatMap((index) => PERSONS[index] ?? []),
    attempts: padded(attempts, roundRules.format),
    published: { best: null, average: null, rank: null },
    place: PLACE,
    attemptPlaces: [],
  })),
  place: PLACE,
});

/** The first competitor of 333 has one attempt left for the newcomer. */
const ROUNDS: readonly FileRound[] = [
  round(
    '333',
    1,
    rules('a', {
      cutoff: { numberOfAttempts: 2, attemptResult: 6000 },
      advancement: { type: 'percent', value: 75 },
    }),
    [
      { competitor: [0], attempts: [1123, 987, 1045, 1201] },
      { competitor: [1], attempts: [1310, -1, 1288] },
      { competitor: [2], attempts: [892, 1010, 955] },
      { competitor: [3], attempts: [1504, 1433] },
    ],
  ),
  round('333', 2, rules('a'), []),
  round('333_team_bld', 1, rules('3'), [
    { competitor: [0, 4], attempts: [4210, -1] },
    { competitor: [5, 2], attempts: [3875] },
  ]),
  round('333fm', 1, rules('m', { timeLimit: null }), [{ competitor: [6], attempts: [31] }]),
];

const demoContest = (): ContestFile => ({
  source: 'sample',
  competitionId: SAMPLE_CONTEST.competitionId,
  details: {
    name: 'Podium Demo Open 2026',
    shortName: 'Podium Demo 2026',
    type: 'competition',
    city: 'Galway',
    regionCode: 'IE',
    venue: 'Harbour Hall',
    startDate: DATE,
    endDate: '2026-06-28',
  },
  organizers: PERSONS.slice(-1),
  events: ['333', '333_team_bld', '333fm'].flatMap((eventId) => catalogueEvent(eventId) ?? []),
  rounds: ROUNDS,
  competitors: [],
  opaque: null,
  notes: [],
  place: PLACE,
});

/** Imports the examples and creates the ongoing contest. Running it again completes an interrupted run. */
export const loadSample = async (
  commands: CommandBus,
  context: CommandContext,
): Promise<Omit<SampleSummary, 'logs'>> => {
  const options = { spaceId: DEFAULT_SPACE, today: today() };
  const report = await commands.execute(new ImportContests(examples(), options, context));
  const demo: readonly Reading[] = [{ ok: true, contest: demoContest() }];
  await commands.execute(new ImportContests(demo, { ...options, choice: 'open' }, context));
  const { key } = await commands.execute(new IssueKey(SAMPLE_CONTEST, 'Sample device', context));
  return {
    contests: report.contests.filter(({ outcome }) => outcome !== 'left-out').length,
    results: report.contests.reduce((sum, { results }) => sum + results, 0),
    competitionId: SAMPLE_CONTEST.competitionId,
    key,
    attempt: {
      competitionId: SAMPLE_CONTEST.competitionId,
      eventId: '333',
      roundNumber: 1,
      assocId: PERSONS[0]?.assocId ?? '',
      attemptNumber: 5,
      attemptResult: 934,
    },
  };
};

/** Empty when the package has no examples. */
async function* examples(): AsyncGenerator<Reading> {
  if (existsSync(EXAMPLES)) yield* readContests(EXAMPLES);
}

/**
 * Returns the text for a newcomer: pages to open, and a command that enters an attempt. `url`: the address of
 * the server.
 */
export const describeSample = (
  { contests, results, competitionId, key, attempt, logs }: SampleSummary,
  url: string,
): string =>
  `
Podium is ready, with ${contests} real contests (${results} results) and ${competitionId}, a made-up one that is going on.

  the pages   ${url}/
  contests    ${url}/api/competitions
  a ranking   ${url}/api/results/rankings/fto/average/all
  live        ${url}/api/competitions/${competitionId}
  the API     ${url}/api/docs

Enter an attempt (this key is shown once; \`npm run -s podium -- keys issue\` makes more):

  curl -X POST ${url}/api/enter-attempt -H 'content-type: application/json' -H 'x-api-key: ${key}' \\
    -d '${JSON.stringify(attempt)}'

and see it in ${url}/api/results/rankings/333/average/all

Make yourself an admin of the dashboard (${url}/sign-in; the password is asked for):

  npm run -s podium -- users create --email you@example.org --name "Your Name" --role admin --logs --tokens
${logs === null ? '' : describeLogs(logs, url)}`;

const describeLogs = ({ entries, project, token }: SampleLogSummary, url: string): string => {
  const call = (endpoint: string, ...parameters: readonly string[]): string => {
    const query = [...parameters, `project=${project}`].join('&');
    return `  curl '${url}/api/endpoints/query/${endpoint}?${query}' \\
    -H 'X-API-KEY: ${token}' -H 'Content-Type: application/json; charset=utf-8'`;
  };
  return `
Query logs (${entries} made-up entries; this token is for one project's; \`npm run -s podium -- tokens issue\` makes more):

${call('logs.all')}

${call('usage.api-counts', 'interval=daily')}
`;
};
