/** Commands on a contest or its rounds over HTTP. The reply is the contest as it is after the command. */

import { applyDecorators, HttpCode, Injectable } from '@nestjs/common';
import { ApiOperation, ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';
import { Problems } from '../../http/openapi/openapi-decorators.js';
import { ContestAccess, type ContestExchange, type MakeCommand } from '../contest-access.js';
import { contestParam } from '../contest-paths.js';
import { ModeratedContestDto } from './moderation.dto.js';
import { GetModeratedContest, type ModeratedContestView } from './moderation.queries.js';

/** The documentation of an operation that answers with `ContestAccess.query`. */
export const ReadsContest = (summary: string, response: ApiResponseOptions): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary }),
    contestParam,
    ApiResponse({ ...response, status: 200 }),
    Problems(400, 401, 403, 404, 503),
  );

/** The documentation of an operation that answers with `ContestModeration.change`. */
export const ChangesContest = (summary: string, description?: string): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    ApiOperation({ summary, ...(description !== undefined && { description }) }),
    contestParam,
    ApiResponse({ ...changedContest, status: 200 }),
    Problems(400, 401, 403, 404, 422, 503),
  );
export const changedContest = { type: ModeratedContestDto, description: 'The contest as it is now' };

@Injectable()
export class ContestModeration extends ContestAccess {
  /** Throws as `execute` does. */
  change(at: ContestExchange, make: MakeCommand): Promise<ModeratedContestView> {
    return this.answer(at, make, (contest) => new GetModeratedContest(contest));
  }
}
