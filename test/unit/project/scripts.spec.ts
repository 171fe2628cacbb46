/** The pure parts of `npm start` and `npm test`: what they ask for, when they work again, and how they sum up. */
import { describe, expect, it } from '@jest/globals';
import {
  buildFingerprint,
  compilerAdvice,
  installFingerprint,
  nodeRefusal,
  sqlitePackage,
} from '../../../scripts/prepare.mjs';
import { engineLines, kindsFor, summarise, summaryLine } from '../../../scripts/test-summary.mjs';
import { SQLITE_PACKAGE } from '../../../src/engines/sqlite/sqlite.js';

describe('the version of Node', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '26.1.0'])('%s will do', (version) => {
    expect(nodeRefusal(version)).toBeNull();
  });
  it.each(['18.20.4', '20.18.3', '16.0.0'])('%s is refused in one line that names both', (version) => {
    expect(nodeRefusal(version)).toMatch(
      new RegExp(`^Podium needs Node 20\\.19 or newer; this is ${version}\\..*$`),
    );
  });
});

describe('when the packages are installed again', () => {
  const node = { abi: '115', platform: 'linux', arch: 'x64' };
  it('is when the lock file or the Node changed', () => {
    const installed = installFingerprint('lock', node);
    expect(installFingerprint('lock', { ...node })).toBe(installed);
    expect(installFingerprint('lock 2', node)).not.toBe(installed);
    expect(installFingerprint('lock', { ...node, abi: '127' })).not.toBe(installed);
  });
});

describe('when the sources are built again', () => {
  it('is when a file was written, added or removed, whatever the order they are listed in', () => {
    const built = buildFingerprint([
      ['src/a.ts', 10, 1],
      ['src/b.ts', 20, 2],
    ]);
    expect(
      buildFingerprint([
        ['src/b.ts', 20, 2],
        ['src/a.ts', 10, 1],
      ]),
    ).toBe(built);
    expect(buildFingerprint([['src/a.ts', 10, 1]])).not.toBe(built);
    expect(
      buildFingerprint([
        ['src/a.ts', 10, 3],
        ['src/b.ts', 20, 2],
      ]),
    ).not.toBe(built);
  });
});

describe('which better-sqlite3 is made ready', () => {
  it('is 12 for Node 20, and 13 from Node 22.14 on', () => {
    expect(['9', '10', '12'].map(sqlitePackage)).toEqual([
      'better-sqlite3',
      'better-sqlite3-napi',
      'better-sqlite3-napi',
    ]);
  });

  it('is the one that is loaded', () => {
    expect(sqlitePackage(process.versions.napi ?? '')).toBe(SQLITE_PACKAGE);
  });
});

describe('where better-sqlite3 cannot be had', () => {
  it.each([
    ['linux', 'apt', 'apt-get install -y python3 make g++'],
    ['linux', 'apk', 'apk add python3 make g++'],
    ['linux', undefined, 'apt-get install -y python3 make g++'],
    ['darwin', undefined, 'xcode-select --install'],
    ['win32', undefined, 'Visual Studio Build Tools'],
  ])('on %s with %s one line says: %s', (platform, packageManager, expected) => {
    const advice = compilerAdvice({ platform, packageManager, lacking: ['g++'], log: '/tmp/log' });
    expect(advice).toContain(expected);
    expect(advice).not.toContain('\n');
  });

  it('does not ask for a compiler that is there', () => {
    const advice = compilerAdvice({ platform: 'linux', packageManager: 'apt', lacking: [], log: '/tmp/log' });
    expect(advice).toContain('/tmp/log');
    expect(advice).not.toContain('apt-get');
  });
});

describe('the sum of a test run', () => {
  const suite = (name: string, ...statuses: string[]) => ({
    name,
    status: statuses.includes('failed') ? 'failed' : 'passed',
    assertionResults: statuses.map((status, index) => ({ fullName: `${name} ${index}`, status })),
  });

  it('adds up tests of all parts, and names what failed and what could not run', () => {
    const unit = summarise(
      'unit',
      { testResults: [suite('a', 'passed', 'passed'), suite('b', 'pending')] },
      0,
    );
    const e2e = summarise('e2e', { testResults: [suite('c', 'failed', 'passed')] }, 1);
    expect(unit.notRun).toEqual(['b 0']);
    expect(e2e.failures).toEqual(['c 0']);
    expect(summaryLine([unit, e2e])).toBe('3 passed, 1 failed, 1 skipped');
  });

  it.each([
    ['a check', null, 2],
    [
      'a suite that does not load',
      { testResults: [{ name: 'x', status: 'failed', assertionResults: [] }] },
      1,
    ],
    ['jest itself', { testResults: [suite('a', 'passed')] }, 1],
  ])('counts a failure of %s', (_, report, status) => {
    expect(summarise('part', report, status).failed).toBe(1);
  });

  it('gives the first lines of what went wrong, without colours', () => {
    const failed = {
      ...suite('a', 'failed'),
      assertionResults: [
        {
          fullName: 'a 0',
          status: 'failed',
          failureMessages: [`\u001b[31mexpected 1\u001b[39m\n\n${'  at x\n'.repeat(50)}`],
        },
      ],
    };
    const [failure = ''] = summarise('unit', { testResults: [failed] }, 1).failures;
    expect(failure).toMatch(/^a 0\n {4}expected 1\n {4} {2}at x\n/);
    expect(failure.split('\n')).toHaveLength(21);
  });

  it('runs only the kinds that the arguments name', () => {
    expect(kindsFor(['test/e2e/cli/cli.spec.ts', '-t', 'backup'])).toEqual(['e2e']);
    expect(kindsFor(['-t', 'backup'])).toEqual(['unit', 'property', 'contract', 'e2e', 'fault', 'timing']);
  });
});

describe('the engines of a test run', () => {
  it('are named once each, and so is what did not run on one', () => {
    const used = { kind: 'used', port: 'EventStore', engine: 'SQLite', version: '3.50' };
    const other = { ...used, port: 'OperationalStore' };
    const notRun = {
      kind: 'not run',
      port: 'EventStore',
      engine: 'EventStoreDB',
      what: 'the contract',
      why: 'none',
    };
    const text = [other, used, notRun, used].map((line) => `${JSON.stringify(line)}\n`).join('');
    expect(engineLines(text)).toEqual({
      used: ['EventStore on SQLite 3.50', 'OperationalStore on SQLite 3.50'],
      notRun: ['EventStore on EventStoreDB: the contract did not run: none'],
    });
    expect(engineLines('')).toEqual({ used: [], notRun: [] });
  });
});
