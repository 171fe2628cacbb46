/**
 * Every refusal of result entry over real HTTP, and their order: a request with several faults is answered for the
 * first of them, in the order shape, key, contest, key of another contest, event, round, person, rules.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST } from '../../support/api-world.js';

let api: Api;
let requests = 0;

beforeAll(async () => {
  api = await startApi({ PODIUM_TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => api.close());

/** `slot`: two faults of one slot cannot be in one request. */
interface Fault {
  readonly name: string;
  readonly rank: number;
  readonly slot: string;
  readonly status: number;
  readonly code: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly key?: () => string | null;
  /** The path of the field that the problem names. */
  readonly field?: string;
}

const LARGEST = 999_999_999_999_999;

const FAULTS: readonly Fault[] = [
  ...[
    { name: 'attemptNumber of 0', slot: 'attempt', body: { attemptNumber: 0 }, field: 'attemptNumber' },
    { name: 'attemptNumber as text', slot: 'attempt', body: { attemptNumber: '1' }, field: 'attemptNumber' },
    { name: 'a fraction', slot: 'value', body: { attemptResult: 1.5 }, field: 'attemptResult' },
    { name: 'no value', slot: 'value', body: { attemptResult: undefined }, field: 'attemptResult' },
    { name: 'roundNumber of 0', slot: 'round', body: { roundNumber: 0 }, field: 'roundNumber' },
    { name: 'no event', slot: 'event', body: { eventId: undefined }, field: 'eventId' },
    { name: 'no contest', slot: 'contest', body: { competitionId: undefined }, field: 'competitionId' },
    {
      name: 'both selectors',
      slot: 'person',
      body: { personId: 1, assocId: '2016ADAA01' },
      field: 'personId',
    },
    { name: 'no selector', slot: 'person', body: { personId: undefined }, field: 'personId' },
    { name: 'personId as words', slot: 'person', body: { personId: 'Ada' }, field: 'personId' },
    { name: 'spaceId as number', slot: 'space', body: { spaceId: 5 }, field: 'spaceId' },
  ].map((fault) => ({ ...fault, rank: 0, status: 400, code: 'invalid-request' })),
  { name: 'no key', rank: 1, slot: 'key', status: 401, code: 'key-missing', key: () => null },
  { name: 'a made-up key', rank: 1, slot: 'key', status: 401, code: 'key-unknown', key: () => 'podium_nope' },
  {
    name: 'a revoked key',
    rank: 1,
    slot: 'key',
    status: 401,
    code: 'key-revoked',
    key: () => api.world.keys.revoked,
  },
  {
    name: 'a finished one',
    rank: 1,
    slot: 'key',
    status: 401,
    code: 'key-ended',
    key: () => api.world.keys.ended,
  },
  {
    name: 'a deleted one',
    rank: 1,
    slot: 'key',
    status: 401,
    code: 'key-ended',
    key: () => api.world.keys.deleted,
  },
  ...[
    { name: 'unknown space', slot: 'space', code: 'space-not-found', body: { spaceId: 'nowhere' } },
    { name: 'no slug', slot: 'space', code: 'space-not-found', body: { spaceId: 'No/Slug' } },
    {
      name: 'unknown contest',
      slot: 'contest',
      code: 'contest-not-found',
      body: { competitionId: 'Nope2026' },
    },
    { name: 'odd contest id', slot: 'contest', code: 'contest-not-found', body: { competitionId: 'a/b' } },
    { name: 'draft', slot: 'contest', code: 'contest-not-found', body: { competitionId: 'Draft2026' } },
    { name: 'deleted', slot: 'contest', code: 'contest-not-found', body: { competitionId: 'Gone2025' } },
  ].map((fault) => ({ ...fault, rank: 2, status: 404 })),
  {
    name: 'a key of another contest',
    rank: 3,
    slot: 'key',
    status: 401,
    code: 'key-of-another-contest',
    key: () => api.world.keys.other,
  },
  {
    name: 'unknown event',
    rank: 4,
    slot: 'event',
    status: 404,
    code: 'event-not-found',
    body: { eventId: 'nope' },
  },
  {
    name: 'unknown round',
    rank: 5,
    slot: 'round',
    status: 404,
    code: 'round-not-found',
    body: { roundNumber: 9 },
  },
  {
    name: 'unknown person',
    rank: 6,
    slot: 'person',
    status: 404,
    code: 'person-not-found',
    body: { personId: 99_999 },
  },
  {
    name: 'unknown assocId',
    rank: 6,
    slot: 'person',
    status: 404,
    code: 'person-not-found',
    body: { personId: undefined, assocId: '2099NONE01' },
  },
  ...[
    { name: 'closed round', slot: 'round', code: 'round-not-open', body: { roundNumber: 2 } },
    {
      name: 'sixth attempt',
      slot: 'attempt',
      code: 'attempt-number-above-format',
      body: { attemptNumber: 6 },
    },
    { name: 'below DNS', slot: 'value', code: 'attempt-value', body: { attemptResult: -3 } },
    { name: 'above the largest', slot: 'value', code: 'attempt-value', body: { attemptResult: LARGEST + 1 } },
    { name: 'at the limit', slot: 'value', code: 'time-limit-exceeded', body: { attemptResult: 60_000 } },
  ].map((fault) => ({ ...fault, rank: 7, status: 422 })),
];

