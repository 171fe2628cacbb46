/** A data folder full of made-up logs with a token for them, made by the CLI as an operator would. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/app/podium.js', import.meta.url));
const SEED = '1';

const podium = (dataDir, args) => {
  const env = { ...process.env, PODIUM_DATA: dataDir, PODIUM_SAMPLE: 'false', LOG_STORE_URL: '' };
  delete env.LOG_STORE_URL;
  return JSON.parse(
    execFileSync(process.execPath, [CLI, ...args, '--json'], { env, stdio: ['ignore', 'pipe', 'ignore'] }),
  );
};

/** A token that may do everything with logs. */
export const issueToken = (dataDir) =>
  podium(dataDir, ['tokens', 'issue', '--name', 'bench', '--scope', 'admin']).token;

/** `entries` over `days`; the busiest project first. */
export const makeLogWorld = (dataDir, { entries, days }) => {
  mkdirSync(dataDir, { recursive: true });
  const args = ['generate-logs', '--entries', String(entries), '--days', String(days), '--seed', SEED];
  const { projects } = podium(dataDir, args);
  return { dataDir, entries, projects, token: issueToken(dataDir) };
};
