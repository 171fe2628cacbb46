/** One realistic entry of each source: of the gateways, databases and functions of a platform. */

import type { JsonRecord, LogSource } from '../../../foundation/log-store/sources.js';
import type { Random } from '../world/random.js';
import { pgbouncer, postgres, postgrest } from './sample-database-entries.js';
import type { SampleProject } from './sample-projects.js';
import {
  AGENTS,
  address,
  CLIENTS,
  type EntryMaker,
  milliseconds,
  PLACES,
  STATUSES,
} from './sample-values.js';

const API_CALLS: readonly {
  readonly weight: number;
  readonly call: (random: Random, project: SampleProject) => { method: string; path: string; search: string };
}[] = [
  {
    weight: 55,
    call: (random, { tables }) => {
      const method = random.pick(['GET', 'GET', 'GET', 'GET', 'POST', 'PATCH']);
      const search = method === 'POST' ? '' : `?select=*&id=eq.${random.integer(1, 9_999)}`;
      return { method, path: `/rest/v1/${random.pick(tables)}`, search };
    },
  },
  {
    weight: 20,
    call: (random) => {
      const path = random.pick(['token', 'user', 'user', 'logout', 'verify', 'otp']);
      const search = path === 'token' ? '?grant_type=refresh_token' : '';
      return { method: path === 'user' ? 'GET' : 'POST', path: `/auth/v1/${path}`, search };
    },
  },
  {
    weight: 17,
    call: (random) => ({
      method: random.pick(['GET', 'GET', 'GET', 'POST', 'DELETE']),
      path: `/storage/v1/object/photos/${random.integer(1, 5_000)}.jpg`,
      search: '',
    }),
  },
  { weight: 8, call: () => ({ method: 'GET', path: '/realtime/v1/websocket', search: '?vsn=1.0.0' }) },
];

const edge: EntryMaker = (random, project) => {
  const { method, path, search } = random.weighted(API_CALLS).call(random, project);
  const { status } = random.weighted(STATUSES);
  const host = `${project.ref}.example.co`;
  const ip = address(random);
  const ray = random.bits().toString(16).padStart(8, '0');
  return {
    eventMessage: `${method} | ${status} | ${ip} | ${ray} | https://${host}${path}${search}`,
    project: project.ref,
    metadata: {
      request: {
        method,
        path,
        url: `https://${host}${path}${search}`,
        host,
        search,
        protocol: 'https:',
        headers: {
          user_agent: random.pick(AGENTS),
          x_client_info: random.pick(CLIENTS),
          cf_connecting_ip: ip,
          cf_ray: ray,
        },
        cf: random.pick(PLACES),
      },
      response: {
        status_code: status,
        origin_time: Math.round(milliseconds(random, 40)),
        headers: { content_type: 'application/json; charset=utf-8', cf_cache_status: 'DYNAMIC' },
      },
    },
  };
};

const functionEdge: EntryMaker = (random, { ref, functions }) => {
  const { id, name } = random.pick(functions);
  const { status } = random.weighted(STATUSES);
  const method = random.pick(['POST', 'POST', 'GET', 'OPTIONS']);
  const url = `https://${ref}.example.co/functions/v1/${name}`;
  return {
    eventMessage: `${method} | ${status} | ${url}`,
    project: null,
    metadata: {
      project_ref: ref,
      function_id: id,
      execution_id: random.uuid(),
      execution_time_ms: milliseconds(random, 120),
      version: String(random.integer(1, 12)),
      request: {
        method,
        url,
        pathname: `/${name}`,
        host: `${ref}.example.co`,
        headers: { user_agent: random.pick(AGENTS), cf_connecting_ip: address(random) },
      },
      response: { status_code: status, headers: { content_type: 'application/json' } },
    },
  };
};

const FUNCTION_LINES: readonly {
  readonly weight: number;
  readonly kind: string;
  readonly level: string;
  readonly textOf: (random: Random, name: string) => string;
}[] = [
  {
    weight: 60,
    kind: 'Log',
    level: 'info',
    textOf: (random, name) => `${name} handled ${random.integer(1, 40)} results`,
  },
  { weight: 10, kind: 'Log', level: 'warning', textOf: () => 'a photo without a name was left out' },
  {
    weight: 15,
    kind: 'Boot',
    level: 'log',
    textOf: (random) => `booted (time: ${random.integer(20, 90)}ms)`,
  },
  { weight: 12, kind: 'Shutdown', level: 'log', textOf: () => 'shutdown' },
  {
    weight: 3,
    kind: 'UncaughtException',
    level: 'error',
    textOf: () => "TypeError: Cannot read properties of undefined (reading 'attempts')",
  },
];

