/** The generated messages and services, under their names, and the errors of the server in the client's terms. */
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import users from '@eventstore/db-client/generated/users_pb.js';
import { status as Code, Metadata, type ServiceError } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import type { Leader } from './behaviour.js';

export const { ClusterInfo, EndPoint, MemberInfo } = gossip;
export const { SupportedMethod, SupportedMethods } = features;
export const { Empty, StreamIdentifier, UUID, AllStreamPosition } = shared;
export const { MaximumAppendSizeExceeded, StreamDeleted, Timeout, WrongExpectedVersion } = shared;
export const { AccessDenied, BadRequest } = shared;
export const { Status } = statuses;
export const { AppendResp, BatchAppendResp, ReadResp, ReadReq, DeleteResp, TombstoneResp } = streams;
export const { CreateResp, ResetPasswordResp } = users;
export { Code };

interface Packable {
  serializeBinary(): Uint8Array;
}

/** An in-band error. */
export const statusWith = (message: string, name: string, details: Packable) => {
  const packed = new any.Any();
  packed.pack(details.serializeBinary(), name);
  const status = new Status();
  status.setMessage(message);
  status.setDetails(packed);
  return status;
};

/** An error that ends a call, with what the client recognises it by. */
export const callError = (
  code: Code,
  details: string,
  fields: Readonly<Record<string, string>> = {},
): ServiceError => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(fields)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
};

/** Without its address, for a leader that is not known. */
export const notLeader = (leader?: Leader): ServiceError =>
  callError(Code.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    ...(leader && { 'leader-endpoint-host': leader.host, 'leader-endpoint-port': String(leader.port) }),
  });

export const streamDeleted = (stream: string): ServiceError =>
  callError(Code.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const accessDenied = (): ServiceError =>
  callError(Code.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });

const utf8 = new TextDecoder();
const toUtf8 = new TextEncoder();

export const nameIn = (identifier: { getStreamName_asU8(): Uint8Array } | undefined): string =>
  utf8.decode(identifier?.getStreamName_asU8());

export const identifierOf = (stream: string) => {
  const identifier = new StreamIdentifier();
  identifier.setStreamName(toUtf8.encode(stream));
  return identifier;
};

/** As two numbers: how the server writes what it says of its own accord. */
export const structuredUuid = (text: string) => {
  const hex = text.replaceAll('-', '');
  const parts = new UUID.Structured();
  parts.setMostSignificantBits(String(BigInt.asIntN(64, BigInt(`0x${hex.slice(0, 16)}`))));
  parts.setLeastSignificantBits(String(BigInt.asIntN(64, BigInt(`0x${hex.slice(16)}`))));
  const uuid = new UUID();
  uuid.setStructured(parts);
  return uuid;
};
