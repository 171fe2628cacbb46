/**
 * Why a query found no rows, and which queries would find some: of another project, of another time, without the filter, or of
 * another table.
 */

import type { EndpointView } from '../../../../../src/logs/endpoints/endpoint.queries.js';
import type { LogProject } from '../../../../../src/logs/query/log-projects.js';
import { numberText } from '../../parts/number-text.js';
import { absoluteRange, type LogQuery, type LogRow, rangeOf, type TimeRange } from './log-query.js';
import { tableOf, tableTermIn } from './lql-table.js';
import { type EndpointOutline, projectParameter, tableNamed } from './outline.js';
import { dayText, minuteText, momentOf } from './time-text.js';

export interface Proposal {
  readonly label: string;
  readonly query: LogQuery;
}

export interface Reason {
  readonly text: string;
  readonly proposals: readonly Proposal[];
  /** A page that helps where no query does. */
  readonly link?: { readonly path: string; readonly label: string };
}

/** The entries of one day, UTC. */
export interface Day {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly entries: number;
}

export interface Findings {
  readonly outline: EndpointOutline;
  readonly projects: readonly LogProject[];
  readonly endpoints: readonly Pick<EndpointView, 'name' | 'query'>[];
  /** Entries of the range without the filter; null when the query has no filter. */
  readonly unfiltered: number | null;
  /** The days with entries that pass the filter at any time, oldest first; null when they were not counted. */
  readonly days: readonly Day[] | null;
}

const DAY_MS = 86_400_000;
const MAX_PROPOSED = 6;

/** True for a query with a filter that can be dropped. */
export const hasFilter = (asked: LogQuery): boolean =>
  asked.language === 'lql' && asked.query.trim() !== withoutFilter(asked).query;

/** Entries of the same table, with no filter. */
export const withoutFilter = (asked: LogQuery): LogQuery => {
  const table = tableTermIn(asked.query);
  return { ...asked, query: table === null ? '' : `f:${table}` };
};

export const daysIn = (rows: readonly LogRow[]): readonly Day[] =>
  rows.map(({ timestamp, count }) => ({ start: momentOf(timestamp), entries: Number(count) }));

export const reasonsFor = (asked: LogQuery, findings: Findings): readonly Reason[] => {
  const { outline, projects } = findings;
  if (projectParameter(outline) === null)
    return [...filterReason(asked, findings), ...timeReason(asked, findings)];
  const name = asked.parameters.project ?? '';
  const project = projects.find((one) => one.project === name);
  if (project === undefined) return [projectReason(asked, findings)];
  return [
    ...filterReason(asked, findings),
    ...timeReason(asked, findings),
    ...tableReason(asked, { ...findings, project }),
  ];
};

export const entriesText = (count: number): string =>
  `${numberText(count)} ${count === 1 ? 'entry' : 'entries'}`;

const projectReason = (asked: LogQuery, { projects }: Findings): Reason => {
  const name = asked.parameters.project ?? '';
  const text = name === '' ? 'No project is chosen.' : `The project ${name} has no entries.`;
  return projects.length === 0
    ? { text: 'No project has entries yet.', proposals: [] }
    : { text, proposals: projectProposals(asked, projects) };
};

/** The projects with the newest entries. A range without entries of the project becomes the day of its newest entry. */
export const projectProposals = (asked: LogQuery, projects: readonly LogProject[]): readonly Proposal[] =>
  projects.slice(0, MAX_PROPOSED).map(({ project, entries, newest }) => ({
    label: `${project} (${entriesText(entries)}, the newest of ${minuteText(newest)})`,
    query: reaching({ ...asked, parameters: { ...asked.parameters, project } }, newest),
  }));

/** The same query, of the day of the entry unless its range holds the entry already. */
const reaching = (asked: LogQuery, newest: string): LogQuery =>
  holds(asked.range, momentOf(newest)) ? asked : { ...asked, range: dayOf(momentOf(newest)) };

const holds = (range: TimeRange, moment: number): boolean => {
  const fixed = absoluteRange(range, Date.now());
  if (fixed.kind !== 'between') return true;
  const isAfter = fixed.from === '' || moment > momentOf(fixed.from);
  return isAfter && (fixed.to === '' || moment <= momentOf(fixed.to));
};

const dayOf = (moment: number): TimeRange => {
  const start = Math.floor(moment / DAY_MS) * DAY_MS;
  return rangeOf(start, start + DAY_MS);
};

