/** The body of a Logplex drain as entries: the examples of its documentation, and bodies that are none. */
import { describe, expect, it } from '@jest/globals';
import { RejectedError } from '../../../../src/domain/rejections.js';
import type { LogplexForm } from '../../../../src/logs/ingest/log-body.js';
import { logplexEntries } from '../../../../src/logs/ingest/logplex-entries.js';

const FRAME = '09C557EAFCFB6CF2740EE62F62971098';
const FROM_ERLANG = '70 <174>1 2012-07-22T00:06:26+00:00 host erlang console - Hi from erlang\n';

const read = (body: string, form: Partial<LogplexForm> = {}) =>
  logplexEntries(Buffer.from(body), { count: null, frameId: null, ...form });

const framed = (message: string): string => `${Buffer.byteLength(message)} ${message}`;

const errorsOf = (body: string, form: Partial<LogplexForm> = {}): unknown => {
  try {
    return read(body, form);
  } catch (error) {
    return error instanceof RejectedError ? error.rejection : error;
  }
};

describe('a drain', () => {
  it('of ten messages, as the documentation has it, gives ten entries', () => {
    const entries = read(FROM_ERLANG.repeat(10), { count: 10, frameId: FRAME });
    expect(entries).toHaveLength(10);
    expect(new Set(entries.map(({ value }) => JSON.stringify(value)))).toHaveProperty('size', 10);
    expect(entries[9]).toEqual({
      place: 'messages[9]',
      value: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        timestamp: '2012-07-22T00:06:26+00:00',
        event_message: 'Hi from erlang',
        metadata: {
          level: 'info',
          facility: 'local5',
          host: 'host',
          app_name: 'erlang',
          proc_id: 'console',
        },
      },
    });
  });

  it('that is sent again has the same ids, and another has others', () => {
    const ids = (frameId: string) => read(FROM_ERLANG, { frameId }).map(({ value }) => value);
    expect(ids(FRAME)).toEqual(ids(FRAME));
    expect(ids(FRAME)).not.toEqual(ids('another'));
  });

  it('may have messages without line ends, and messages that have one inside', () => {
    const messages = [
      '<40>1 2012-11-30T06:45:26+00:00 heroku web.3 d.73ea7440-270a-435a-a0ea-adf50b4e5f5a - Starting process with command `bundle exec rackup config.ru -p 24405`',
      '<131>1 - - - - - žluťoučký\nkůň',
      '<0>1 2012-11-30T06:45:29.123456+00:00 host app web.1 id',
    ];
    expect(read(messages.map(framed).join('')).map(({ value }) => value)).toMatchObject([
      {
        id: null,
        event_message: 'Starting process with command `bundle exec rackup config.ru -p 24405`',
        metadata: { host: 'heroku', app_name: 'web.3', level: 'emergency', facility: 'syslog' },
      },
      {
        timestamp: null,
        event_message: 'žluťoučký\nkůň',
        metadata: { level: 'error', facility: 'local0' },
      },
      { event_message: '', metadata: { level: 'emergency', facility: 'kern', msg_id: 'id' } },
    ]);
  });

  it('of nothing gives none', () => {
    expect(read('', { count: 0 })).toEqual([]);
  });

  it.each<[string, string, Partial<LogplexForm>, string, string]>([
    ['no length', '<174>1 - - - - - a', {}, 'messages[0]', 'must begin with its length'],
    ['a length without end', '123456789 a', {}, 'messages[0]', 'must begin with its length'],
    ['less than its length', '700 <174>1 - - - - - a', {}, 'messages[0]', 'must have 700 bytes; 18 are left'],
    ['no syslog', `${FROM_ERLANG}5 hello`, {}, 'messages[1]', 'must be a syslog message'],
    ['a priority beyond all', framed('<192>1 - - - - - a'), {}, 'messages[0]', 'priority of 0 to 191'],
    ['fewer messages', FROM_ERLANG, { count: 2 }, 'Logplex-Msg-Count', 'says 2, but the body has 1'],
  ])('with %s is refused with its place', (_, body, form, field, says) => {
    expect(errorsOf(body, form)).toMatchObject({
      code: 'invalid-request',
      errors: [{ field, rule: 'logplex', message: expect.stringContaining(says) }],
    });
  });
});
