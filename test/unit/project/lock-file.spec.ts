/** `npm ci` must work on every platform from the lock file as it is committed. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { completed, type LockFile, missingFrom } from '../../../scripts/complete-lock.mjs';

const lock = (packages: LockFile['packages']): LockFile => ({ packages });

describe('package-lock.json', () => {
  it('holds every package for other platforms (else run scripts/complete-lock.mjs)', () => {
    const committed = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    expect(missingFrom(committed)).toEqual([]);
  });
});

describe('completing a lock file', () => {
  const incomplete = lock({
    'node_modules/tool': {
      version: '1.2.3',
      dev: true,
      optionalDependencies: {
        'tool-darwin-arm64': '1.2.3',
        'tool-linux-x64-gnu': '1.2.3',
        'tool-linux-x64-musl': '1.2.3',
      },
    },
    'node_modules/tool-linux-x64-gnu': { version: '1.2.3', dev: true, optional: true },
  });

  it('adds what is missing with its platform, and keeps what is there', () => {
    expect(completed(incomplete).packages).toEqual({
      ...incomplete.packages,
      'node_modules/tool-darwin-arm64': {
        version: '1.2.3',
        cpu: ['arm64'],
        dev: true,
        optional: true,
        os: ['darwin'],
      },
      'node_modules/tool-linux-x64-musl': {
        version: '1.2.3',
        cpu: ['x64'],
        dev: true,
        libc: ['musl'],
        optional: true,
        os: ['linux'],
      },
    });
  });

  it('has nothing to add the second time', () => {
    expect(missingFrom(completed(incomplete))).toEqual([]);
  });
});
