/** The prompt for a password, on a terminal that is only a stream: what it asks, what it shows, and what it takes. */
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readPassword, type Terminal } from '../../../src/cli/password-input.js';
import { until } from '../../support/until.js';

const PASSWORD = 'correct horse é';
const ENTER = '\r';
const CTRL_C = '\u0003';

let stdin: PassThrough & { isTTY: boolean };
let shown: string;
let terminal: Terminal;

beforeEach(() => {
  stdin = Object.assign(new PassThrough(), { isTTY: true });
  shown = '';
  terminal = {
    stdin,
    stderr: {
      write: (text) => {
        shown += text;
      },
    },
  };
});
afterEach(() => {
  stdin.destroy();
});

/** Types once the prompt stands there. */
const answer = async (prompt: string, keys: string): Promise<void> => {
  await until(
    async () => shown,
    (text) => text.endsWith(prompt),
  );
  stdin.write(keys);
};

describe('a password', () => {
  it('is asked for twice, and nothing of it is shown', async () => {
    const read = readPassword({ fromStdin: false }, terminal);
    await answer('Password: ', `${PASSWORD}${ENTER}`);
    await answer('Again:    ', `${PASSWORD}${ENTER}`);
    expect(await read).toBe(PASSWORD);
    expect(shown).toBe('Password: \nAgain:    \n');
  });

  it('may be corrected while it is typed', async () => {
    const read = readPassword({ fromStdin: false }, terminal);
    await answer('Password: ', `${PASSWORD}x\u007f${ENTER}`);
    await answer('Again:    ', `${PASSWORD}${ENTER}`);
    expect(await read).toBe(PASSWORD);
  });

  it('is refused where it is another the second time', async () => {
    const read = readPassword({ fromStdin: false }, terminal);
    const refused = expect(read).rejects.toThrow('the two passwords differ');
    await answer('Password: ', `${PASSWORD}${ENTER}`);
    await answer('Again:    ', `another${ENTER}`);
    await refused;
  });

  it.each([
    ['Password: ', ''],
    ['Again:    ', `${PASSWORD}${ENTER}`],
  ])('is none after Ctrl-C at “%s”', async (prompt, before) => {
    const read = readPassword({ fromStdin: false }, terminal);
    const refused = expect(read).rejects.toThrow('nothing was done');
    if (before !== '') await answer('Password: ', before);
    await answer(prompt, `half of it${CTRL_C}`);
    await refused;
    expect(shown).not.toContain('half');
  });

  it('is not asked for where there is no terminal', async () => {
    stdin.isTTY = false;
    await expect(readPassword({ fromStdin: false }, terminal)).rejects.toThrow('--password-stdin');
    expect(shown).toBe('');
  });

  it('is the first line of stdin where that is said, and there has to be one', async () => {
    stdin.isTTY = false;
    stdin.end(`${PASSWORD}\nand more\n`);
    expect(await readPassword({ fromStdin: true }, terminal)).toBe(PASSWORD);
    const empty = Object.assign(new PassThrough(), { isTTY: false });
    empty.end();
    await expect(readPassword({ fromStdin: true }, { ...terminal, stdin: empty })).rejects.toThrow(
      'stdin has no password',
    );
  });
});
