/**
 * Where a command gets a password from: asked twice on the terminal, without showing it, or read as one line from stdin.
 * Never from an argument, which the list of processes and the history of the shell would show.
 */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CliError } from './refusals.js';

/** What a password is read from, and where it is asked for. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stderr: { write(text: string): unknown };
}

/** Throws CliError. */
export const readPassword = async (
  { fromStdin }: { readonly fromStdin: boolean },
  terminal: Terminal = process,
): Promise<string> => {
  if (fromStdin) return firstLine(terminal);
  if (!terminal.stdin.isTTY)
    throw new CliError('there is no terminal to ask on: give the password with --password-stdin');
  const password = await prompt('Password: ', terminal);
  if ((await prompt('Again:    ', terminal)) !== password)
    throw new CliError('these are two different passwords');
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

/** What is typed is not echoed: the terminal's echo goes through the output, which takes nothing after the question. */
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
