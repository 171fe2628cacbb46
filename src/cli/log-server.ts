/** Requests of commands to the log endpoints of a running server, with an access token. */
import type { Command } from 'commander';
import { CliError } from './refusals.js';

export interface LogServerOptions {
  readonly redact?: boolean;
  readonly server?: string;
  readonly token?: string;
}

export const logServerOptions = (command: Command): Command =>
  command
    .option('--redact', 'redact IP addresses')
    .option('--server <url>', 'the server (default: this machine, at PORT)')
    .option('--token <token>', 'an access token of scope query (default: the variable PODIUM_TOKEN)');

/** Parameters that are undefined are left out. Throws CliError when there is no token. */
export const logRequest = async (
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
  { redact, server, token = process.env.PODIUM_TOKEN }: LogServerOptions,
): Promise<{ readonly url: URL; readonly headers: Readonly<Record<string, string>> }> => {
  if (!token) throw new CliError('give an access token with --token or in PODIUM_TOKEN');
  const url = new URL(path, server ?? (await ownServer()));
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  const redaction = redact === true ? { 'svc-endpoint-redact-pii': 'true' } : {};
  return { url, headers: { ...redaction, 'x-api-key': token } };
};

const ownServer = async (): Promise<string> => {
  const { loadConfig } = await import('../foundation/config.js');
  return `http://127.0.0.1:${loadConfig(process.env).port}`;
};

export const sayLost = (lost: string | null): void => {
  if (lost !== null) console.error(`the connection was lost (${lost}), and is made again`);
};

/** Aborts with Ctrl-C, and when the next command of a pipe has enough. */
export const untilStopped = (): AbortSignal => {
  const ending = new AbortController();
  const stop = (): void => ending.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  process.stdout.once('error', stop);
  return ending.signal;
};
