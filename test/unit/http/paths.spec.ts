/** Whose business a path is, in every spelling that the router takes for it. */
import { describe, expect, it } from '@jest/globals';
import { isLogPath, isPrivatePath } from '../../../src/http/message/paths.js';

describe('a path', () => {
  it.each([
    '/api/moderation/users',
    '/api/club/moderation',
    '/api/session?x=1',
    '/dashboard',
    '/sign-in?to=/dashboard',
    '/api/%6doderation/users',
    '/api/club/moder%61tion/users',
    '/api/caf%C3%A9/moderation/users',
    '/api/sessio%6e',
    '/%64ashboard',
    'http://podium.example/api/session',
    'https://podium.example:3000/api/moderation/users?x=1',
    '/api/session#x',
  ])('%s is for signed-in users', (url) => {
    expect(isPrivatePath(url)).toBe(true);
  });

  it.each([
    '/api/logs',
    '/api/endpoints?x=1',
    '/api/endpoints/query/logs.all',
    '/api/%6cogs',
    '/%61pi/logs',
    '/api/logs#',
    'HTTP://x/api/logs',
    '/api/logs/logplex?source=auth_logs',
    '/v1/logs',
    '/loki/api/v1/push',
  ])('%s is of the logs', (url) => {
    expect(isLogPath(url)).toBe(true);
  });

  it.each([
    '/api/events',
    '/api/moderations',
    '/api/logs2',
    '/loki/api/v1/query',
    '/api/sessions',
    '/?to=/dashboard',
    '/api/%zzlogs',
    'http://api/session',
  ])('%s is public', (url) => {
    expect(isPrivatePath(url) || isLogPath(url)).toBe(false);
  });
});
