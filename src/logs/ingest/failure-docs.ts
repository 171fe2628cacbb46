/** The failures of an ingestion whose protocol has a form of its own for them, as the OpenAPI document shows them. */
import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';

const FAILURES: Readonly<Record<number, string>> = {
  401: 'The access token is missing, unknown or revoked',
  403: 'The access token has no scope ingest',
  413: 'The body is too large, as it is sent or unpacked',
  415: 'Another content type or compression',
  429: 'Too many entries are pending, or the quota of the day is used up: send it again after Retry-After seconds',
  503: 'The log store does not answer: send it again after Retry-After seconds',
};

/** `badBody`: what a 400 says. `content`: the body of a failure, by content type. */
export const FailsWith = (
  badBody: string,
  content: Readonly<Record<string, { readonly schema: object }>>,
): MethodDecorator =>
  applyDecorators(
    ...Object.entries({ ...FAILURES, 400: badBody }).map(([status, description]) =>
      ApiResponse({ status: Number(status), description, content }),
    ),
  );
