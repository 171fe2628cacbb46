/** The OpenAPI document and the routes say the same of every path: its methods, its authentication, which fields a body has. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readAttempt, readResults } from '../../../src/competition/rounds/entry-reader.js';
import { CheckedClient } from '../../support/openapi-check.js';
import { startServer, type TestServer } from '../../support/server.js';

interface Operation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly responses: Readonly<
    Record<string, { readonly headers?: object; readonly content?: Readonly<Record<string, unknown>> }>
  >;
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
    >;
  };
}

interface Documented {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

let server: TestServer;
let client: CheckedClient;
let documented: readonly Documented[];
let schemas: Readonly<
  Record<string, { readonly additionalProperties?: boolean; readonly required?: readonly string[] }>
>;

beforeAll(async () => {
  server = await startServer();
  client = await CheckedClient.connect(server.url);
  const { json } = await client.get('/api/docs/openapi.json');
  const { paths, components } = Object(json);
  schemas = components.schemas;
  documented = Object.entries<Record<string, Operation>>(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
});
afterAll(async () => {
  client.close();
  await server.stop();
  await server.remove();
});

const isPrivate = ({ path }: Documented): boolean => /\/(?:moderation|session)(?:\/|$)/.test(path);
const PASSKEY_SIGN_IN = ['/api/session/passkey', '/api/session/passkey/options'];
const urlOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '1');

const examplesOf = ({ operation }: Documented): readonly unknown[] =>
  Object.values(operation.requestBody?.content['application/json']?.examples ?? {}).map(({ value }) => value);

describe('result entry in the document', () => {
  it.each([
    ['enter-attempt', readAttempt],
    ['enter-results', readResults],
  ] as const)('has examples of %s that are read as they are', (name, read) => {
    const examples = documented.filter(({ path }) => path.endsWith(name)).flatMap(examplesOf);
    expect(examples).not.toEqual([]);
    for (const example of examples) expect(read(example).round).toMatchObject({ eventId: '333' });
  });
});

describe('each path of the document', () => {
  it('has the documented methods and tells them to clients that come with another, with a body or without', async () => {
    const paths = new Set(documented.map(({ path }) => path));
    expect(paths.size).toBeGreaterThan(70);
    for (const path of paths) {
      const known = documented.filter((each) => each.path === path).map(({ method }) => method);
      for (const body of [undefined, '{']) {
        const headers = body === undefined ? {} : { 'content-type': 'application/json' };
        const { status, headers: told } = await client.send(urlOf(path), {
          method: 'PROPFIND',
          headers,
          body,
        });
        expect({ path, status }).toEqual({ path, status: 405 });
        expect(told.allow?.split(', ')).toEqual(expect.arrayContaining([...known, 'OPTIONS']));
      }
      const { status, headers } = await client.send(urlOf(path), { method: 'OPTIONS' });
      expect({ path, status }).toEqual({ path, status: 204 });
      expect(headers.allow?.split(', ')).toEqual(expect.arrayContaining(known));
    }
  });

  it('may be read by pages of other sites where it is public, and by none where it is not', async () => {
    for (const each of documented.filter(({ method }) => method === 'GET')) {
      const { headers } = await client.send(urlOf(each.path), {
        method: 'OPTIONS',
        headers: { origin: 'https://elsewhere.example', 'access-control-request-headers': 'podium-position' },
      });
      const isOpen = !isPrivate(each) && !/^\/api\/(?:endpoints|logs)(?:\/|$)/.test(each.path);
      expect([each.path, headers['access-control-allow-origin'] === '*']).toEqual([each.path, isOpen]);
      expect([each.path, 'access-control-allow-headers' in headers]).toEqual([each.path, isOpen]);
    }
  });
});

describe('each operation of the document', () => {
  it('has a name that a generated client can use, and no other has it', () => {
    const names = documented.map(({ operation }) => operation.operationId);
    expect(names.filter((name) => !/^\w+$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('is there with and without the segment of the space, under names that generated clients know', () => {
    const inSpace = documented.filter(({ path }) => path.startsWith('/api/{spaceId}/'));
    expect(inSpace.length).toBeGreaterThan(40);
    for (const { path, method, operation } of inSpace) {
      const twin = documented.find(
        (each) => each.method === method && each.path === path.replace('/{spaceId}', ''),
      )?.operation;
      const [space, ...others] = operation.parameters;
      expect(space).toMatchObject({ name: 'spaceId', in: 'path', required: true });
      expect([path, others, operation.responses]).toEqual([path, twin?.parameters, twin?.responses]);
      const preposition = /(?:enter-attempt|enter-results|live)$/.test(path) ? 'In' : 'Of';
      expect(operation.operationId).toBe(`${twin?.operationId}${preposition}Space`);
    }
  });

  it('names each way of authentication once, and the header that a change from a page needs', () => {
    for (const each of documented) {
      const ways = (each.operation.security ?? []).map((way) => Object.keys(way).join());
      expect(new Set(ways).size).toBe(ways.length);
      if (!isPrivate(each)) continue;
      const signsIn = ['/api/session', ...PASSKEY_SIGN_IN].includes(each.path) && each.method !== 'GET';
      expect([each.path, ways]).toEqual([each.path, signsIn ? [] : ['session']]);
      const own = each.operation.parameters.filter(({ name }) => name === 'X-Podium-Request');
      expect([each.path, own.map(({ required }) => required)]).toEqual([
        each.path,
        each.method === 'GET' ? [] : [true],
      ]);
    }
  });

  it('says that an unexpected body is refused, and when to come again', async () => {
    for (const { path, method, operation } of documented) {
      const named = Object.keys(operation.responses);
      expect([path, named]).toEqual([
        path,
        method === 'GET' ? named : expect.arrayContaining(['400', '413', '415']),
      ]);
      for (const status of ['429', '503']) {
        const { content, headers = {} } = operation.responses[status] ?? {};
        if (content?.['application/problem+json'])
          expect([path, status, Object.keys(headers)]).toEqual([path, status, ['Retry-After']]);
      }
    }
    const reply = await client.send('/api/session', {
      method: 'DELETE',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    });
    expect(reply.status).toBe(415);
  });

  it('says which fields have to be there, also where a change may leave them out', () => {
    expect(schemas.NewEndpointBody?.required).toEqual(['name', 'query']);
    expect(schemas.NewContestBody?.required?.toSorted()).toEqual(['competitionId', 'name', 'startDate']);
  });

  it('says whether its body may have other fields', () => {
    for (const name of ['NewAccountBody', 'RoundRulesBody', 'TimeLimitDto', 'NewEndpointBody'])
      expect([name, schemas[name]?.additionalProperties]).toEqual([name, false]);
    for (const name of ['EnterAttemptBody', 'EnterResultsBody', 'CallBody', 'LogEntryBody'])
      expect([name, schemas[name]?.additionalProperties]).toEqual([name, undefined]);
  });
});
