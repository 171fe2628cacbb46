/** The requests of the drains to the API. */
import type { DrainChange, DrainFields } from '../../../../../src/logs/drains/drain-body.js';
import type { DrainTest, DrainView } from '../../../../../src/logs/drains/drain-view.js';
import type { SourceView } from '../../../../../src/logs/sources/source.queries.js';
import { getJson, send } from '../../api.js';

export const LIST = '/dashboard/logs/drains';
const API = '/api/logs/drains';

/** Begins the keys of all reads of drains. */
export const DRAINS_KEY = ['logs', 'drains'] as const;
export const drainKey = (id: string) => [...DRAINS_KEY, id] as const;

const pathOf = (id: string): string => `${API}/${encodeURIComponent(id)}`;

export const listDrains = (): Promise<readonly DrainView[]> => getJson(API);
export const getDrain = (id: string): Promise<DrainView> => getJson(pathOf(id));
export const createDrain = (fields: DrainFields): Promise<DrainView> => send('POST', API, fields);
export const editDrain = (id: string, change: DrainChange): Promise<DrainView> =>
  send('PATCH', pathOf(id), change);
export const removeDrain = (id: string): Promise<null> => send('DELETE', pathOf(id));
export const testDrain = (id: string): Promise<DrainTest> => send('POST', `${pathOf(id)}/test`);
export const pauseDrain = (id: string): Promise<DrainView> => send('POST', `${pathOf(id)}/pause`);
export const resumeDrain = (id: string): Promise<DrainView> => send('POST', `${pathOf(id)}/resume`);

/** The names of all sources. */
export const listSources = async (): Promise<readonly string[]> => {
  const sources: readonly SourceView[] = await getJson('/api/logs/sources');
  return sources.filter(({ state }) => state !== 'ready').map(({ name }) => name);
};
