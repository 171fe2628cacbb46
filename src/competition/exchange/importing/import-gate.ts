/**
 * Receives the body of an import as the unchanged bytes of the file, so that faults can name line and column. The
 * account is checked before the body is read, because the limit is larger than for other bodies: admins import contests and
 * reference records, moderators competitors of their contests.
 */

import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AccessControl } from '../../../accounts/access-control.js';
import { DEFAULT_SPACE } from '../../../domain/ids.js';
import { FailureError } from '../../../http/problems/failure.js';
import { invalidRequest } from '../../../http/problems/invalid-request.js';
import { sendFailure } from '../../../http/problems/problem-filter.js';
import { FaultList, type Reading } from '../formats/contest-file.js';
import { textOf } from '../formats/file-text.js';
import { readResultsCsv } from '../formats/results-csv-reader.js';
import { readWcif } from '../formats/wcif-reader.js';

/** Maximum size of a file, in bytes. */
export const MAX_IMPORT_BYTES = 8 * 1024 * 1024;

const ROUTES =
  /^\/api\/(?::spaceId\/)?moderation\/(?:(?:imports|references|contests\/:competitionId\/competitors\/import)(?:\/preview)?|contests\/:competitionId\/schedule\/import)$/;
/** An internal media type that no client sends. */
const KEPT_AS_BYTES = 'application/vnd.podium.contest-file';

const FORMATS = { 'application/json': 'wcif', 'text/csv': 'csv' } as const;
type Format = (typeof FORMATS)[keyof typeof FORMATS];

export interface ImportedFile {
  readonly format: Format;
  /** For faults: the client's file has no name. */
  readonly name: string;
  readonly bytes: Buffer;
}

const isType = (type: string): type is keyof typeof FORMATS => Object.hasOwn(FORMATS, type);

@Injectable()
export class ImportGate {
  readonly #formats = new WeakMap<FastifyRequest, Format>();

  constructor(private readonly signedIn: AccessControl) {}

  /** Adds the parser for bodies of imports. Other routes are unchanged. Only admins import whole contests. */
  install(fastify: FastifyInstance): void {
    fastify.addContentTypeParser(
      KEPT_AS_BYTES,
      { parseAs: 'buffer', bodyLimit: MAX_IMPORT_BYTES },
      (_, body, done) => done(null, body),
    );
    fastify.addHook('onRoute', (route) => {
      if (!ROUTES.test(route.url) || route.method !== 'POST') return;
      route.onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
        try {
          await this.#admit(request);
        } catch (error) {
          sendFailure(error, request, reply);
          return reply;
        }
      };
    });
  }

  /** Returns the contests in the body of a request that `install` has admitted. */
  readingsOf(request: FastifyRequest): readonly Reading[] {
    const { format, name, bytes } = this.fileOf(request);
    const faults = new FaultList();
    const text = faults.attempt(() => textOf(name, bytes));
    if (text === null) return [{ ok: false, source: name, faults: faults.faults }];
    return format === 'wcif' ? [readWcif(name, text)] : readResultsCsv(name, text);
  }

  /** Returns the file in the body of a request that `install` has admitted. */
  fileOf(request: FastifyRequest): ImportedFile {
    const format = this.#formats.get(request);
    const { body } = request;
    if (format === undefined || !Buffer.isBuffer(body) || body.toString().trim() === '')
      throw invalidRequest([
        { field: 'body', rule: 'file', message: 'the body is empty; it has to be a file' },
      ]);
    return { format, name: format === 'wcif' ? 'WCIF' : 'CSV', bytes: body };
  }

  async #admit(request: FastifyRequest): Promise<void> {
    const { spaceId = DEFAULT_SPACE, competitionId } = paramsOf(request);
    if (competitionId === undefined) await this.signedIn.admin(request, spaceId);
    else await this.signedIn.moderatorOf(request, { spaceId, competitionId });
    const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    if (!isType(type)) {
      const detail = `A file comes as ${Object.keys(FORMATS).join(' (WCIF) or as ')} (CSV)`;
      throw new FailureError({ code: 'unsupported-media-type', status: 415, detail });
    }
    this.#formats.set(request, FORMATS[type]);
    request.headers['content-type'] = KEPT_AS_BYTES;
  }
}

/** Fastify types the parameters of a hook as unknown. */
const paramsOf = ({
  params,
}: FastifyRequest): {
  readonly spaceId?: string | undefined;
  readonly competitionId?: string | undefined;
} => {
  const text = (name: string): string | undefined => {
    const value: unknown = Object(params)[name];
    return typeof value === 'string' ? value : undefined;
  };
  return { spaceId: text('spaceId'), competitionId: text('competitionId') };
};
