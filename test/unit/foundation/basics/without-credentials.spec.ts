/** How messages show the URL of a store: with no part of a password, also of one that is not encoded as it should be. */
import { expect, it } from '@jest/globals';
import { withoutCredentials } from '../../../../src/foundation/basics/without-credentials.js';

it.each([
  ['mongodb://podium:secret@a,b/models?replicaSet=r', 'mongodb://a,b/models?replicaSet=r'],
  ['mongodb://a/models', 'mongodb://a/models'],
  ['esdb+discover://podium:secret@cluster?tls=true', 'esdb+discover://cluster?tls=true'],
  ['mongodb://podium:sec@ret@a/models', 'mongodb://a/models'],
  ['mongodb://podium:sec/ret@a/models', 'mongodb://…'],
  ['mongodb://podium:sec?ret@a/models', 'mongodb://…'],
  ['mongodb://podium:se@c/ret@a/models', 'mongodb://…'],
  ['sqlite:/home/ann@work/events.sqlite', 'sqlite:/home/ann@work/events.sqlite'],
])('%s is shown as %s', (url, shown) => {
  expect(withoutCredentials(url)).toBe(shown);
});
