/**
 * Long specs begin first, so that none of them runs alone at the end. Jest knows their times from its last run here; in a fresh
 * clone it goes by the size of their files, which says nothing of these: they wait, or start many processes.
 */
import TestSequencer from '@jest/test-sequencer';

export const LONG = [
  'e2e/app/locked-files',
  'e2e/logs/tenants-apart',
  'e2e/app/damaged-read-models',
  'e2e/competition/large-entry',
  'e2e/logs/damaged-logs',
  'e2e/cli/copy-events',
  'e2e/app/accepted-losses',
  'e2e/app/shutdown-hanging',
  'e2e/logs/ways-out',
  'e2e/app/stalled-node',
  'e2e/http/slow-requests',
  'fault/kill',
  'fault/mongodb-away',
];

const isLong = ({ path }) => LONG.some((name) => path.replaceAll('\\', '/').endsWith(`/${name}.spec.ts`));

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isKnown = sorted.some(({ duration }) => duration !== undefined);
    return isKnown ? sorted : [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
