/**
 * POST enter-attempt and enter-results: the shape first, then the key, then the contest, then the rules; the first
 * that fails is the answer. 201 is the only success, for devices know no other, also for what was sent before.
 */
import { createHash } from 'node:crypto';
import { Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiHeader,
  ApiOperation,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KeyCheck } from '../access/key-header.js';
import { RejectedError } from '../domain/rejections.js';
import type { CommandContext } from '../eventstore/aggregate.js';
import type { RoundKey } from '../eventstore/streams.js';
import { POSITION_HEADER } from '../http/headers.js';
import { Problems, spaceParam } from '../http/openapi-decorators.js';
import { invalidRequest } from '../http/problems.js';
import { Reads } from '../http/reads.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../operational/operational-store.js';
import { EnterAttemptBody, EnterResultsBody, EntryReply } from './entry.dto.js';
import { readAttempt, readResults } from './entry-reader.js';
import { EnterAttempt, EnterResults, type EntryReceipt } from './round.commands.js';
import type { EntryRequest } from './round.events.js';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

const documentation = [
  ApiSecurity('x-api-key'),
  ApiBearerAuth(),
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      '1 to 255 visible ASCII characters: a repeat under the same key changes nothing, however late it comes',
  }),
  ApiCreatedResponse({
    type: EntryReply,
    description: 'The results as they stand now; the same values again change nothing',
    headers: {
      [POSITION_HEADER]: { description: 'Send it with a read to see this entry', schema: { type: 'string' } },
    },
  }),
  Problems(400, 401, 404, 413, 415, 422, 429, 503),
];
const EntryDocs = (): MethodDecorator => (target, key, descriptor) => {
  for (const decorate of documentation) decorate(target, key, descriptor);
};

/** What a device sends, checked. */
interface Entry {
  readonly round: RoundKey;
}

@ApiTags('result entry')
@Controller('api')
export class EntryController {
  constructor(
    private readonly commands: CommandBus,
    private readonly keys: KeyCheck,
    private readonly reads: Reads,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
  ) {}

  @Post('enter-attempt')
  @HttpCode(201)
  @ApiOperation({ summary: 'Enter, correct or clear one attempt' })
  @ApiBody({ type: EnterAttemptBody })
  @EntryDocs()
  enterAttempt(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EntryReply> {
    return this.attempt(request, reply);
  }

  @Post(':spaceId/enter-attempt')
  @HttpCode(201)
  @ApiOperation({ summary: 'Enter, correct or clear one attempt in a space' })
  @spaceParam
  @ApiBody({ type: EnterAttemptBody })
  @EntryDocs()
  enterAttemptInSpace(
    @Param('spaceId') spaceId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EntryReply> {
    return this.attempt(request, reply, spaceId);
  }

  @Post('enter-results')
  @HttpCode(201)
  @ApiOperation({ summary: 'Replace the attempts of competitors of a round, all or nothing' })
  @ApiBody({ type: EnterResultsBody })
  @EntryDocs()
  enterResults(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EntryReply> {
    return this.results(request, reply);
  }

  @Post(':spaceId/enter-results')
  @HttpCode(201)
  @ApiOperation({ summary: 'Replace the attempts of competitors of a round of a space, all or nothing' })
  @spaceParam
  @ApiBody({ type: EnterResultsBody })
  @EntryDocs()
  enterResultsInSpace(
    @Param('spaceId') spaceId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EntryReply> {
    return this.results(request, reply, spaceId);
  }

  private attempt(request: FastifyRequest, reply: FastifyReply, segment?: string): Promise<EntryReply> {
    const entry = readAttempt(request.body, segment);
    const { round, competitor, attemptNumber, value } = entry;
    return this.enter(entry, request, reply, (context, repeat) =>
      this.commands.execute(new EnterAttempt(round, competitor, attemptNumber, value, context, repeat)),
    );
  }

  private results(request: FastifyRequest, reply: FastifyReply, segment?: string): Promise<EntryReply> {
    const entry = readResults(request.body, segment);
    return this.enter(entry, request, reply, (context, repeat) =>
      this.commands.execute(new EnterResults(entry.round, entry.results, context, repeat)),
    );
  }

  private async enter(
    entry: Entry,
    request: FastifyRequest,
    reply: FastifyReply,
    command: (context: CommandContext, repeat: EntryRequest | undefined) => Promise<EntryReceipt>,
  ): Promise<EntryReply> {
    const idempotencyKey = idempotencyKeyOf(request);
    const { keyId } = await this.keys.holder(request);
    try {
      const repeat = idempotencyKey === null ? undefined : repeatOf(keyId, idempotencyKey, entry);
      const receipt = await command({ actor: 'device', keyId, correlationId: request.id }, repeat);
      this.operational.recordKeyUse(keyId, { at: Date.now(), accepted: 1, refused: 0 });
      reply.header(POSITION_HEADER, this.reads.tokenOf(receipt.position));
      return replyOf(entry.round, receipt);
    } catch (error) {
      if (error instanceof RejectedError) {
        this.operational.recordKeyUse(keyId, { at: Date.now(), accepted: 0, refused: 1 });
        // Another process may have just ended the contest, and with it the key: that is then what is told.
        await this.keys.holder(request, { fresh: true });
      }
      throw error;
    }
  }
}

const idempotencyKeyOf = ({ headers }: FastifyRequest): string | null => {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  if (typeof given === 'string' && IDEMPOTENCY_KEY.test(given)) return given;
  const message = 'Idempotency-Key must be 1 to 255 visible ASCII characters';
  throw invalidRequest([{ field: 'Idempotency-Key', rule: 'idempotencyKey', message }]);
};

/** The fingerprint is of what the body means, not of how it is written: aliases and unknown fields play no part. */
const repeatOf = (keyId: string, idempotencyKey: string, entry: Entry): EntryRequest => ({
  key: sha256(`${keyId} ${idempotencyKey}`),
  fingerprint: sha256(JSON.stringify(entry)),
});

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
