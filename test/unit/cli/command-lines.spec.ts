/** The command lines that help texts and documents show are lines that the grammar takes. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from '../../../src/cli/program.js';
import { exitStatusOf } from '../../../src/cli/refusals.js';
import type { Wiring } from '../../../src/cli/wiring.js';

/** No line gets as far as its action, so nothing of the wiring is used. */
const newProgram = (): Command => createProgram({} as Wiring);

const allOf = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(allOf)];
const leavesOf = (program: Command): readonly Command[] =>
  allOf(program).filter(({ commands }) => commands.length === 0);

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

const helpOf = (command: Command): string => {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
};

const examplesOf = (command: Command): string => helpOf(command).split(/\nExamples?:\n/)[1] ?? '';

/** The words after each `podium`, as a shell reads them, up to a pipe, a comment or the end of a substitution. */
const linesIn = (text: string): readonly (readonly string[])[] =>
  text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => line.split(/(?:^|[\s(])(?<!: )(?:podium|npm run -s podium --) (?=[a-z-])/).slice(1))
    .map((rest) => {
      const words: string[] = [];
      for (const [word] of rest.matchAll(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g)) {
        if (/^([|#>]|&&|<\/)/.test(word)) break;
        const bare = word.replace(/\\(.)/g, '$1').replace(/["']/g, '');
        words.push(/[)`]$/.test(bare) && !bare.includes('(') ? bare.slice(0, -1) : bare);
        if (/[)`]$/.test(bare) && !bare.includes('(')) break;
      }
      return words;
    });

/** What `podium` says of the line on each output, and the status that it ends with; no action runs. */
const runOf = async (words: readonly string[]) => {
  const program = newProgram();
  const said = { out: '', err: '' };
  for (const command of allOf(program))
    command.configureOutput({
      writeErr: (part) => (said.err += part),
      writeOut: (part) => (said.out += part),
    });
  for (const leaf of leavesOf(program)) leaf.action(() => {});
  const status = await program.parseAsync([...words], { from: 'user' }).then(() => null, exitStatusOf);
  return { ...said, status };
};

/** Returns what the grammar has against the line; null when it takes it. */
const faultOf = async (words: readonly string[]): Promise<string | null> => {
  const { err, status } = await runOf(words);
  return status === null ? null : (err.split('\n')[0] ?? '');
};

describe('a line', () => {
  it.each([
    [['nonsense']],
    [['contest']],
    [['contest', 'create', 'X']],
    [['contest', 'open-round', 'X', '333', 'first']],
    [['contest', 'create', 'X', '--name', 'X', '--start', '2026-02-30']],
    [['event', 'list', '--unknown']],
    [['import', 'examples', '--open', '--finish']],
    [['export', 'X', '--format', 'wcif', '--wcif-version', '3']],
    [['keys', 'issue', '--contest', 'X', '--device', 'Y', '--for', 'all']],
  ])('that is wrong ends with 2: %j', async (words) => {
    expect(await runOf(words)).toEqual({ status: 2, out: '', err: expect.stringMatching(/./) });
  });

  it.each([
    [['--help']],
    [['contest', 'plan-round', '--help']],
    [['keys', 'issue', '--help']],
    [['import', '--help']],
    [['backup', '--help']],
  ])('that asks for help ends with 0 and examples: %j', async (words) => {
    const help = expect.stringMatching(/Usage: podium.*Examples?:/s);
    expect(await runOf(words)).toEqual({ status: 0, out: help, err: '' });
  });
});

describe('help', () => {
  it.each(leavesOf(newProgram()).map((leaf) => [pathOf(leaf), leaf] as const))(
    'of %s has an example, and each is a line that it takes',
    async (_, leaf) => {
      const lines = linesIn(examplesOf(leaf));
      expect(lines).not.toEqual([]);
      for (const words of lines) expect([words, await faultOf(words)]).toEqual([words, null]);
    },
  );
});

describe('documents', () => {
  const files = [
    'README.md',
    ...readdirSync('docs')
      .filter((name) => name.endsWith('.md'))
      .map((n) => `docs/${n}`),
  ];

  it.each(files)('%s shows lines that the grammar takes', async (file) => {
    const code = readFileSync(file, 'utf8')
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => /^ {4,}(?!dc |docker )/.test(line)) // there `podium` is also a container and an image
      .map((line) => line.trim().replace(/ {2,}[^-\s].*$/, '')) // what the line does, in a column of its own
      .join('\n');
    for (const words of linesIn(code)) expect([words, await faultOf(words)]).toEqual([words, null]);
  });
});
