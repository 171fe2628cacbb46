/** An access token for a bench, issued as an operator does. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/app/podium.js', import.meta.url));

export const issueToken = (dataDir, scopes) => {
  const options = scopes.flatMap((scope) => ['--scope', scope]);
  const env = { ...process.env, PODIUM_DATA: dataDir, PODIUM_SAMPLE: 'false' };
  const answer = execFileSync(process.execPath, [CLI, 'tokens', 'issue', ...options, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(answer.toString()).token;
};
