/** Every failure has its problem document, and none tells of the inside. */

import { describe, expect, it } from '@jest/globals';
import { HttpException, NotFoundException } from '@nestjs/common';
import { REJECTION_KINDS, RejectedError } from '../../../src/domain/rejections.js';
import { CommandContentionError } from '../../../src/foundation/aggregates/aggregate.js';
import { EventStoreUnavailableError } from '../../../src/foundation/event-store/event-store.js';
import { ReadModelUnavailableError } from '../../../src/foundation/read-models/read-model-store.js';
import { failureOf, PROBLEM_STATUSES, problemOf } from '../../../src/http/problems/problems.js';

const typed = <T extends object>(code: T): T => code;

describe('failureOf', () => {
  it('gives each rejection the status of its kind, and knows its code', () => {
    const statuses = {
      invalid: 400,
      unauthenticated: 401,
      forbidden: 403,
      'not-found': 404,
      conflict: 409,
      precondition: 412,
      unprocessable: 422,
    };
    for (const [code, kind] of Object.entries(typed(REJECTION_KINDS))) {
      expect(PROBLEM_STATUSES.get(code)).toBe(statuses[kind]);
    }
    const error = new RejectedError({ code: 'cutoff-not-met', detail: 'no' });
    expect(problemOf(failureOf(error), 'id')).toEqual({
      type: '/api/docs/problems/cutoff-not-met',
      title: 'Cutoff not met',
      status: 422,
      detail: 'no',
      instance: 'id',
      errors: [],
    });
  });

  it('asks to come again when a store is down or a stream is contended', () => {
    for (const error of [
      new EventStoreUnavailableError('secret.sqlite'),
      new ReadModelUnavailableError('secret.sqlite'),
      new CommandContentionError('secret.sqlite'),
      Object.assign(new Error('secret.sqlite: database or disk is full'), { code: 'SQLITE_FULL' }),
    ]) {
      const failure = failureOf(error);
      expect(failure).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
      expect(JSON.stringify(failure)).not.toContain('secret');
    }
  });

  it.each([
    [403, 404, 'path-not-found'],
    [412, 412, 'precondition-failed'],
    [416, 416, 'range-not-satisfiable'],
  ])('takes the %i of the file server for a %i of the client', (given, status, code) => {
    expect(failureOf(new HttpException('no', given))).toMatchObject({ status, code });
    expect(PROBLEM_STATUSES.get(code)).toBe(status);
  });

  it.each([
    new Error('secret'),
    'secret',
    null,
    Object.assign(new Error('secret'), { statusCode: 500 }),
    Object.assign(new Error('secret'), { statusCode: 418 }),
  ])('is silent about what is not foreseen (%s)', (error) => {
    const failure = failureOf(error);
    expect(failure).toMatchObject({ status: 500, code: 'internal-error' });
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  it('passes on what the frameworks refuse', () => {
    expect(failureOf(new NotFoundException())).toMatchObject({ status: 404, code: 'path-not-found' });
    const large = Object.assign(new Error('Request body is too large'), { statusCode: 413 });
    expect(failureOf(large)).toMatchObject({ status: 413, code: 'body-too-large' });
  });
});
