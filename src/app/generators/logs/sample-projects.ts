/** The twenty invented projects of the log generator; a few are busy, most are not. */
import { Random } from '../world/random.js';

export interface SampleProject {
  /** The name of a project on such platforms: twenty lower-case letters. */
  readonly ref: string;
  /** Share of the entries, relative to the other weights. */
  readonly weight: number;
  readonly region: string;
  readonly tables: readonly string[];
  readonly functions: readonly { readonly id: string; readonly name: string }[];
  readonly users: readonly { readonly id: string; readonly email: string }[];
}

const PROJECTS = 20;
const USERS = 12;
/** A fixed seed: the projects are the same for every seed of the entries. */
const SEED = 20_260_627;

const REGIONS = ['eu-west-1', 'eu-central-1', 'us-east-1', 'ap-northeast-1'];
const TABLES = [
  'contests',
  'rounds',
  'results',
  'persons',
  'records',
  'venues',
  'schedules',
  'photos',
  'teams',
];
const FUNCTIONS = ['send-schedule', 'resize-photo', 'sync-results', 'notify-records'];
const NAMES = ['mara', 'tomas', 'ilse', 'haruka', 'bram', 'wiktoria', 'dario', 'sunniva', 'aoife', 'jonas'];
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

const makeProject = (random: Random, index: number): SampleProject => ({
  ref: Array.from({ length: 20 }, () => LETTERS[random.integer(0, 25)]).join(''),
  weight: 1 / (index + 1),
  region: random.pick(REGIONS),
  tables: TABLES.filter(() => random.chance(0.6)).concat('results'),
  functions: FUNCTIONS.map((name) => ({ id: random.uuid(), name })),
  users: Array.from({ length: USERS }, (_, user) => ({
    id: random.uuid(),
    email: `${random.pick(NAMES)}${user}@example.org`,
  })),
});

const random = new Random(SEED);

/** The busiest first. */
export const SAMPLE_PROJECTS: readonly SampleProject[] = Array.from({ length: PROJECTS }, (_, index) =>
  makeProject(random, index),
);
