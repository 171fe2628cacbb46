/** The OpenAPI document, its page at /api/docs, and a page for each kind of problem, to which `type` links. */
import { Controller, Get, NotFoundException, Param } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
  DocumentBuilder,
  type OpenAPIObject,
  SwaggerModule,
} from '@nestjs/swagger';
import { routedPathOf } from '../message/paths.js';
import { VERSION } from '../message/version.js';
import { ProblemDto } from '../problems/problem.dto.js';
import { PROBLEM_STATUSES, PROBLEM_TYPE_PREFIX, titleOf } from '../problems/problems.js';
import { Problems } from './openapi-decorators.js';
import { completeDocument } from './openapi-paths.js';

const DESCRIPTION = `Contests, results and rankings, entry of results by devices, and log entries.
What belongs to a space has its paths with and without the space segment. Reads are public; entry needs an API key of the contest,
moderation a session, and logs an access token.`;

/**
 * The page runs the scripts of this server and sends requests to it, nothing else. Its library writes styles into
 * the page, without a nonce, so styles alone are not restricted.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = /^\/api\/docs(?:\/|$)/;

export const serveOpenApi = (app: NestFastifyApplication): void => {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, reply, done) => {
    if (PAGE.test(routedPathOf(request.url))) reply.header('Content-Security-Policy', PAGE_POLICY);
    done();
  });
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Podium')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .addApiKey({ type: 'apiKey', in: 'header', name: 'x-api-key' }, 'x-api-key')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'podium_…', description: 'The API key' })
    .addCookieAuth('podium_session', { type: 'apiKey', in: 'cookie' }, 'session')
    .build();
  let document: OpenAPIObject | undefined;
  const build = (): OpenAPIObject => {
    document ??= completeDocument(SwaggerModule.createDocument(app, config, { extraModels: [ProblemDto] }));
    return document;
  };
  SwaggerModule.setup('api/docs', app, build, {
    jsonDocumentUrl: 'api/docs/openapi.json',
    yamlDocumentUrl: 'api/docs/openapi.yaml',
    customSiteTitle: 'Podium API',
  });
};

export class ProblemKindDto {
  @ApiProperty({ example: `${PROBLEM_TYPE_PREFIX}cutoff-not-met` })
  type: string;

  @ApiProperty({ example: 'Cutoff not met' })
  title: string;

  @ApiProperty({ type: 'integer', example: 422 })
  status: number;
}

@ApiTags('operation')
@Controller('api/docs/problems')
export class ProblemKindsController {
  @Get()
  @ApiOperation({ summary: 'List the kinds of problems' })
  @ApiOkResponse({ type: [ProblemKindDto] })
  list(): ProblemKindDto[] {
    return [...PROBLEM_STATUSES].map(kindOf);
  }

  @Get(':code')
  @ApiOperation({ summary: 'Get one kind of problem' })
  @ApiOkResponse({ type: ProblemKindDto })
  @Problems(404)
  get(@Param('code') code: string): ProblemKindDto {
    const status = PROBLEM_STATUSES.get(code);
    if (status === undefined) throw new NotFoundException();
    return kindOf([code, status]);
  }
}

const kindOf = ([code, status]: readonly [string, number]): ProblemKindDto => ({
  type: PROBLEM_TYPE_PREFIX + code,
  title: titleOf(code),
  status,
});
