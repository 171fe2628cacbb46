/**
 * Append and batch append. Appends of one call are carried out side by side and answered as they are done; the same
 * event sent again while the first is being written is dropped, and times out.
 */

import type {
  AppendReq,
  AppendResp as AppendResponse,
  BatchAppendReq,
  BatchAppendResp as BatchAppendResponse,
} from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerDuplexStream, ServerReadableStream, ServiceError, sendUnaryData } from '@grpc/grpc-js';
import { NO_STREAM } from '../../../src/foundation/event-store/event-store.js';
import type { Access } from './access.js';
import type { Behaviour } from './behaviour.js';
import {
  AccessDenied,
  AllStreamPosition,
  AppendResp,
  accessDenied,
  BadRequest,
  BatchAppendResp,
  Code,
  callError,
  Empty,
  identifierOf,
  MaximumAppendSizeExceeded,
  nameIn,
  notLeader,
  StreamDeleted,
  statusWith,
  streamDeleted,
  structuredUuid,
  Timeout,
  WrongExpectedVersion,
} from './messages.js';
import type { Expectation, ProposedRecord, RecordStore } from './record-store.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

interface Append {
  readonly stream: string;
  readonly expected: Expectation;
  readonly records: ProposedRecord[];
}

type Answer =
  | { readonly kind: 'appended'; readonly revision: number; readonly position: number }
  | { readonly kind: 'conflict'; readonly actual: number }
  | { readonly kind: 'denied' | 'deleted' | 'timeout' | 'too large' | 'lost' | 'not ready' | 'no leader' }
  | { readonly kind: 'bad request'; readonly reason: string }
  | { readonly kind: 'call error'; readonly error: ServiceError };

type AppendCall = ServerReadableStream<AppendReq, AppendResponse>;
type Proposed = BatchAppendReq.ProposedMessage | AppendReq.ProposedMessage;

export class AppendService {
  readonly #records: RecordStore;
  readonly #behaviour: Behaviour;
  readonly #access: Access;
  /** Ids of what is being written, by stream. */
  readonly #underWay = new Set<string>();

  constructor(records: RecordStore, behaviour: Behaviour, access: Access) {
    this.#records = records;
    this.#behaviour = behaviour;
    this.#access = access;
  }

  batchAppend(call: ServerDuplexStream<BatchAppendReq, BatchAppendResponse>): void {
    this.#behaviour.counts.batchCalls += 1;
    const gathering = new Map<string, Append>();
    call.on('data', (request: BatchAppendReq) => {
      const id = request.getCorrelationId()?.getString() ?? '';
      try {
        const options = request.getOptions();
        if (options) gathering.set(id, { ...batchTarget(options), records: [] });
        const append = gathering.get(id);
        if (!append) return;
        append.records.push(...request.getProposedMessagesList().map(recordOf));
        if (!request.getIsFinal()) return;
        gathering.delete(id);
        void this.#append(call, append).then((answer) => this.#answerBatch(call, { id, append, answer }));
      } catch (error) {
        const answer: Answer = { kind: 'bad request', reason: String(error) };
        const append: Append = { stream: '', expected: 'any', records: [] };
        this.#answerBatch(call, { id, append, answer });
        // The real server gives up on what it has not taken apart only later, and says so as well.
        this.#later(() => this.#answerBatch(call, { id, append, answer: { kind: 'timeout' } }));
      }
    });
    call.on('end', () => call.end());
    call.on('error', () => undefined);
  }

  append(call: AppendCall, done: sendUnaryData<AppendResponse>): void {
    this.#behaviour.counts.appendCalls += 1;
    let append: Append = { stream: '', expected: 'any', records: [] };
    call.on('data', (request: AppendReq) => {
      const options = request.getOptions();
      if (options) append = { ...appendTarget(options), records: [] };
      const proposed = request.getProposedMessage();
      if (proposed) append.records.push(recordOf(proposed));
    });
    call.on(
      'end',
      () => void this.#append(call, append).then((answer) => answerAppend(answer, append, done)),
    );
  }

