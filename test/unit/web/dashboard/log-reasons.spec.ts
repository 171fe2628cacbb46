/** Why a query found nothing: what the explorer says, and which queries it proposes instead. */
import { describe, expect, it } from '@jest/globals';
import type { LogQuery } from '../../../../web/src/dashboard/areas/logs/log-query.js';
import {
  type Findings,
  hasFilter,
  reasonsFor,
  withoutFilter,
} from '../../../../web/src/dashboard/areas/logs/reasons.js';
import { logsOutline } from '../../../support/log-outline.js';

const ASKED: LogQuery = {
  endpoint: 'logs.all',
  language: 'lql',
  query: 'queen',
  parameters: { project: 'chess-club' },
  range: { kind: 'between', from: '2026-02-05T00:00:00Z', to: '2026-02-06T00:00:00Z' },
  redact: false,
};

const NEWEST = '2026-02-09T12:00:00.000000Z';

const FINDINGS: Findings = {
  outline: logsOutline({
    parameters: [{ name: 'project', use: 'text', among: [] }],
    tables: ['edge_logs', 'auth_logs'].map((name) => ({ name, columns: [] })),
  }),
  projects: [
    {
      project: 'chess-club',
      entries: 4,
      newest: NEWEST,
      sources: [{ source: 'edge_logs', entries: 4, newest: NEWEST }],
    },
  ],
  endpoints: [{ name: 'logs.all', query: 'select id from edge_logs' }],
  unfiltered: 0,
  days: [],
};

const DAY = 86_400_000;
const day = (date: string, entries: number) => ({ start: Date.parse(date), entries });
const texts = (asked: LogQuery, part: Partial<Findings>) =>
  reasonsFor(asked, { ...FINDINGS, ...part }).map(({ text }) => text);

describe('the filter', () => {
  it('is what LQL says beside the table', () => {
    expect([hasFilter(ASKED), hasFilter({ ...ASKED, query: ' ' })]).toEqual([true, false]);
    expect([hasFilter({ ...ASKED, query: 'f:auth_logs' }), hasFilter({ ...ASKED, language: 'sql' })]).toEqual(
      [false, false],
    );
    expect(withoutFilter({ ...ASKED, query: 'queen f:auth_logs "f:edge_logs"' }).query).toBe('f:auth_logs');
  });

  it('is the reason when the time has entries without it', () => {
    const [reason] = reasonsFor(ASKED, { ...FINDINGS, unfiltered: 1 });
    expect(reason?.text).toBe('Without the filter this time has 1 entry.');
    expect(reason?.proposals).toEqual([{ label: 'Drop the filter', query: { ...ASKED, query: '' } }]);
  });
});

describe('the time', () => {
  const days = [day('2026-02-01', 1), day('2026-02-03', 2), day('2026-02-09', 4)];

  it('is the reason when other days have entries, and the nearest on both sides are proposed', () => {
    const [reason] = reasonsFor(ASKED, { ...FINDINGS, days });
    expect(reason?.text).toBe(
      'Outside this time there are 7 entries that pass the filter, from 2026-02-01 to 2026-02-09.',
    );
    expect(reason?.proposals.map(({ label }) => label)).toEqual([
      'Show 2026-02-03 (2 entries)',
      'Show 2026-02-09 (4 entries)',
      'Show any time',
    ]);
    expect(reason?.proposals[0]?.query.range).toEqual({
      kind: 'between',
      from: '2026-02-02T23:59:59.999999Z',
      to: '2026-02-03T23:59:59.999999Z',
    });
    expect(reason?.proposals[2]?.query.range).toEqual({ kind: 'all' });
  });

  it('has days on one side only', () => {
    const range = { kind: 'between', from: new Date(DAY).toISOString(), to: '' } as const;
    const [reason] = reasonsFor({ ...ASKED, range }, { ...FINDINGS, days: [day('1970-01-01', 1)] });
    expect(reason?.proposals.map(({ label }) => label)).toEqual([
      'Show 1970-01-01 (1 entry)',
      'Show any time',
    ]);
  });
});

describe('the project', () => {
  it('is the reason alone when it has no entries, and those with entries are proposed', () => {
    const asked = { ...ASKED, parameters: { project: 'cheese-club' } };
    expect(texts(asked, { unfiltered: 3 })).toEqual(['The project cheese-club has no entries.']);
    const [reason] = reasonsFor(asked, FINDINGS);
    expect(reason?.proposals.map(({ label }) => label)).toEqual([
      'chess-club (4 entries, the newest of 2026-02-09 12:00 UTC)',
    ]);
    expect(reason?.proposals[0]?.query.range).toEqual({
      kind: 'between',
      from: '2026-02-08T23:59:59.999999Z',
      to: '2026-02-09T23:59:59.999999Z',
    });
    expect(texts({ ...ASKED, parameters: {} }, {})).toEqual(['No project is chosen.']);
    expect(texts(asked, { projects: [] })).toEqual(['No project has entries yet.']);
  });

  it('is no reason at an endpoint that takes none', () => {
    const outline = { ...FINDINGS.outline, parameters: [] };
    expect(texts(ASKED, { outline, projects: [], unfiltered: 2 })).toEqual([
      'Without the filter this time has 2 entries.',
    ]);
  });
});

describe('the table', () => {
  it('has entries of another time', () =>
    expect(texts(ASKED, {})).toEqual([
      'chess-club has 4 entries in edge_logs, the newest of 2026-02-09 12:00 UTC.',
    ]));

  it('is the reason when others have entries', () => {
    const [reason] = reasonsFor({ ...ASKED, query: 'f:auth_logs queen' }, FINDINGS);
    expect(reason?.text).toBe('chess-club has no entries in auth_logs, but in other tables.');
    expect(reason?.proposals.map(({ label, query }) => [label, query.query])).toEqual([
      ['edge_logs (4 entries)', 'f:edge_logs'],
    ]);
  });
});

describe('tables that the endpoint does not read', () => {
  const [project] = FINDINGS.projects;
  const projects = project
    ? [{ ...project, sources: [{ source: 'otel_logs' as const, entries: 4, newest: NEWEST }] }]
    : [];

  it('are named, with the other endpoints that read them', () => {
    const endpoints = [
      ...FINDINGS.endpoints,
      { name: 'spans', query: 'select id from otel_traces' },
      { name: 'errors', query: 'select id from otel_logs where project = @project' },
    ];
    const [reason] = reasonsFor(ASKED, { ...FINDINGS, projects, endpoints });
    expect(reason).toEqual({
      text: 'chess-club has entries in otel_logs only. logs.all does not read this table; other endpoints do:',
      proposals: [
        {
          label: 'errors (reads otel_logs)',
          query: {
            ...ASKED,
            endpoint: 'errors',
            query: '',
            range: {
              kind: 'between',
              from: '2026-02-08T23:59:59.999999Z',
              to: '2026-02-09T23:59:59.999999Z',
            },
          },
        },
      ],
    });
  });

  it('lead to the page of endpoints when no endpoint reads them', () => {
    const [reason] = reasonsFor(ASKED, { ...FINDINGS, projects });
    expect(reason).toEqual({
      text: 'chess-club has entries in otel_logs only. logs.all does not read this table, and no other endpoint does: make one whose query reads this table.',
      proposals: [],
      link: { path: '/dashboard/logs/endpoints', label: 'Endpoints' },
    });
  });
});
