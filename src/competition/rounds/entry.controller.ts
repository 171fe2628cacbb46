/**
 * POST enter-attempt and enter-results. The shape is judged first, then the key (both before a method runs), then the
 * contest, then the rules; the first that fails is the answer. Success is 201, also for what was sent before. It is 200 when
 * every row has a `registrantId`. Devices that send it take only 200 for success, other devices take only 201.
 */
import { applyDecorators, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiBearerAuth,
  ApiBody,
  ApiCreatedResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { RejectedError } from '../../domain/rejections.js';
import { POSITION_HEADER } from '../../http/message/headers.js';
import { Http, type HttpExchange } from '../../http/message/http-exchange.js';
import { API_OF_SPACE } from '../../http/message/space-segment.js';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { KeyCheck } from '../keys/key-check.js';
import { type DeviceEntry, EntryAnswers, FromDevice } from './device-entry.js';
import {
  ATTEMPT_EXAMPLES,
  EnterAttemptBody,
  EnterResultsBody,
  EntryReply,
  RESULTS_EXAMPLES,
} from './entry.dto.js';
import { readAttempt, readResults } from './entry-reader.js';

const entered = {
  type: EntryReply,
  headers: {
    [POSITION_HEADER]: {
      description: 'Send it with a read to see this entry',
      schema: { type: 'string' as const },
    },
  },
};

const EntryDocs = (): MethodDecorator =>
  applyDecorators(
    ApiSecurity('x-api-key'),
    ApiBearerAuth(),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        '1 to 255 visible ASCII characters: a repeat changes nothing, however late it comes. It counts together ' +
        'with the API key and the round: under a new API key a repeat is a new request',
    }),
    ApiCreatedResponse({
      ...entered,
      description: 'The results as they stand now; the same values again change nothing',
    }),
    ApiOkResponse({ ...entered, description: 'The same, when every row has a registrantId' }),
    Problems(400, 401, 403, 404, 413, 415, 422, 429, 503),
  );

@ApiTags('result entry')
@Controller(API_OF_SPACE)
export class EntryController {
  constructor(
    private readonly commands: CommandBus,
    private readonly answers: EntryAnswers,
    private readonly keys: KeyCheck,
  ) {}

  @Post('enter-attempt')
  @ApiOperation({ summary: 'Enter, correct or clear one attempt' })
  @ApiBody({ type: EnterAttemptBody, examples: ATTEMPT_EXAMPLES })
  @EntryDocs()
  enterAttempt(@FromDevice(readAttempt) entry: DeviceEntry, @Http() http: HttpExchange): Promise<EntryReply> {
    return this.enter(entry, http);
  }

  @Post('enter-results')
  @ApiOperation({ summary: 'Replace the attempts of competitors of a round, all or nothing' })
  @ApiBody({ type: EnterResultsBody, examples: RESULTS_EXAMPLES })
  @EntryDocs()
  enterResults(@FromDevice(readResults) entry: DeviceEntry, @Http() http: HttpExchange): Promise<EntryReply> {
    return this.enter(entry, http);
  }

  private async enter(entry: DeviceEntry, { request, reply }: HttpExchange): Promise<EntryReply> {
    try {
      const answer = this.answers.accepted(entry, await this.commands.execute(entry.command));
      reply.code(entry.status).header(POSITION_HEADER, answer.position);
      return answer.reply;
    } catch (error) {
      if (error instanceof RejectedError && !entry.isFaulty) {
        this.answers.refused(entry);
        // Another process may have just ended the contest, and with it the key: that is then what is told.
        await this.keys.holder(request, { fresh: true });
      }
      throw error;
    }
  }
}
