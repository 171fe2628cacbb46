/**
 * Where a device's entry, read and its key known, becomes a command and the command's receipt an answer. Both ways into
 * the server come by here: the routes, and the early answer to plain attempts.
 */

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { RoundKey } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { invalidRequest } from '../../http/problems/problems.js';
import { Reads } from '../../http/reads/reads.js';
import { EnterAttempt, EnterResults, type EntryReceipt } from '../aggregates/round/round.commands.js';
import type { EntryRequest } from '../aggregates/round/round.js';
import type { EntryReply } from './entry.dto.js';
import type { AttemptEntry, ResultsEntry } from './entry-reader.js';

/** Whose entry it is. */
export interface Sender {
  readonly keyId: string;
  readonly requestId: string;
  /** Null: the device sent none. */
  readonly idempotencyKey: string | null;
}

export interface EntryAnswer {
  readonly reply: EntryReply;
  /** Token of where reads show the entry. */
  readonly position: string;
}

@Injectable()
export class ResultEntryService {
  constructor(
    private readonly commands: CommandBus,
    private readonly reads: Reads,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
  ) {}

  async attempt(entry: AttemptEntry, sender: Sender): Promise<EntryAnswer> {
    const { round, competitor, attemptNumber, value } = entry;
    const repeat = repeatOf(entry, sender);
    const command = new EnterAttempt(round, competitor, attemptNumber, value, contextOf(sender), repeat);
    return this.answer(round, sender, await this.commands.execute(command));
  }

  async results(entry: ResultsEntry, sender: Sender): Promise<EntryAnswer> {
    const { round, results } = entry;
    const command = new EnterResults(round, results, contextOf(sender), repeatOf(entry, sender));
    return this.answer(round, sender, await this.commands.execute(command));
  }

  private answer(round: RoundKey, { keyId }: Sender, receipt: EntryReceipt): EntryAnswer {
    this.operational.recordKeyUse(keyId, { at: Date.now(), accepted: 1, refused: 0 });
    return { reply: replyOf(round, receipt), position: this.reads.tokenOf(receipt.position) };
  }
}

const contextOf = ({ keyId, requestId }: Sender): CommandContext => ({
  actor: 'device',
  keyId,
  correlationId: requestId,
});

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Null when there is none. Throws the 400 as RejectedError. */
export const idempotencyKeyOf = (headers: IncomingHttpHeaders): string | null => {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  if (typeof given === 'string' && IDEMPOTENCY_KEY.test(given)) return given;
  const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters';
  throw invalidRequest([{ field: 'Idempotency-Key', rule: 'idempotencyKey', message }]);
};

/** The fingerprint is of what the body means, not of how it is written: aliases and unknown fields play no part. */
const repeatOf = (
  entry: AttemptEntry | ResultsEntry,
  { keyId, idempotencyKey }: Sender,
): EntryRequest | undefined =>
  idempotencyKey === null
    ? undefined
    : { key: sha256(`${keyId} ${idempotencyKey}`), fingerprint: sha256(JSON.stringify(entry)) };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const replyOf = ({ competitionId, eventId, roundNumber }: RoundKey, receipt: EntryReceipt): EntryReply => ({
  competitionId,
  eventId,
  roundNumber,
  results: receipt.results.map(({ resultId, personIds, attempts, best, average, changed }) => ({
    resultId,
    personIds: [...personIds],
    attempts: attempts.map((result) => ({ result })),
    best,
    average,
    changed,
  })),
});