const functionLine: EntryMaker = (random, { ref, region, functions }) => {
  const { id, name } = random.pick(functions);
  const { kind, level, textOf: say } = random.weighted(FUNCTION_LINES);
  return {
    eventMessage: say(random, name),
    project: null,
    metadata: {
      project_ref: ref,
      function_id: id,
      execution_id: random.uuid(),
      level,
      event_type: kind,
      region,
    },
  };
};

const auth: EntryMaker = (random, { ref, users }) => {
  const { id, email } = random.pick(users);
  const action = random.pick([
    'login',
    'login',
    'token_refreshed',
    'token_refreshed',
    'logout',
    'user_signedup',
  ]);
  const fails = random.chance(0.06);
  const path = action === 'logout' ? '/logout' : action === 'user_signedup' ? '/signup' : '/token';
  const status = fails ? 400 : 200;
  const metadata: JsonRecord = {
    level: fails ? 'error' : 'info',
    msg: fails ? '400: Invalid login credentials' : 'request completed',
    path,
    status,
    method: 'POST',
    duration: Math.round(milliseconds(random, 25) * 1_000_000),
    remote_addr: address(random),
    component: 'api',
    request_id: random.uuid(),
  };
  return {
    eventMessage: JSON.stringify({ level: metadata.level, msg: metadata.msg, path, status }),
    project: ref,
    metadata: fails
      ? { ...metadata, error: 'invalid_grant' }
      : {
          ...metadata,
          auth_event: {
            action,
            actor_id: id,
            actor_username: email,
            log_type: 'account',
            traits: { provider: 'email' },
          },
        },
  };
};

const REALTIME_LINES = [
  { weight: 80, level: 'info', message: 'Joined topic realtime:public:results' },
  { weight: 15, level: 'warning', message: 'Tenant has too many channels' },
  { weight: 5, level: 'error', message: 'ChannelRateLimitReached: Too many joins per second' },
];

const realtime: EntryMaker = (random, { ref }) => {
  const { level, message } = random.weighted(REALTIME_LINES);
  return {
    eventMessage: message,
    project: null,
    metadata: {
      project: ref,
      external_id: ref,
      level,
      context: {
        application: 'realtime',
        module: 'Elixir.RealtimeWeb.RealtimeChannel',
        function: 'join/3',
        line: random.integer(40, 400),
      },
    },
  };
};

const storage: EntryMaker = (random, { ref, region }) => {
  const { status } = random.weighted(STATUSES);
  const method = random.pick(['GET', 'GET', 'POST', 'DELETE']);
  const url = `/object/photos/${random.integer(1, 5_000)}.jpg`;
  const ip = address(random);
  return {
    eventMessage: `${method} | ${status} | ${ip} | ${url}`,
    project: null,
    metadata: {
      project: ref,
      level: status >= 500 ? 'error' : 'info',
      region,
      context: { host: `storage-${ref.slice(0, 4)}`, pid: random.integer(1, 400) },
      req: { method, url, traceId: random.uuid() },
      res: { statusCode: status },
      responseTime: milliseconds(random, 30),
    },
  };
};

export const SAMPLE_SOURCES: readonly {
  readonly source: LogSource;
  readonly weight: number;
  readonly make: EntryMaker;
}[] = [
  { source: 'edge_logs', weight: 46, make: edge },
  { source: 'postgres_logs', weight: 15, make: postgres },
  { source: 'auth_logs', weight: 12, make: auth },
  { source: 'function_edge_logs', weight: 7, make: functionEdge },
  { source: 'function_logs', weight: 7, make: functionLine },
  { source: 'storage_logs', weight: 6, make: storage },
  { source: 'realtime_logs', weight: 4, make: realtime },
  { source: 'postgrest_logs', weight: 1.5, make: postgrest },
  { source: 'pgbouncer_logs', weight: 1.5, make: pgbouncer },
];
