/**
 * One project a kind of test, so that they can be run apart and in the order of their time. Threads and servers under
 * test run the built code in dist/, which `npm test` makes first.
 */
const project = (name) => ({
  displayName: name,
  testEnvironment: 'node',
  roots: [`<rootDir>/test/${name}`],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': '@swc/jest' },
  injectGlobals: false,
  // A rejection that a test handles as its last step is handled.
  waitForUnhandledRejections: true,
});

/** @type {import('jest').Config} */
export default {
  projects: ['unit', 'property', 'contract', 'e2e', 'fault', 'timing'].map(project),
  testSequencer: './test/support/longest-first.mjs',
  // Ends a test that hangs, and no other: however slow the machine, a test waits for what it wants to see.
  testTimeout: 300_000,
};