const filterReason = (asked: LogQuery, { unfiltered }: Findings): readonly Reason[] => {
  if (unfiltered === null || unfiltered === 0) return [];
  return [
    {
      text: `Without the filter this time has ${entriesText(unfiltered)}.`,
      proposals: [{ label: 'Drop the filter', query: withoutFilter(asked) }],
    },
  ];
};

const timeReason = (asked: LogQuery, { days }: Findings): readonly Reason[] => {
  const [first, last] = [days?.[0], days?.at(-1)];
  if (!days || !first || !last) return [];
  const total = days.reduce((sum, { entries }) => sum + entries, 0);
  const range = absoluteRange(asked.range, Date.now());
  const from = range.kind === 'between' ? momentOf(range.from) : Number.NaN;
  // The range has no entries, so each of these days has its entries outside it.
  const nearest = [days.findLast(({ start }) => !(start > from)), days.find(({ start }) => start > from)];
  const filter = hasFilter(asked) ? ' that pass the filter' : '';
  return [
    {
      text: `Outside this time there are ${entriesText(total)}${filter}, from ${dayName(first)} to ${dayName(last)}.`,
      proposals: [
        ...nearest.flatMap((day) => (day === undefined ? [] : [dayProposal(asked, day)])),
        { label: 'Show any time', query: { ...asked, range: { kind: 'all' } } },
      ],
    },
  ];
};

const dayName = ({ start }: Day): string => dayText(new Date(start).toISOString());

const dayProposal = (asked: LogQuery, day: Day): Proposal => ({
  label: `Show ${dayName(day)} (${entriesText(day.entries)})`,
  query: { ...asked, range: dayOf(day.start) },
});

/** The newest entry of the table that was asked, and the other tables with entries of the project. */
const tableReason = (
  asked: LogQuery,
  { outline, project, endpoints, unfiltered, days }: Findings & { readonly project: LogProject },
): readonly Reason[] => {
  const table = tableOf(asked, outline);
  if (table === null) return [];
  const { sources } = project;
  const inUse = sources.find(({ source }) => source === table);
  if (inUse !== undefined) {
    if ((unfiltered ?? 0) > 0 || (days ?? []).length > 0) return [];
    const all = reaching(withoutFilter(asked), inUse.newest);
    return [
      {
        text: `${project.project} has ${entriesText(inUse.entries)} in ${table}, the newest of ${minuteText(inUse.newest)}.`,
        proposals: [{ label: 'Show its newest entries', query: all }],
      },
    ];
  }
  const others = sources.filter(({ source }) => tableNamed(outline, source) !== null);
  if (others.length === 0) return [unreadReason(asked, { outline, project, endpoints })];
  return [
    {
      text: `${project.project} has no entries in ${table}, but in other tables.`,
      proposals: others.map(({ source, entries, newest }) => ({
        label: `${source} (${entriesText(entries)})`,
        query: reaching({ ...asked, language: 'lql', query: `f:${source}` }, newest),
      })),
    },
  ];
};

/** The endpoint reads no table with entries of the project, as `logs.all` does not read those of OpenTelemetry. */
const unreadReason = (
  asked: LogQuery,
  {
    outline,
    project: { project, sources },
    endpoints,
  }: Pick<Findings, 'outline' | 'endpoints'> & { readonly project: LogProject },
): Reason => {
  const names = sources.map(({ source }) => source);
  const reads = names.length === 1 ? 'this table' : 'these tables';
  const proposals = endpoints.flatMap(({ name, query }): readonly Proposal[] => {
    const read = sources.find(({ source }) => new RegExp(`\\b${source}\\b`).test(query));
    if (name === outline.name || read === undefined) return [];
    const others = reaching({ ...asked, endpoint: name, language: 'lql', query: '' }, read.newest);
    return [{ label: `${name} (reads ${read.source})`, query: others }];
  });
  const text = `${project} has entries in ${names.join(', ')} only. ${outline.name} does not read ${reads}`;
  return proposals.length > 0
    ? { text: `${text}; other endpoints do:`, proposals: proposals.slice(0, MAX_PROPOSED) }
    : {
        text: `${text}, and no other endpoint does: make one whose query reads ${reads}.`,
        proposals: [],
        link: { path: '/dashboard/logs/endpoints', label: 'Endpoints' },
      };
};
