/** Files that the user names: what cannot be read or written is said in one line with the option and the path. */
import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readGiven } from '../../../src/cli/given-files.js';
import { Output } from '../../../src/cli/output.js';
import { writeResultFile } from '../../../src/cli/result-file.js';
import { type SmallDisk, smallDisk } from '../../support/small-disk.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podium-given-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('that cannot be read', async () => {
  const none = join(folder, 'none.sql');
  await expect(readGiven(none, '--query-file')).rejects.toThrow(
    new Error(`--query-file ${none} cannot be read: no such file or directory`),
  );
  await expect(readGiven(folder)).rejects.toThrow(
    new Error(`${folder} cannot be read: illegal operation on a directory`),
  );
});

it('that cannot be written', async () => {
  const out = new Output(false);
  const nowhere = join(folder, 'none', 'spring.csv');
  await expect(out.save('name\n', nowhere, { of: 'Spring' })).rejects.toThrow(
    new Error(`--out ${nowhere} cannot be written: no such file or directory`),
  );
  await expect(readFile(nowhere)).rejects.toThrow('ENOENT');
});

const wrote = (path: string, text: string): Promise<void> =>
  writeResultFile(path, (append) => append(Buffer.from(text)));

const NOBODY = 65_534;

/** Root may write everywhere. */
const withoutRoot = async (work: () => Promise<void>): Promise<void> => {
  const user = process.geteuid?.();
  if (user === 0) process.seteuid?.(NOBODY);
  await work().finally(() => user === 0 && process.seteuid?.(user));
};

describe('that has a result', () => {
  it('is replaced when the new one is whole, with its mode and its link', async () => {
    const [file, link] = [join(folder, 'whole.csv'), join(folder, 'link.csv')];
    await writeFile(file, 'before');
    await chmod(file, 0o600);
    await symlink(file, link);
    const cut = writeResultFile(link, async (append) => {
      await append(Buffer.from('half'));
      throw new Error('cut off');
    });
    await expect(cut).rejects.toThrow('cut off');
    expect(await readFile(file, 'utf8')).toBe('before');
    await wrote(link, 'after');
    expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual(['after', 0o600]);
    expect((await readdir(folder)).toSorted()).toEqual(['link.csv', 'whole.csv']);
  });

  it('may be a device, which is written as it is', async () => {
    await wrote('/dev/null', 'text');
    await expect(wrote('/dev/full', 'text')).rejects.toThrow('/dev/full cannot be written: no space left');
  });

  it('may be a pipe without a name, such as stdout or a substitution of the shell', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const pipe = await open(path, 'r+');
    await rm(path);
    await wrote(`/dev/fd/${pipe.fd}`, 'text');
    const { bytesRead, buffer } = await pipe.read(Buffer.alloc(10));
    await pipe.close();
    expect(buffer.toString('utf8', 0, bytesRead)).toBe('text');
  });

  it('is whole where two commands write it at once, and leaves another file alone', async () => {
    const file = join(folder, 'twice.csv');
    await writeFile(`${file}.part`, 'mine');
    await writeResultFile(file, async (append) => {
      await append(Buffer.from('of the '));
      await wrote(file, 'of the second, in between');
      await append(Buffer.from('first'));
    });
    expect(await readFile(file, 'utf8')).toBe('of the first');
    expect(await readFile(`${file}.part`, 'utf8')).toBe('mine');
  });

  it('is written where no other file can be made beside it, and not where it is protected', async () => {
    const [closed, open] = [join(folder, 'closed'), join(folder, 'open')];
    const [writable, guarded] = [join(closed, 'writable.csv'), join(open, 'guarded.csv')];
    for (const path of [closed, open]) await mkdir(path);
    for (const path of [writable, guarded]) await writeFile(path, 'before');
    const modes = new Map([
      [folder, 0o755],
      [closed, 0o555],
      [open, 0o777],
      [writable, 0o666],
      [guarded, 0o444],
    ]);
    for (const [path, mode] of modes) await chmod(path, mode);
    await withoutRoot(async () => {
      await wrote(writable, 'after');
      await expect(wrote(guarded, 'after')).rejects.toThrow(
        'guarded.csv cannot be written: permission denied',
      );
    });
    await chmod(closed, 0o755);
    expect(await Promise.all([writable, guarded].map((path) => readFile(path, 'utf8')))).toEqual([
      'after',
      'before',
    ]);
  });

  it('cannot be a folder', async () => {
    await expect(wrote(folder, 'text')).rejects.toThrow(
      'cannot be written: illegal operation on a directory',
    );
  });
});

const disk = await smallDisk(1, 'a result on a full disk');

const onFullDisk = ({ folder: full, fill, remove }: SmallDisk): void => {
  afterAll(remove);

  it('that has no room is as it was before', async () => {
    const file = join(full, 'spring.csv');
    await writeFile(file, 'before');
    await fill(8_192);
    const saved = new Output(false).save('x'.repeat(100_000), file, { of: 'Spring' });
    await expect(saved).rejects.toThrow(`--out ${file} cannot be written: no space left on device`);
    expect((await readFile(file, 'utf8')).slice(0, 10)).toBe('before');
    expect((await readdir(full)).toSorted()).toEqual(['ballast', 'spring.csv']);
  });
};

if (disk) onFullDisk(disk);
