/** What an account may do, from what stores of any version hold of it. */
import { expect, it } from '@jest/globals';
import { publicOf } from '../../../src/accounts/access-control.js';
import { storedAccount } from '../../support/accounts.js';

it.each([
  ['of an older version, with the logs', { readsLogs: true }, true],
  ['of an older version, without', { readsLogs: false }, false],
  ['with both rights', { readsLogs: true, managesTokens: true }, true],
  ['with the logs alone', { readsLogs: true, managesTokens: false }, false],
  ['with tokens and no logs', { readsLogs: false, managesTokens: true }, false],
])('an account %s manages tokens as it did', (_, rights, managesTokens) => {
  expect(publicOf(storedAccount(rights))).toMatchObject({ readsLogs: rights.readsLogs, managesTokens });
});
