/** The requests of the alerts to the API. */
import type { AlertFields, AlertFieldsChange } from '../../../../../src/logs/alerts/alert-body.js';
import type { AlertTest, AlertView } from '../../../../../src/logs/alerts/alert-view.js';
import { getJson, send } from '../../api.js';

export const LIST = '/dashboard/logs/alerts';
const API = '/api/logs/alerts';

/** Begins the keys of all reads of alerts. */
export const ALERTS_KEY = ['logs', 'alerts'] as const;
export const alertKey = (id: string) => [...ALERTS_KEY, id] as const;

const pathOf = (id: string): string => `${API}/${encodeURIComponent(id)}`;

export const runsPath = (id: string): string => `${pathOf(id)}/runs?limit=20`;

export const listAlerts = (): Promise<readonly AlertView[]> => getJson(API);
export const getAlert = (id: string): Promise<AlertView> => getJson(pathOf(id));
export const createAlert = (fields: AlertFields): Promise<AlertView> => send('POST', API, fields);
export const changeAlert = (id: string, change: AlertFieldsChange): Promise<AlertView> =>
  send('PATCH', pathOf(id), change);
export const removeAlert = (id: string): Promise<null> => send('DELETE', pathOf(id));
export const testAlert = (id: string): Promise<AlertTest> => send('POST', `${pathOf(id)}/test`);

/** `until`: ISO 8601, UTC; null: the silence ends. */
export const silenceAlert = (id: string, until: string | null): Promise<AlertView> =>
  send('PUT', `${pathOf(id)}/silence`, { until });
