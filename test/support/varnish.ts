/** Varnish in front of a server, with the configuration of deploy/varnish.vcl, on a port that the system picks. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe } from '@jest/globals';
import { Client } from './client.js';
import { engineUsed, notRunOn } from './engines.js';
import { until } from './until.js';

const VCL = fileURLToPath(new URL('../../deploy/varnish.vcl', import.meta.url));
const PROGRAM = process.env.PODIUM_TEST_VARNISHD ?? '/usr/sbin/varnishd';

const isInstalled = (): boolean => {
  if (existsSync(PROGRAM)) return true;
  const why = 'there is none; install varnish and varnish-modules, or name it in PODIUM_TEST_VARNISHD';
  notRunOn({ port: 'Shared cache', engine: 'Varnish', what: 'the tests of a shared cache', why });
  return false;
};

/** Skipped where there is no Varnish. */
export const describeOnVarnish = isInstalled() ? describe : describe.skip;

export interface Varnish {
  readonly url: string;
  /** Ends it with all that it keeps. */
  stop(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  restart(): Promise<void>;
}

/** `port`: where it listens; `backend`: the port of the server. */
export const startVarnish = async (port: number, backend: number): Promise<Varnish> => {
  const folder = await mkdtemp(join(tmpdir(), 'podium-varnish-'));
  const config = join(folder, 'podium.vcl');
  const vcl = (await readFile(VCL, 'utf8')).replace('.port = "3000"', `.port = "${backend}"`);
  await writeFile(config, vcl);
  const version = execFileSync(PROGRAM, ['-V'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  engineUsed({
    port: 'Shared cache',
    engine: 'Varnish',
    version: /varnish-([\d.]+)/.exec(version)?.[1] ?? '',
  });
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    const listen = ['-a', `127.0.0.1:${port}`, '-T', 'none', '-n', join(folder, 'work')];
    const options = ['-F', '-j', 'none', '-f', config, '-s', 'malloc,64m'];
    child = spawn(PROGRAM, [...listen, ...options], { stdio: 'ignore' });
    const client = new Client(url);
    await until(
      () =>
        client.get('/api/healthcheck').then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status === 200,
    );
    client.close();
  };
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  await start();
  return {
    url,
    restart: async () => {
      await stop();
      await start();
    },
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
