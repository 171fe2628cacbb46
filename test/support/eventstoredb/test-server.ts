/**
 * A small server that speaks the streams service of EventStoreDB, for tests where no EventStoreDB is to be had. It is not
 * EventStoreDB: it keeps its records in an SQLite file, and does what a real one was seen to do as far as Podium's
 * adapter meets it. A proxy in front of it breaks connections as a network does.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GossipService, type IGossipServer } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import {
  type IServerFeaturesServer,
  ServerFeaturesService,
} from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { type IStreamsServer, StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { type Metadata, Server, ServerCredentials } from '@grpc/grpc-js';
import { TcpProxy } from '../tcp-proxy.js';
import { Access } from './access.js';
import { AppendService } from './append-service.js';
import { Behaviour } from './behaviour.js';
import {
  accessDenied,
  ClusterInfo,
  Code,
  callError,
  DeleteResp,
  EndPoint,
  MemberInfo,
  nameIn,
  SupportedMethod,
  SupportedMethods,
  structuredUuid,
  TombstoneResp,
} from './messages.js';
import { ReadService } from './read-service.js';
import { RecordStore } from './record-store.js';

export const ENGINE = 'a test server that speaks the streams service of EventStoreDB';
export const VERSION = '1 (over SQLite)';
/** The authority of its certificate, for `tlsCAFile`. */
export const CERTIFICATE = fileURLToPath(new URL('certificate.pem', import.meta.url));
const KEY = fileURLToPath(new URL('key.pem', import.meta.url));
/** At once on one connection; one more waits. */
const MOST_CALLS = 100;
const MOST_MESSAGE_BYTES = 16 * 1024 * 1024;

export interface TestServerOptions {
  /** The SQLite file; another server may have had it before. */
  readonly file: string;
  /** Default: a free one. */
  readonly port?: number;
  readonly tls?: boolean;
}

export class EsdbTestServer {
  readonly behaviour = new Behaviour();
  readonly records: RecordStore;
  readonly access: Access;
  readonly #file: string;
  readonly #server: Server;
  readonly #proxy: TcpProxy;
  readonly #tls: boolean;

  private constructor(parts: {
    file: string;
    records: RecordStore;
    server: Server;
    proxy: TcpProxy;
    tls: boolean;
  }) {
    this.#file = parts.file;
    this.records = parts.records;
    this.access = new Access(parts.records);
    this.#server = parts.server;
    this.#proxy = parts.proxy;
    this.#tls = parts.tls;
  }

  static async start({ file, port, tls = false }: TestServerOptions): Promise<EsdbTestServer> {
    const server = new Server({
      'grpc.max_receive_message_length': MOST_MESSAGE_BYTES,
      'grpc.max_concurrent_streams': MOST_CALLS,
    });
    const credentials = tls
      ? ServerCredentials.createSsl(null, [
          { cert_chain: readFileSync(CERTIFICATE), private_key: readFileSync(KEY) },
        ])
      : ServerCredentials.createInsecure();
    const bound = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', credentials, (error, at) => (error ? reject(error) : resolve(at)));
    });
    const records = new RecordStore(file);
    // A real store is never empty: its first records are its own.
    if ((await records.head()) === 0) await records.addSystemRecords(3);
    const proxy = await TcpProxy.start(bound, port);
    const running = new EsdbTestServer({ file, records, server, proxy, tls });
    running.#addServices();
    return running;
  }

  get port(): number {
    return this.#proxy.port;
  }

  /** What clients connect to. */
  get url(): string {
    return `esdb://127.0.0.1:${this.port}?tls=${this.#tls}`;
  }

  /** Breaks connections, refuses them, and answers nothing, as a network does. */
  get network(): Pick<
    TcpProxy,
    'dropConnections' | 'goAway' | 'comeBack' | 'stall' | 'stallConnections' | 'stallOn' | 'resume'
  > {
    return this.#proxy;
  }

  /** Another node with the same records. */
  startSibling(): Promise<EsdbTestServer> {
    return EsdbTestServer.start({ file: this.#file, tls: this.#tls });
  }

  async stop(): Promise<void> {
    await this.#proxy.close();
    this.#server.forceShutdown();
    await this.records.close();
  }

  #addServices(): void {
    const { behaviour, records } = this;
    const appends = new AppendService(records, behaviour, this.access);
    const reads = new ReadService(records, behaviour, this.access);
    const mayCall = ({ metadata }: { readonly metadata: Metadata }): boolean => {
      const { credentials } = behaviour;
      if (credentials === null) return true;
      return metadata.get('authorization').includes(`Basic ${Buffer.from(credentials).toString('base64')}`);
    };
    const streams: IStreamsServer = {
      read: (call) => (mayCall(call) ? void reads.read(call) : call.emit('error', accessDenied())),
      append: (call, done) => (mayCall(call) ? appends.append(call, done) : done(accessDenied())),
      batchAppend: (call) => {
        // As a server does with a method that it does not have.
        if (!behaviour.offersBatches) call.emit('error', callError(Code.UNIMPLEMENTED, 'Unimplemented'));
        else if (mayCall(call)) appends.batchAppend(call);
        else call.emit('error', accessDenied());
      },
      delete: ({ request }, done) => {
        const stream = nameIn(request.getOptions()?.getStreamIdentifier());
        void records.delete(stream).then(() => done(null, new DeleteResp()));
      },
      tombstone: ({ request }, done) => {
        records.tombstone(nameIn(request.getOptions()?.getStreamIdentifier()));
        done(null, new TombstoneResp());
      },
    };
    const features: IServerFeaturesServer = {
      getSupportedMethods: (_call, done) => done(null, supportedMethods(behaviour)),
    };
    const gossip: IGossipServer = { read: (_call, done) => done(null, clusterInfo(behaviour)) };
    this.#server.addService(StreamsService, streams);
    this.#server.addService(ServerFeaturesService, features);
    this.#server.addService(GossipService, gossip);
    const users = this.access.service();
    this.#server.addService(users.definition, users.calls);
  }
}

const supportedMethods = ({ offersBatches }: Behaviour) => {
  const methods = new SupportedMethods();
  methods.setEventStoreServerVersion(`test server ${VERSION}`);
  const names = ['Read', 'Append', 'Delete', 'Tombstone', ...(offersBatches ? ['BatchAppend'] : [])];
  for (const name of names) {
    const method = new SupportedMethod();
    method.setServiceName('event_store.client.streams.Streams');
    method.setMethodName(name);
    methods.addMethods(method);
  }
  return methods;
};

const clusterInfo = ({ members }: Behaviour) => {
  const info = new ClusterInfo();
  for (const [index, { host, port, leads }] of members.entries()) {
    const endpoint = new EndPoint();
    endpoint.setAddress(host);
    endpoint.setPort(port);
    const member = new MemberInfo();
    member.setInstanceId(structuredUuid(`00000000-0000-4000-8000-${String(index).padStart(12, '0')}`));
    member.setTimeStamp('0');
    member.setIsAlive(true);
    member.setState(leads ? MemberInfo.VNodeState.LEADER : MemberInfo.VNodeState.FOLLOWER);
    member.setHttpEndPoint(endpoint);
    info.addMembers(member);
  }
  return info;
};
