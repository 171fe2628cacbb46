/**
 * What the adapter for EventStoreDB uses of its client beyond the public API. A test that fails after an update of
 * `@eventstore/db-client` says that such a part has changed: compare it with src/engines/eventstoredb/client-internals.ts,
 * run test/contract/esdb-*.spec.ts against a real server, and only then pin the new version.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import { StreamsClient, StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { UsersClient, UsersService } from '@eventstore/db-client/generated/users_grpc_pb.js';
import { describe, expect, it } from '@jest/globals';
import type { AppendAnswer } from '../../../../src/engines/eventstoredb/append-request.js';
import {
  answeredId,
  appendAnswer,
  batchAppendRequests,
} from '../../../../src/engines/eventstoredb/client-internals.js';
import { encodeEvent } from '../../../../src/engines/eventstoredb/codec.js';
import { NO_STREAM } from '../../../../src/foundation/event-store/event-store.js';

const VERSION = '6.2.1';
const ROOT = join(import.meta.dirname, '../../../..');
const SOURCES = join(ROOT, 'src');
const INTERNALS = 'engines/eventstoredb/client-internals.ts';

const jsonIn = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

describe('the version', () => {
  it('is pinned, and is the one that is installed', () => {
    const { dependencies } = jsonIn(join(ROOT, 'package.json'));
    const lock = jsonIn(join(ROOT, 'package-lock.json'));
    const installed = jsonIn(createRequire(import.meta.url).resolve('@eventstore/db-client/package.json'));
    expect(dependencies['@eventstore/db-client']).toBe(VERSION);
    expect(lock.packages[''].dependencies['@eventstore/db-client']).toBe(VERSION);
    expect(installed.version).toBe(VERSION);
  });
});

it('is used in one file', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  const users = files.filter((path) => {
    const text = readFileSync(join(SOURCES, path), 'utf8');
    return text.includes("'@eventstore/db-client/") || text.includes('extends EventStoreDBClient');
  });
  expect(users).toEqual([INTERNALS]);
});

describe('the client', () => {
  const client = new EventStoreDBClient({ endpoint: '127.0.0.1:1' }, { insecure: true });

  it.each([
    ['GRPCStreamCreator', 4],
    ['callArguments', 2],
    ['execute', 3],
    ['handleError', 2],
    ['getChannel', 0],
  ])('has %s of %i parameters, as a property of its own', (name, parameters) => {
    const member: unknown = Object.getOwnPropertyDescriptor(client, name)?.value;
    expect(member).toBeInstanceOf(Function);
    expect(member).toHaveLength(parameters);
  });
});

describe('the generated modules', () => {
  it('have the call', () => {
    expect(StreamsClient.prototype.batchAppend).toBeInstanceOf(Function);
    expect(StreamsService.batchAppend).toMatchObject({
      path: '/event_store.client.streams.Streams/BatchAppend',
      requestStream: true,
      responseStream: true,
    });
  });

  it('have the calls of users', () => {
    const { create, resetPassword } = UsersClient.prototype;
    for (const call of [create, resetPassword]) expect(call).toBeInstanceOf(Function);
    const users = '/event_store.client.users.Users';
    expect(UsersService.create.path).toBe(`${users}/Create`);
    expect(UsersService.resetPassword.path).toBe(`${users}/ResetPassword`);
  });

  const { BatchAppendReq, BatchAppendResp } = streams;
  it.each([
    [
      'BatchAppendReq',
      BatchAppendReq,
      ['setCorrelationId', 'setOptions', 'setProposedMessagesList', 'setIsFinal'],
      [],
    ],
    [
      'BatchAppendReq.Options',
      BatchAppendReq.Options,
      ['setStreamIdentifier', 'setNoStream', 'setStreamPosition'],
      [],
    ],
    [
      'BatchAppendReq.ProposedMessage',
      BatchAppendReq.ProposedMessage,
      ['setId', 'setData', 'setCustomMetadata', 'getMetadataMap'],
      [],
    ],
    ['BatchAppendResp', BatchAppendResp, [], ['getCorrelationId', 'getError', 'getSuccess']],
    ['BatchAppendResp.Success', BatchAppendResp.Success, [], ['getCurrentRevision', 'getPosition']],
    ['AllStreamPosition', shared.AllStreamPosition, [], ['getCommitPosition']],
    ['StreamIdentifier', shared.StreamIdentifier, ['setStreamName'], []],
    ['UUID', shared.UUID, ['setString'], ['getString', 'getStructured']],
    ['UUID.Structured', shared.UUID.Structured, [], ['getMostSignificantBits', 'getLeastSignificantBits']],
    ['Status', statuses.Status, [], ['getDetails', 'getMessage']],
    [
      'WrongExpectedVersion',
      shared.WrongExpectedVersion,
      [],
      ['hasCurrentStreamRevision', 'getCurrentStreamRevision'],
    ],
  ])('have the accessors of %s', (_name, { prototype }, ofOneArgument, ofNone) => {
    const lengths = [...ofOneArgument, ...ofNone].map((name) => [name, Reflect.get(prototype, name)?.length]);
    expect(lengths).toEqual([...ofOneArgument.map((name) => [name, 1]), ...ofNone.map((name) => [name, 0])]);
  });
});

const ID = '0190e2a0-7c1d-7abc-8def-0123456789ab';
const hexOf = (text: string): string => Buffer.from(text).toString('hex');

describe('a batch append', () => {
  const event = encodeEvent(
    {
      id: '0190e2a0-7c1d-7abc-8def-0123456789ff',
      type: 'T',
      data: { a: 1 },
      metadata: { actor: 'cli', correlationId: 'c', schema: 1 },
    },
    { stream: 's/1', revision: 8 },
  );
  const proposed = [
    `0a261224${hexOf(event.id)}`,
    `12200a0c${hexOf('content-type')}1210${hexOf('application/json')}`,
    `12090a04${hexOf('type')}1201${hexOf('T')}`,
    `1a45${hexOf('{"$correlationId":"c","actor":"cli","schema":1,"checksum":"b1532161"}')}`,
    `2207${hexOf('{"a":1}')}`,
  ].join('');

  it.each<[expected: number, option: string]>([
    [7, '1007'],
    [NO_STREAM, '1a00'],
  ])('that expects %s is written as the protocol has it', (expected, option) => {
    const messages = batchAppendRequests(ID, { stream: 's/1', expected, events: [event] });
    const bytes = messages.map((message) => Buffer.from(message.serializeBinary()).toString('hex'));
    expect(bytes).toEqual([`0a261224${hexOf(ID)}12090a051a03${hexOf('s/1')}${option}1aa501${proposed}2001`]);
  });

  it('that is large is sent in several messages: the first has the options, the last is final', () => {
    const large = { ...event, data: new Uint8Array(600_000) };
    const messages = batchAppendRequests(ID, {
      stream: 's/1',
      expected: NO_STREAM,
      events: [large, large, event],
    });
    expect(messages.map((message) => [message.hasOptions(), message.getIsFinal()])).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

describe('an answer', () => {
  const read = (bytes: string) =>
    streams.BatchAppendResp.deserializeBinary(
      Buffer.from(`0a170a1508bcf5f5e087d4b8c80110ab939eabb4a4c0f78d01${bytes}`, 'hex'),
    );
  const detail = (name: string): string => hexOf(`type.googleapis.com/event_store.client.${name}`);

  it.each<[string, string, AppendAnswer]>([
    ['of success', '1a0a08051a0608ca0710ca07', { ok: true, revision: 5, position: 970 }],
    ['without a position', '1a0408052200', { ok: true, revision: 5, position: null }],
    ['of a conflict', `12431a410a3b${detail('WrongExpectedVersion')}12020803`, { ok: false, actual: 3 }],
    [
      'of a conflict with a stream that is not there',
      `12431a410a3b${detail('WrongExpectedVersion')}12021200`,
      { ok: false, actual: NO_STREAM },
    ],
  ])('%s is read', (_name, bytes, answer) => {
    expect(answeredId(read(bytes))).toBe(ID);
    expect(appendAnswer(read(bytes))).toEqual(answer);
  });

  it('of any other error is thrown', () => {
    expect(() => appendAnswer(read(`12321a300a2e${detail('Timeout')}`))).toThrow(/gave up on the append/);
  });
});
