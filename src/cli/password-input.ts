/**
 * Reads a password: twice from the terminal without echo, or as one line from stdin. Never from an argument,
 * because process lists and the shell history show arguments.
 */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CliError } from './refusals.js';

/** The streams that a password is read from and prompted on. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stderr: { write(text: string): unknown };
}

/** Returns the password. Throws CliError when there is no terminal, or when the two entries differ. */
export const readPassword = async (
  { fromStdin }: { readonly fromStdin: boolean },
  terminal: Terminal = process,
): Promise<string> => {
  if (fromStdin) return firstLine(terminal);
  if (!terminal.stdin.isTTY) throw new CliError('there is no terminal for a prompt: use --password-stdin');
  const password = await prompt('Password: ', terminal);
  if ((await prompt('Again:    ', terminal)) !== password) throw new CliError('the two passwords differ');
  return password;
};

const firstLine = async ({ stdin }: Terminal): Promise<string> => {
  const lines = createInterface({ input: stdin });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  throw new CliError('stdin has no password');
};

/** Input is not echoed: the terminal echoes through this output, which drops everything. */
const prompt = (question: string, { stdin, stderr }: Terminal): Promise<string> => {
  stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  return new Promise((resolve, reject) => {
    lines.once('SIGINT', () => {
      stderr.write('\n');
      reject(new CliError('nothing was done'));
      lines.close();
    });
    lines.question('', (answer) => {
      stderr.write('\n');
      resolve(answer);
      lines.close();
    });
  });
};
