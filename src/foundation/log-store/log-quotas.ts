/** How many entries a project may write into a source each day, UTC. */
import { isLogSource, type LogSource } from './sources.js';

/** Entries a day; null: any number. */
export type LogQuota = number | null;

export interface LogQuotas {
  /** Of each project in each source that has no other. */
  readonly general: LogQuota;
  readonly ofSource: ReadonlyMap<LogSource, LogQuota>;
  /** By `PROJECT/SOURCE`. */
  readonly ofProject: ReadonlyMap<string, LogQuota>;
}

export const quotaOf = (
  { general, ofSource, ofProject }: LogQuotas,
  project: string | null,
  source: LogSource,
): LogQuota => {
  const own = ofProject.get(`${project ?? ''}/${source}`);
  if (own !== undefined) return own;
  return ofSource.get(source) ?? (ofSource.has(source) ? null : general);
};

/** Whether any project has a quota. */
export const hasQuota = ({ general, ofSource, ofProject }: LogQuotas): boolean =>
  [general, ...ofSource.values(), ...ofProject.values()].some((quota) => quota !== null);

/**
 * Reads `1000000`, with others for sources and for projects: `1000000,edge_logs=5000000,todo-app/edge_logs=none`. Calls `fail`
 * with the first part that it cannot read.
 */
export const readLogQuotas = (text: string, fail: (part: string) => never): LogQuotas => {
  let general: LogQuota | undefined;
  const ofSource = new Map<LogSource, LogQuota>();
  const ofProject = new Map<string, LogQuota>();
  for (const part of text.split(',').map((each) => each.trim())) {
    const [, project, source, value = ''] = /^(?:(?:(.+)\/)?([^/=]*)=)?([^=]*)$/.exec(part) ?? [];
    const quota = readQuota(value) ?? fail(part);
    if (source === undefined) general = general === undefined ? quota.value : fail(part);
    else if (!isLogSource(source)) fail(part);
    else if (project === undefined) ofSource.set(source, quota.value);
    else ofProject.set(`${project}/${source}`, quota.value);
  }
  return { general: general ?? null, ofSource, ofProject };
};

const readQuota = (text: string): { readonly value: LogQuota } | null => {
  if (text === 'none') return { value: null };
  return /^[1-9]\d{0,11}$/.test(text) ? { value: Number(text) } : null;
};
