/**
 * The architecture of src/, as rules that `npm test` checks (test/unit/project/layers.spec.ts), type imports counted. Each list
 * reads from top to bottom: a folder imports from folders below it in its list, never from one above or beside it.
 */

/** The layers. Folders in one row stand side by side and do not know each other. */
export const LAYERS = [
  ['app'], // wiring: entry points, stores by URL, the list of features, generated worlds
  ['cli', 'pages'],
  ['competition', 'logs'],
  ['accounts'],
  ['http', 'engines'], // http knows no feature; an engine knows the ports and the wiring alone knows the engine
  ['foundation'], // ports, aggregates, the runner of projections
  ['domain'], // functions and data: imports nothing
];

/** The order inside a layer, where folders build on each other. */
export const INNER_LAYERS = {
  competition: [
    ['references'],
    ['records', 'live', 'hall', 'exchange', 'merges'],
    ['rankings', 'rounds', 'schedule'],
    ['contests'],
    ['persons', 'keys'],
    ['results', 'spaces'],
    ['aggregates'], // what several features fold: streams, events, state, decisions; commands and look-ups that need no more
  ],
  engines: [['sqlite', 'mongodb', 'eventstoredb', 'duckdb', 'clickhouse']],
  foundation: [
    ['projections', 'credentials', 'losses'], // losses: events that were there and are missing
    ['aggregates'],
    ['read-models'],
    ['operational'], // it remembers how far the event stores had come
    ['event-store'],
    ['log-store'],
    ['integrity'], // damage, its log and its scrub
    ['basics'],
  ],
  http: [
    ['reads'],
    ['edge'], // what a shared cache in front keeps and drops
    ['observability'],
    ['openapi', 'body', 'credentials'],
    ['problems'],
    ['message', 'outgoing'],
    ['replies'],
  ],
  logs: [
    ['drains'],
    ['exports'],
    ['endpoint-management', 'saved-queries', 'sources', 'tail', 'alerts'],
    ['query', 'ingest'],
    ['saved-filters'],
    ['tokens'],
    ['endpoints', 'lql', 'downloads', 'copy'],
    ['sql', 'cache', 'redaction', 'forwarding'],
  ],
};

/** Which folder alone may import a package. */
const PACKAGES = {
  'better-sqlite3(-napi)?': 'engines/sqlite',
  mongodb: 'engines/mongodb',
  '@eventstore/db-client': 'engines/eventstoredb',
  '@duckdb/.*': 'engines/duckdb',
  '@clickhouse/client': 'engines/clickhouse',
};

/** No clock, no store, no framework. */
const PURE = '(\\.decider|\\.events|aggregates/(round/round|contest/contest))\\.ts$|^src/domain/';

const within = (folder, names) => `^${folder}(${names.join('|')})/`;

/** One rule for each row of a list: it imports nothing from the rows above it, nor from its neighbours. */
const downwards = (folder, rows) =>
  rows.flatMap((row, index) => [
    ...(index === 0
      ? []
      : [
          {
            name: `no-import-upwards-from-${folder}${row.join('-')}`,
            severity: 'error',
            from: { path: within(folder, row) },
            to: { path: within(folder, rows.slice(0, index).flat()) },
          },
        ]),
    ...(row.length === 1
      ? []
      : [
          {
            name: `no-import-between-${folder}${row.join('-')}`,
            severity: 'error',
            from: { path: within(folder, row) },
            to: { path: within(folder, row), pathNot: `^${folder}$1/` },
          },
        ]),
  ]);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-circle-of-files', severity: 'error', from: {}, to: { circular: true } },
    ...downwards('src/', LAYERS),
    ...Object.entries(INNER_LAYERS).flatMap(([folder, rows]) => downwards(`src/${folder}/`, rows)),
    {
      name: 'engines-are-opened-by-the-wiring-alone',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(app|engines)/' },
      to: { path: '^src/engines/' },
    },
    {
      name: 'generated-worlds-are-loaded-by-the-wiring-when-wanted',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/app/generators/' },
      to: { path: '^src/app/generators/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    ...[
      { dependencyTypes: ['core'] },
      { path: 'node_modules/(@nestjs|fastify)|\\.(commands|queries|handlers)\\.ts$' },
    ].map((to) => ({ name: 'deciders-are-pure', severity: 'error', from: { path: PURE }, to })),
    ...Object.entries(PACKAGES).map(([name, folder]) => ({
      name: `only-${folder.replace('/', '-')}-imports-its-package`,
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/${folder}/` },
      to: { path: `node_modules/${name}/` },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
