/** Settings of the sign-in: what they may be, and what refuses the start. */
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../src/foundation/config.js';

describe('PODIUM_ORIGIN', () => {
  it.each([
    ['https://results.example.org', 'https://results.example.org'],
    ['https://results.example.org:8443/', 'https://results.example.org:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['', undefined],
  ])('may be %s', (text, origin) => {
    expect(loadConfig({ PODIUM_ORIGIN: text }).origin?.origin).toBe(origin);
  });

  it.each([
    'results.example.org',
    'http://results.example.org',
    'https://192.0.2.1',
    'https://[2001:db8::1]',
    'https://results.example.org/podium',
    'https://results.example.org,https://other.example.org',
  ])('may not be %s', (text) => {
    expect(() => loadConfig({ PODIUM_ORIGIN: text })).toThrow(
      `PODIUM_ORIGIN is ${text}; it may be https://NAME`,
    );
  });
});

it('PODIUM_ADMIN_SECOND_FACTOR is true or false', () => {
  expect(loadConfig({}).adminsNeedSecondFactor).toBe(false);
  expect(loadConfig({ PODIUM_ADMIN_SECOND_FACTOR: 'true' }).adminsNeedSecondFactor).toBe(true);
  expect(() => loadConfig({ PODIUM_ADMIN_SECOND_FACTOR: 'yes' })).toThrow('it may be true or false');
});