  async #append(call: Pick<AppendCall, 'metadata'>, { stream, expected, records }: Append): Promise<Answer> {
    const behaviour = this.#behaviour;
    behaviour.counts.appends += 1;
    const { trouble } = behaviour;
    if (trouble !== 'none') behaviour.counts.refused += 1;
    if (trouble === 'not ready' || trouble === 'no leader') return { kind: trouble };
    if (trouble === 'unavailable')
      return { kind: 'call error', error: callError(Code.UNAVAILABLE, 'not now') };
    if (trouble === 'leader without address') return { kind: 'call error', error: notLeader() };
    if (trouble !== 'none') return { kind: 'call error', error: notLeader(trouble) };
    if (!(await this.#access.mayAppend(call, stream))) return { kind: 'denied' };
    const bytes = records.reduce(
      (sum, { type, data, metadata }) => sum + type.length + data.length + metadata.length,
      0,
    );
    if (bytes > behaviour.mostAppendBytes) return { kind: 'too large' };
    const revision = await this.#records.lastRevision(stream);
    if (records.length === 0) return { kind: 'appended', revision, position: await this.#records.head() };
    const keys = records.map(({ id }) => `${stream} ${id}`);
    if (keys.some((key) => this.#underWay.has(key))) return this.#giveUp();
    for (const key of keys) this.#underWay.add(key);
    try {
      return await this.#write({ stream, expected, records });
    } finally {
      for (const key of keys) this.#underWay.delete(key);
    }
  }

  async #write({ stream, expected, records }: Append): Promise<Answer> {
    await this.#behaviour.beforeAppend(stream);
    const result = await this.#records.append(stream, expected, records);
    if (result === 'deleted') return { kind: 'deleted' };
    if (this.#behaviour.losesAnswer(stream)) return { kind: 'lost' };
    if (!result.ok) return { kind: 'conflict', actual: result.actual };
    return { kind: 'appended', revision: result.revision, position: result.position };
  }

  #giveUp(): Promise<Answer> {
    return new Promise((resolve) => this.#later(() => resolve({ kind: 'timeout' })));
  }

  #later(work: () => void): void {
    setTimeout(work, this.#behaviour.writeTimeoutMs).unref();
  }

  #answerBatch(
    call: ServerDuplexStream<BatchAppendReq, BatchAppendResponse>,
    { id, append, answer }: { readonly id: string; readonly append: Append; readonly answer: Answer },
  ): void {
    if (answer.kind === 'lost' || call.cancelled || call.destroyed) return;
    if (answer.kind === 'call error') {
      call.emit('error', answer.error);
      return;
    }
    const response = new BatchAppendResp();
    response.setCorrelationId(structuredUuid(id));
    response.setStreamIdentifier(identifierOf(append.stream));
    if (answer.kind === 'appended') response.setSuccess(batchSuccess(answer));
    else response.setError(batchError(answer, append));
    call.write(response);
    if (!this.#behaviour.answersTwice) return;
    this.#later(() => {
      call.write(response);
      this.#behaviour.counts.secondAnswers += 1;
    });
  }
}

const batchSuccess = ({ revision, position }: Answer & { readonly kind: 'appended' }) => {
  const success = new BatchAppendResp.Success();
  if (revision === NO_STREAM) success.setNoStream(new Empty());
  else success.setCurrentRevision(String(revision));
  const place = new AllStreamPosition();
  place.setCommitPosition(String(position));
  place.setPreparePosition(String(position));
  success.setPosition(place);
  return success;
};

const NAMES = 'event_store.client';

const batchError = (
  answer: Exclude<Answer, { readonly kind: 'appended' | 'call error' }>,
  { stream }: Append,
) => {
  switch (answer.kind) {
    case 'conflict': {
      const conflict = new WrongExpectedVersion();
      if (answer.actual === NO_STREAM) conflict.setCurrentNoStream(new Empty());
      else conflict.setCurrentStreamRevision(String(answer.actual));
      return statusWith('', `${NAMES}.WrongExpectedVersion`, conflict);
    }
    case 'denied':
      return statusWith('Access Denied', `${NAMES}.AccessDenied`, new AccessDenied());
    case 'deleted': {
      const details = new StreamDeleted();
      details.setStreamIdentifier(identifierOf(stream));
      return statusWith('', `${NAMES}.StreamDeleted`, details);
    }
    case 'too large': {
      const details = new MaximumAppendSizeExceeded();
      details.setMaxappendsize(1024 * 1024);
      return statusWith('', `${NAMES}.MaximumAppendSizeExceeded`, details);
    }
    case 'bad request': {
      const details = new BadRequest();
      details.setMessage(answer.reason);
      return statusWith(answer.reason, `${NAMES}.BadRequest`, details);
    }
    case 'not ready':
      return statusWith('Server Is Not Ready', 'google.protobuf.Empty', new Empty());
    case 'no leader':
      return statusWith('No leader info available in response', 'google.protobuf.Empty', new Empty());
    default:
      return statusWith('', `${NAMES}.Timeout`, new Timeout());
  }
};

const answerAppend = (answer: Answer, { stream }: Append, done: sendUnaryData<AppendResponse>): void => {
  const response = new AppendResp();
  switch (answer.kind) {
    case 'appended': {
      const success = new AppendResp.Success();
      if (answer.revision === NO_STREAM) success.setNoStream(new Empty());
      else success.setCurrentRevision(String(answer.revision));
      const place = new AppendResp.Position();
      place.setCommitPosition(String(answer.position));
      place.setPreparePosition(String(answer.position));
      success.setPosition(place);
      response.setSuccess(success);
      done(null, response);
      break;
    }
    case 'conflict': {
      const conflict = new AppendResp.WrongExpectedVersion();
      if (answer.actual === NO_STREAM) conflict.setCurrentNoStream(new Empty());
      else conflict.setCurrentRevision(String(answer.actual));
      response.setWrongExpectedVersion(conflict);
      done(null, response);
      break;
    }
    case 'call error':
      done(answer.error);
      break;
    case 'denied':
      done(accessDenied());
      break;
    case 'deleted':
      done(streamDeleted(stream));
      break;
    case 'too large':
      done(
        callError(Code.INVALID_ARGUMENT, 'too large', {
          exception: 'maximum-append-size-exceeded',
          'maximum-append-size': '1048576',
        }),
      );
      break;
    case 'timeout':
      done(callError(Code.ABORTED, 'Operation timed out'));
      break;
    case 'lost':
      break;
    default:
      done(callError(Code.UNAVAILABLE, 'Server Is Not Ready'));
  }
};

const batchTarget = (options: BatchAppendReq.Options): Omit<Append, 'records'> => {
  const stream = nameIn(options.getStreamIdentifier());
  if (options.hasNoStream()) return { stream, expected: NO_STREAM };
  if (options.hasStreamExists()) return { stream, expected: 'stream_exists' };
  if (options.hasAny()) return { stream, expected: 'any' };
  return { stream, expected: Number(options.getStreamPosition()) };
};

const appendTarget = (options: AppendReq.Options): Omit<Append, 'records'> => {
  const stream = nameIn(options.getStreamIdentifier());
  if (options.hasNoStream()) return { stream, expected: NO_STREAM };
  if (options.hasStreamExists()) return { stream, expected: 'stream_exists' };
  if (options.hasAny()) return { stream, expected: 'any' };
  return { stream, expected: Number(options.getRevision()) };
};

const recordOf = (proposed: Proposed): ProposedRecord => {
  const id = (proposed.getId()?.getString() ?? '').toLowerCase();
  const type = proposed.getMetadataMap().get('type') ?? '';
  if (!UUID.test(id)) throw new Error(`not a UUID: ${id}`);
  if (type === '') throw new Error('an event has a type');
  return {
    id,
    type,
    contentType: proposed.getMetadataMap().get('content-type') ?? '',
    data: proposed.getData_asU8(),
    metadata: proposed.getCustomMetadata_asU8(),
  };
};
