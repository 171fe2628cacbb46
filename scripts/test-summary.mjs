/** Sums up the parts of a test run: the reports of jest, and checks that have only an exit status. */

import { stripVTControlCharacters } from 'node:util';

/** Ordered by duration: the fast ones fail first. */
export const KINDS = ['unit', 'property', 'contract', 'e2e', 'fault', 'timing'];

/** Returns the projects of which the arguments name a file or folder; all without such an argument. */
export const kindsFor = (args) => {
  const named = KINDS.filter((kind) => args.some((arg) => arg.includes(`test/${kind}`)));
  return named.length > 0 ? named : KINDS;
};

/**
 * `report` is the JSON of jest, null for a part without one. A failure without a failed test (a suite that does
 * not load, a check, jest itself) counts as one.
 */
export const summarise = (name, report, status) => {
  if (report === null) {
    return status === 0
      ? { passed: 1, failed: 0, skipped: 0, notRun: [], failures: [] }
      : { passed: 0, failed: 1, skipped: 0, notRun: [], failures: [`${name} (exit status ${status})`] };
  }
  const tests = report.testResults.flatMap((suite) => suite.assertionResults);
  const withStatus = (...wanted) => tests.filter((test) => wanted.includes(test.status));
  const broken = report.testResults.filter(
    (suite) => suite.status === 'failed' && !suite.assertionResults.some((test) => test.status === 'failed'),
  );
  const failures = [
    ...withStatus('failed').map((test) => withReason(test.fullName, test.failureMessages?.[0])),
    ...broken.map((suite) => withReason(suite.name, suite.message)),
  ];
  if (failures.length === 0 && status !== 0) failures.push(`${name} (exit status ${status})`);
  const notRun = withStatus('pending', 'todo', 'disabled').map((test) => test.fullName);
  return {
    passed: withStatus('passed').length,
    failed: failures.length,
    skipped: notRun.length,
    notRun,
    failures,
  };
};

const MAX_REASON_LINES = 20;

/** With the first lines of what jest says of a failure, so that the end of a long log tells what went wrong. */
const withReason = (name, message = '') => {
  const lines = stripVTControlCharacters(message).split('\n').filter(Boolean).slice(0, MAX_REASON_LINES);
  return [name, ...lines.map((line) => `    ${line}`)].join('\n');
};

export const summaryLine = (parts) => {
  const sum = (column) => parts.reduce((total, part) => total + part[column], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`;
};

/**
 * Turns the lines of test/support/engines.ts, one JSON object each, into lines to print: each engine that was
 * used, then what did not run on one and why. Test files run in parallel and repeat lines.
 */
export const engineLines = (text) => {
  const entries = [...new Set(text.split('\n').filter(Boolean))].map((line) => JSON.parse(line));
  const used = entries
    .filter(({ kind }) => kind === 'used')
    .map(({ port, engine, version }) => `${port} on ${engine} ${version}`);
  const notRun = entries
    .filter(({ kind }) => kind === 'not run')
    .map(({ port, engine, what, why }) => `${port} on ${engine}: ${what} did not run: ${why}`);
  return { used: used.sort(), notRun: notRun.sort() };
};
