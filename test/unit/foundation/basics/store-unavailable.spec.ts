/** A store that is away is told as such, whatever it is noticed by and in whichever thread. */
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { MongoConnection } from '../../../../src/engines/mongodb/mongo-connection.js';
import { RequestThread } from '../../../../src/foundation/basics/request-thread.js';
import { isOutage } from '../../../../src/foundation/basics/store-unavailable.js';
import { EventStoreUnavailableError } from '../../../../src/foundation/event-store/event-store.js';
import { ReadModelUnavailableError } from '../../../../src/foundation/read-models/read-model-store.js';

describe('an error of a store that is away', () => {
  it('is an outage under its own name', () => {
    const error = new EventStoreUnavailableError('gone', { cause: 'why' });
    expect([isOutage(error), error.name, error.cause]).toEqual([true, 'EventStoreUnavailableError', 'why']);
    expect(isOutage(new TypeError('x is not a function'))).toBe(false);
  });
});

describe('what MongoDB’s driver throws of a server that is away', () => {
  const connection = new MongoConnection('mongodb://127.0.0.1:1/', {
    database: 'podium',
    unavailable: (message, options) => new ReadModelUnavailableError(message, options),
  });
  afterAll(() => connection.close());

  const thrownFor = (error: unknown): Promise<unknown> =>
    connection.guarded(() => Promise.reject(error)).catch((thrown) => thrown);
  const withCode = (code: string): Error => Object.assign(new Error('as Node says it'), { code });

  it.each(['EPIPE', 'ECONNRESET', 'ENOTFOUND', 'ERR_STREAM_DESTROYED', 'ERR_SOCKET_CLOSED'])(
    'is an outage also where it is Node’s own %s',
    async (code) => expect(await thrownFor(withCode(code))).toBeInstanceOf(ReadModelUnavailableError),
  );

  it('is a mistake in the code where it is one', async () => {
    for (const mistake of [new TypeError('no'), withCode('ERR_INVALID_ARG_TYPE')])
      expect(await thrownFor(mistake)).toBe(mistake);
  });
});

describe('a thread that finds a store away', () => {
  let thread: RequestThread<string, string>;
  afterEach(() => thread.close());

  /** Answers with the kind that it is asked for. */
  const answering = `
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ id, request }) =>
      parentPort.postMessage({ id, kind: request, message: 'why', value: 'here' }));`;

  it('that cannot start for want of file handles is away as well, and may start later', async () => {
    let handles = 0;
    thread = new RequestThread(() => {
      handles += 1;
      if (handles > 1) return new Worker(answering, { eval: true });
      const fails = "throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })";
      return new Worker(fails, { eval: true });
    });
    const away = thread.request('value').catch((error) => error);
    await thread.start();
    expect(isOutage(await away)).toBe(true);
    expect(thread.isRunning).toBe(false);
    expect(await thread.request('value')).toBe('here');
  });

  it('is told apart from one that fails', async () => {
    thread = new RequestThread(() => new Worker(answering, { eval: true }));
    expect(await thread.request('value')).toBe('here');
    const away = await thread.request('unavailable').catch((error) => error);
    expect([isOutage(away), away.message]).toEqual([true, 'why']);
    expect(isOutage(await thread.request('failed').catch((error) => error))).toBe(false);
  });
});
