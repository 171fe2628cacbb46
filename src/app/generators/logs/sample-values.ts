/** Values that generated log entries of several sources have: agents, places, statuses, addresses, durations. */
import type { LogEntry } from '../../../foundation/log-store/sources.js';
import type { Random } from '../world/random.js';
import type { SampleProject } from './sample-projects.js';

type EntryBody = Pick<LogEntry, 'eventMessage' | 'metadata' | 'project'>;
/** Makes an entry of one source. */
export type EntryMaker = (random: Random, project: SampleProject) => EntryBody;

export const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'Dart/3.4 (dart:io)',
  'curl/8.7.1',
];
export const CLIENTS = ['supabase-js-web/2.43.4', 'supabase-js-node/2.43.4', 'supabase-flutter/2.5.4', ''];
export const PLACES = [
  { country: 'IE', city: 'Galway', continent: 'EU', timezone: 'Europe/Dublin', colo: 'DUB', asn: 5466 },
  { country: 'ES', city: 'Sevilla', continent: 'EU', timezone: 'Europe/Madrid', colo: 'MAD', asn: 3352 },
  { country: 'US', city: 'Columbus', continent: 'NA', timezone: 'America/New_York', colo: 'IAD', asn: 7018 },
  { country: 'JP', city: 'Osaka', continent: 'AS', timezone: 'Asia/Tokyo', colo: 'KIX', asn: 2516 },
];
export const STATUSES = [
  { status: 200, weight: 82 },
  { status: 201, weight: 6 },
  { status: 204, weight: 2 },
  { status: 304, weight: 2 },
  { status: 400, weight: 2 },
  { status: 401, weight: 2 },
  { status: 404, weight: 2 },
  { status: 429, weight: 0.5 },
  { status: 500, weight: 0.8 },
  { status: 503, weight: 0.2 },
];

/** Addresses of the ranges for documentation (RFC 5737, RFC 3849). */
export const address = (random: Random): string => {
  if (random.chance(0.15))
    return `2001:db8:${random.integer(1, 65_535).toString(16)}::${random.integer(1, 65_535).toString(16)}`;
  const net = random.pick(['192.0.2', '198.51.100', '203.0.113']);
  return `${net}.${random.integer(1, 254)}`;
};

/** Log-normal: most are fast, a few very slow. */
export const milliseconds = (random: Random, median: number): number =>
  Math.round(median * Math.exp(0.8 * random.normal()) * 100) / 100;
