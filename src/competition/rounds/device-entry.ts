/**
 * A device's entry, before and after the command: the request becomes a command whose sender is known, and the command's
 * receipt becomes the answer. Both ways into the server share it, the routes and the early answer to plain attempts.
 */

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  type PipeTransform,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RejectedError, type Rejection } from '../../domain/rejections.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import type { InSpace } from '../../http/message/space-segment.js';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { Reads } from '../../http/reads/reads.js';
import { KeyCheck } from '../keys/key-check.js';
import type { EntryReply } from './entry.dto.js';
import type { AttemptEntry, ResultsEntry } from './entry-reader.js';
import { EnterAttempt, EnterResults, type EntryReceipt } from './round.commands.js';

// --- before the command ---------------------------------------------------------------------------------------------

/** Whose entry it is. */
export interface Sender {
  readonly keyId: string;
  readonly requestId: string;
  /** Null: the device sent none. */
  readonly idempotencyKey: string | null;
}

/** What a device has sent, as a command, and the key that it was sent with. */
export interface DeviceEntry {
  readonly command: EnterAttempt | EnterResults;
  readonly keyId: string;
  /** Of the reply on success. */
  readonly status: 200 | 201;
  /** Whether rows have a wrong shape, which is a 400 whatever the key is. */
  readonly isFaulty: boolean;
}

export const deviceEntry = (entry: AttemptEntry | ResultsEntry, sender: Sender): DeviceEntry => {
  const { keyId, requestId, idempotencyKey } = sender;
  const context = { actor: 'device', keyId, correlationId: requestId };
  // The fingerprint is of what the body means, not of how it is written: aliases and unknown fields play no part.
  const request =
    idempotencyKey === null
      ? undefined
      : { key: sha256(`${keyId} ${idempotencyKey}`), fingerprint: sha256(JSON.stringify(entry)) };
  const { round } = entry;
  const command =
    'results' in entry
      ? new EnterResults(round, entry.results, context, request, entry.faulty)
      : new EnterAttempt(round, entry.competitor, entry.attemptNumber, entry.value, context, request);
  return { command, keyId, status: isByNumber(entry) ? 200 : 201, isFaulty: refusedRows(entry) !== null };
};

/** Why rows of the request have no shape; null: all have it. */
const refusedRows = (entry: AttemptEntry | ResultsEntry): Rejection | null =>
  ('results' in entry && entry.faulty?.refused) || null;

/** Whether every row names its competitor by number. */
const isByNumber = (entry: AttemptEntry | ResultsEntry): boolean => {
  if (!('results' in entry)) return entry.competitor.by === 'registrantId';
  return entry.results.every(({ competitor }) => competitor.by === 'registrantId');
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Null when there is none. Throws the 400 as RejectedError. */
export const idempotencyKeyOf = (headers: IncomingHttpHeaders): string | null => {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  if (typeof given === 'string' && IDEMPOTENCY_KEY.test(given)) return given;
  const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters';
  throw invalidRequest([{ field: 'Idempotency-Key', rule: 'idempotencyKey', message }]);
};

/** Reads a body; `space` is the segment of the path. Throws the 400 as RejectedError. */
type ReadBody = (body: unknown, space: string | undefined) => AttemptEntry | ResultsEntry;

type DeviceRequest = FastifyRequest<{ Params: InSpace }>;

/**
 * Reads the body first, so that a wrong one is a 400 whatever the key is; then checks the key. Throws RejectedError. Beside
 * rows of a wrong shape the others are judged for the holder of a good key alone: no other client learns which persons exist.
 */
@Injectable()
class DeviceEntryPipe implements PipeTransform<readonly [ReadBody, DeviceRequest], Promise<DeviceEntry>> {
  constructor(private readonly keys: KeyCheck) {}

  async transform([read, request]: readonly [ReadBody, DeviceRequest]): Promise<DeviceEntry> {
    const entry = read(request.body, request.params.spaceId);
    const refused = refusedRows(entry);
    try {
      const idempotencyKey = idempotencyKeyOf(request.headers);
      const { keyId } = await this.keys.holder(request);
      return deviceEntry(entry, { keyId, idempotencyKey, requestId: request.id });
    } catch (error) {
      throw refused === null ? error : new RejectedError(refused);
    }
  }
}

const withRequest = createParamDecorator((read: ReadBody, context: ExecutionContext) => [
  read,
  context.switchToHttp().getRequest<DeviceRequest>(),
]);

/** `@FromDevice(readAttempt) entry: DeviceEntry` */
export const FromDevice = (read: ReadBody): ParameterDecorator => withRequest(read, DeviceEntryPipe);

// --- after the command ----------------------------------------------------------------------------------------------

export interface EntryAnswer {
  readonly reply: EntryReply;
  /** Token of where reads show the entry. */
  readonly position: string;
}

@Injectable()
export class EntryAnswers {
  constructor(
    private readonly reads: Reads,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
  ) {}

  accepted({ command, keyId }: DeviceEntry, receipt: EntryReceipt): EntryAnswer {
    this.operational.recordKeyUse(keyId, { at: Date.now(), accepted: 1, refused: 0 });
    return { reply: replyOf(command, receipt), position: this.reads.tokenOf(receipt.position) };
  }

  refused({ keyId }: DeviceEntry): void {
    this.operational.recordKeyUse(keyId, { at: Date.now(), accepted: 0, refused: 1 });
  }
}

const replyOf = ({ round }: DeviceEntry['command'], receipt: EntryReceipt): EntryReply => ({
  competitionId: round.competitionId,
  eventId: round.eventId,
  roundNumber: round.roundNumber,
  results: receipt.results.map(({ resultId, personIds, attempts, best, average, changed }) => ({
    resultId,
    personIds: [...personIds],
    attempts: attempts.map((result) => ({ result })),
    best,
    average,
    changed,
  })),
});
