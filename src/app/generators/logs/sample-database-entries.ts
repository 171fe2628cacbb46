/** Realistic log entries of a database and of what stands before it: Postgres, PostgREST, PgBouncer. */
import type { Random } from '../world/random.js';
import type { SampleProject } from './sample-projects.js';
import { address, type EntryMaker, milliseconds } from './sample-values.js';

const DATABASE_LINES: readonly {
  readonly weight: number;
  readonly severity: string;
  readonly state: string;
  readonly tag: string;
  readonly textOf: (random: Random, project: SampleProject) => { message: string; query: string | null };
}[] = [
  {
    weight: 50,
    severity: 'LOG',
    state: '00000',
    tag: 'authentication',
    textOf: () => ({ message: 'connection authorized: user=authenticator database=postgres', query: null }),
  },
  {
    weight: 25,
    severity: 'LOG',
    state: '00000',
    tag: 'SELECT',
    textOf: (random, { tables }) => ({
      message: `duration: ${milliseconds(random, 1_500)} ms`,
      query: `select * from ${random.pick(tables)} where id = $1`,
    }),
  },
  {
    weight: 10,
    severity: 'LOG',
    state: '00000',
    tag: '',
    textOf: (random) => ({
      message: `checkpoint complete: wrote ${random.integer(1, 900)} buffers`,
      query: null,
    }),
  },
  {
    weight: 8,
    severity: 'ERROR',
    state: '42P01',
    tag: 'SELECT',
    textOf: (random) => ({
      message: `relation "public.${random.pick(['result', 'contest', 'medal'])}" does not exist`,
      query: 'select * from medal',
    }),
  },
  {
    weight: 5,
    severity: 'ERROR',
    state: '23505',
    tag: 'INSERT',
    textOf: (_, { tables }) => ({
      message: `duplicate key value violates unique constraint "${tables[0]}_pkey"`,
      query: `insert into ${tables[0]} values ($1, $2)`,
    }),
  },
  {
    weight: 2,
    severity: 'FATAL',
    state: '28P01',
    tag: 'authentication',
    textOf: () => ({ message: 'password authentication failed for user "postgres"', query: null }),
  },
];

export const postgres: EntryMaker = (random, project) => {
  const { severity, state, tag, textOf: say } = random.weighted(DATABASE_LINES);
  const { message, query } = say(random, project);
  return {
    eventMessage: message,
    project: project.ref,
    metadata: {
      host: `db-${project.ref}`,
      parsed: {
        error_severity: severity,
        user_name: random.pick(['authenticator', 'postgres', 'service_role']),
        database_name: 'postgres',
        command_tag: tag,
        query,
        sql_state_code: state,
        backend_type: 'client backend',
        application_name: random.pick(['PostgREST 12.2.0', 'psql', 'supavisor']),
        process_id: random.integer(100, 60_000),
        session_line_num: random.integer(1, 40),
        ...(severity === 'LOG' ? {} : { hint: null, detail: `Seen by ${address(random)}.` }),
      },
    },
  };
};

export const postgrest: EntryMaker = (random, { ref }) => ({
  eventMessage: random.pick([
    'Schema cache loaded 14 Relations, 9 Relationships, 3 Functions',
    'Config reloaded',
    'Attempting to connect to the database...',
    'Connection successful',
  ]),
  project: ref,
  metadata: { host: `rest-${ref}` },
});

export const pgbouncer: EntryMaker = (random, { ref }) => ({
  eventMessage: random.chance(0.7)
    ? `stats: ${random.integer(1, 60)} xacts/s, ${random.integer(1, 90)} queries/s, wait ${random.integer(0, 20)} us`
    : `C-0x55e1: postgres/authenticator@${address(random)}:${random.integer(1_024, 65_535)} login attempt: db=postgres`,
  project: ref,
  metadata: { host: `pool-${ref}` },
});
