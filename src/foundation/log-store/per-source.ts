/** A setting of the log store with a value for each source, and others for single projects. */
import { isSourceName, type LogSource } from './sources.js';

/** `T` does not include undefined. */
export interface PerSource<T> {
  /** Of sources that have no other. */
  readonly general: T;
  readonly ofSource: ReadonlyMap<LogSource, T>;
  /** By source, then by project. */
  readonly ofProject: ReadonlyMap<LogSource, ReadonlyMap<string, T>>;
}

/** The value for the projects of a source that have none of their own. */
export const generalValueOf = <T>({ general, ofSource }: PerSource<T>, source: LogSource): T => {
  const value = ofSource.get(source);
  return value === undefined ? general : value;
};

/** The values of projects of a source that have one of their own. */
export const ownValuesOf = <T>({ ofProject }: PerSource<T>, source: LogSource): ReadonlyMap<string, T> =>
  ofProject.get(source) ?? new Map();

export const settingOf = <T>(setting: PerSource<T>, source: LogSource, project: string | null): T => {
  const own = project === null ? undefined : ownValuesOf(setting, source).get(project);
  return own === undefined ? generalValueOf(setting, source) : own;
};

/** The sources that have a value of their own, or whose projects have one. */
export const namedSources = <T>({ ofSource, ofProject }: PerSource<T>): ReadonlySet<LogSource> =>
  new Set([...ofSource.keys(), ...ofProject.keys()]);

export const allValues = <T>({ general, ofSource, ofProject }: PerSource<T>): readonly T[] => [
  general,
  ...ofSource.values(),
  ...[...ofProject.values()].flatMap((values) => [...values.values()]),
];

interface Reading<T> {
  readonly otherwise: T;
  /** Returns undefined for a text that is no value. */
  readonly read: (text: string) => T | undefined;
  /** Called with the first part that cannot be read. */
  readonly fail: (part: string) => never;
}

/** Reads `30`, with others for sources and for projects: `30,postgres_logs=7,todo-app/edge_logs=90`. */
export const readPerSource = <T>(text: string, { otherwise, read, fail }: Reading<T>): PerSource<T> => {
  const general: T[] = [];
  const ofSource = new Map<LogSource, T>();
  const ofProject = new Map<LogSource, Map<string, T>>();
  for (const part of text.split(',').map((each) => each.trim())) {
    const [, project, source, given = ''] = /^(?:(?:(.+)\/)?([^/=]*)=)?([^=]*)$/.exec(part) ?? [];
    const value = read(given);
    if (value === undefined) return fail(part);
    if (source === undefined) general.push(value);
    else if (!isSourceName(source)) return fail(part);
    else if (project === undefined) ofSource.set(source, value);
    else ofProject.set(source, (ofProject.get(source) ?? new Map<string, T>()).set(project, value));
    if (general.length > 1) return fail(part);
  }
  const [first = otherwise] = general;
  return { general: first, ofSource, ofProject };
};
