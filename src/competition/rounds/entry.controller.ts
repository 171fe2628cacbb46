/**
 * POST enter-attempt and enter-results: the shape first, then the key, then the contest, then the rules; the first
 * that fails is the answer. 201 is the only success, for devices know no other, also for what was sent before.
 */
import { applyDecorators, Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiHeader,
  ApiOperation,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { RejectedError } from '../../domain/rejections.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { POSITION_HEADER } from '../../http/message/headers.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { API_OF_SPACE, type InSpace } from '../../http/message/space-segment.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { KeyCheck } from '../keys/key-check.js';
import {
  ATTEMPT_EXAMPLES,
  EnterAttemptBody,
  EnterResultsBody,
  EntryReply,
  RESULTS_EXAMPLES,
} from './entry.dto.js';
import { readAttempt, readResults } from './entry-reader.js';
import {
  type EntryAnswer,
  idempotencyKeyOf,
  ResultEntryService,
  type Sender,
} from './result-entry.service.js';

const EntryDocs = (): MethodDecorator =>
  applyDecorators(
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
        [POSITION_HEADER]: {
          description: 'Send it with a read to see this entry',
          schema: { type: 'string' },
        },
      },
    }),
    Problems(400, 401, 404, 413, 415, 422, 429, 503),
  );

@ApiTags('result entry')
@Controller(API_OF_SPACE)
export class EntryController {
  constructor(
    private readonly entryService: ResultEntryService,
    private readonly keys: KeyCheck,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
  ) {}

  @Post('enter-attempt')
  @HttpCode(201)
  @ApiOperation({ summary: 'Enter, correct or clear one attempt' })
  @ApiBody({ type: EnterAttemptBody, examples: ATTEMPT_EXAMPLES })
  @EntryDocs()
  enterAttempt(@Param() { spaceId }: InSpace, @Http() http: HttpExchange): Promise<EntryReply> {
    const entry = readAttempt(http.request.body, spaceId);
    return this.enter(http, (sender) => this.entryService.attempt(entry, sender));
  }

  @Post('enter-results')
  @HttpCode(201)
  @ApiOperation({ summary: 'Replace the attempts of competitors of a round, all or nothing' })
  @ApiBody({ type: EnterResultsBody, examples: RESULTS_EXAMPLES })
  @EntryDocs()
  enterResults(@Param() { spaceId }: InSpace, @Http() http: HttpExchange): Promise<EntryReply> {
    const entry = readResults(http.request.body, spaceId);
    return this.enter(http, (sender) => this.entryService.results(entry, sender));
  }

  private async enter(
    { request, reply }: HttpExchange,
    atDesk: (sender: Sender) => Promise<EntryAnswer>,
  ): Promise<EntryReply> {
    const idempotencyKey = idempotencyKeyOf(request.headers);
    const { keyId } = await this.keys.holder(request);
    try {
      const answer = await atDesk({ keyId, idempotencyKey, requestId: request.id });
      reply.header(POSITION_HEADER, answer.position);
      return answer.reply;
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
