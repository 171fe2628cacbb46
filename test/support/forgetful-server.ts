/** A server that keeps nothing in memory of what was read before, where a test says so: see forgetful-process.mjs. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from './client.js';
import { serverEnv } from './server.js';

export interface ForgetfulServer {
  readonly client: Client;
  /** Drops every copy of what was read before. */
  forget(): Promise<void>;
  stop(): Promise<void>;
}

const script = fileURLToPath(new URL('forgetful-process.mjs', import.meta.url));

export const startForgetfulServer = async (
  dataDir: string,
  env: Readonly<Record<string, string>>,
): Promise<ForgetfulServer> => {
  const child = fork(script, {
    env: serverEnv(dataDir, { PODIUM_LOG_LEVEL: 'silent', ...env }),
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const early = ended.then(([code]) => Promise.reject(new Error(`the server ended with ${code}`)));
  const [url] = await Promise.race([once(child, 'message'), early]);
  early.catch(() => undefined);
  const client = new Client(String(url));
  return {
    client,
    forget: async () => {
      const forgotten = once(child, 'message');
      child.send('forget');
      await forgotten;
    },
    stop: async () => {
      client.close();
      child.disconnect();
      await ended;
    },
  };
};
