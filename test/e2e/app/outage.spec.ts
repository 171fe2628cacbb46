/** Another process holds the event store: commands fail with 503, reads go on, and all is well when it is back. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SqliteDatabase } from '../../../src/engines/sqlite/sqlite.js';
import { type Api, startApi } from '../../support/api.js';
import { until } from '../../support/until.js';

const COMMANDS = '/api/healthcheck?for=commands';

let api: Api;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const enter = (attemptResult: number) => api.enter({ personId: api.world.personIds[0], attemptResult });

describe('while the event store takes no appends', () => {
  it('entry is told to come again, reads are answered, and the same request goes in afterwards', async () => {
    expect((await enter(1_500)).status).toBe(201);
    const holder = new SqliteDatabase(join(api.server.dataDir, 'events.sqlite'));
    try {
      holder.exec('BEGIN IMMEDIATE');
      const refused = await enter(1_600);
      expect(refused).toMatchObject({
        status: 503,
        json: { type: '/api/docs/problems/unavailable', errors: [] },
      });
      expect(refused.headers['retry-after']).toBe('1');
      expect(refused.text).not.toContain('sqlite');
      expect((await api.client.get('/api/results/rankings/333/single/all')).status).toBe(200);
      const health = await until(
        () => api.client.get('/api/healthcheck'),
        ({ json }) => Object(Object(json).eventStore).status === 'read-only',
      );
      expect(health).toMatchObject({ status: 200, json: { status: 'degraded' } });
      expect((await api.client.get(COMMANDS)).status).toBe(503);
    } finally {
      holder.exec('ROLLBACK');
      holder.close();
    }
    // Clients send no command while this says no, so the server has to find out by itself.
    await until(
      () => api.client.get(COMMANDS),
      ({ status }) => status === 200,
    );
    const { status, headers, json } = await enter(1_600);
    expect({ status, json }).toMatchObject({ status: 201, json: { results: [{ best: 1_600 }] } });
    const read = await api.client.get('/api/results/rankings/333/single/all', {
      'podium-position': String(headers['podium-position']),
    });
    expect(read.json).toMatchObject([{ result: 1_600 }]);
  });
});