const send = (faults: readonly Fault[]) => {
  const { personIds, keys } = api.world;
  const body = {
    competitionId: CONTEST,
    eventId: '333',
    roundNumber: 1,
    personId: personIds[0],
    attemptNumber: 1,
    attemptResult: 1_888,
    ...Object.assign({}, ...faults.map((fault) => fault.body ?? {})),
  };
  const chosen = faults.find((fault) => fault.key !== undefined)?.key;
  const key = chosen ? chosen() : keys.good;
  // Each comes from an address of its own: none is slowed down for the bad keys of others.
  const address = { 'x-forwarded-for': `10.0.${++requests >> 8}.${requests & 255}` };
  return api.client.post(
    '/api/enter-attempt',
    body,
    key === null ? address : { ...address, 'x-api-key': key },
  );
};

describe('result entry refuses', () => {
  it.each(FAULTS)('$name: $status $code', async (fault) => {
    const { status, headers, json } = await send([fault]);
    expect({ status, type: headers['content-type'] }).toEqual({
      status: fault.status,
      type: 'application/problem+json; charset=utf-8',
    });
    expect(json).toMatchObject({
      type: `/api/docs/problems/${fault.code}`,
      status: fault.status,
      instance: headers['x-request-id'],
      ...(fault.field !== undefined && { errors: [expect.objectContaining({ field: fault.field })] }),
    });
  });

  it('answers for the first of any two faults', async () => {
    const pairs = FAULTS.flatMap((first) =>
      FAULTS.filter(({ rank, slot }) => rank > first.rank && slot !== first.slot).map(
        (second) => [first, second] as const,
      ),
    );
    const wrong: string[] = [];
    for (const [first, second] of pairs) {
      const { status, json } = await send([second, first]);
      const told = JSON.stringify(json);
      if (status !== first.status || !told.includes(`/${first.code}"`)) {
        wrong.push(`${first.name} and ${second.name}: ${told}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  describe('a request with faulty rows of several kinds', () => {
    const row = (personId: unknown, ...values: readonly unknown[]): object => ({
      personId,
      attempts: values.map((result) => ({ result })),
    });
    const post = async (
      results: readonly unknown[],
      {
        key = api.world.keys.good,
        ...body
      }: { readonly key?: string } & Readonly<Record<string, unknown>> = {},
    ) => {
      const whole = { competitionId: CONTEST, eventId: '333', roundNumber: 1, results, ...body };
      const headers = { 'x-forwarded-for': `10.1.0.${++requests % 256}`, 'x-api-key': key };
      const { status, json } = await api.client.post('/api/enter-results', whole, headers);
      const errors: readonly { field: string; rule: string }[] = Object(json).errors;
      return { status, rows: errors.map(({ field, rule }) => `${field} ${rule}`) };
    };
    const good = () => row(api.world.personIds[0], 900);
    const unknown = row(99_999, 900);
    const slow = () => row(api.world.personIds[1], 900, 60_000);
    const shapeless = row('Ada', 900);

    it('names every row, with the status of the first kind that is there', async () => {
      expect(await post([slow(), good(), unknown, shapeless, 7])).toEqual({
        status: 400,
        rows: [
          'results[0].attempts[1].result time-limit-exceeded',
          'results[2].personId person-not-found',
          'results[3].personId personIds',
          'results[4] nestedValidation',
        ],
      });
      expect(await post([slow(), good(), unknown])).toEqual({
        status: 404,
        rows: ['results[0].attempts[1].result time-limit-exceeded', 'results[2].personId person-not-found'],
      });
      expect(await post([good(), shapeless])).toEqual({
        status: 400,
        rows: ['results[1].personId personIds'],
      });
      expect(await post([shapeless, unknown])).toMatchObject({ status: 400, rows: { length: 2 } });
    });

    it('names the rows of a wrong shape alone where the rest cannot be judged', async () => {
      const alone = { status: 400, rows: ['results[1].personId personIds'] };
      const rows = [unknown, shapeless, slow()];
      for (const other of [
        { key: '' },
        { key: 'podium_nope' },
        { key: api.world.keys.revoked },
        { key: api.world.keys.ended },
        { key: api.world.keys.other },
        { key: api.world.keys.list },
        { competitionId: 'Nope2026' },
        { eventId: 'nope' },
        { roundNumber: 9 },
      ])
        expect([other, await post(rows, other)]).toEqual([other, alone]);
      expect(await post(rows, { roundNumber: 0 })).toEqual({
        status: 400,
        rows: [...alone.rows, 'roundNumber count'],
      });
    });

    it('names each of hundreds of rows', async () => {
      const many = Array.from({ length: 600 }, (_, index) => (index % 2 === 0 ? shapeless : unknown));
      const { status, rows } = await post(many);
      expect([status, rows.length]).toEqual([400, 600]);
      expect(rows[599]).toBe('results[599].personId person-not-found');
    });
  });

  it('and nothing of it was written', async () => {
    const { json } = await api.client.after(api.token, `/api/competitions/${CONTEST}`);
    expect(json).toMatchObject({ participants: 0 });
  });
});
