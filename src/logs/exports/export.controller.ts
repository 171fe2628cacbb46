/**
 * GET the entries of a source as a file, in the order of acknowledgement. Entries that come after the beginning are not in it, so
 * none is lost or doubled. Rights are checked again with each page. A failure in the middle breaks the connection off.
 */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { applyDecorators, Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import type { JsonRecord } from '../../foundation/log-store/sources.js';
import { abortOnDisconnect } from '../../http/message/abort-on-disconnect.js';
import { KeyOrSession, Problems } from '../../http/openapi/openapi-decorators.js';
import { FileEncoder } from '../downloads/file-encoder.js';
import { attachment, CONTENT_TYPES } from '../downloads/row-format.js';
import { LogCallers } from '../log-callers.js';
import { REDACT_HEADER } from '../query/call-head.js';
import { fileContents } from '../query/query.dto.js';
import { RunningQueries } from '../query/running-queries.js';
import { SOURCE_DESCRIPTION, sourceSchema } from '../source-docs.js';
import { tailEntries } from '../tail/tail-member.js';
import { TailReads } from '../tail/tail-reads.js';
import { type EntryRange, TailRights } from '../tail/tail-rights.js';
import { entryPages, type ReadPage } from './entry-pages.js';
import { EXPORT_FORMATS, type ExportRequest, exportRequest } from './export-request.js';
import { positionLines } from './position-lines.js';

const parameter = (name: string, description: string, example?: string): MethodDecorator =>
  ApiQuery({ name, required: false, description, ...(example === undefined ? {} : { example }) });

const ExportDocs = applyDecorators(
  ApiQuery({
    name: 'source',
    required: false,
    schema: sourceSchema,
    description: `${SOURCE_DESCRIPTION}. Default: the table that the filter names, else edge_logs`,
  }),
  parameter(
    'project',
    'Whose entries. Default: those of the token’s project, or of all for a token of none',
    'abcdefghij',
  ),
  parameter('lql', 'A filter in LQL, without times and aggregates'),
  parameter('from', 'Only entries from this timestamp on: ISO 8601 or a Unix number', '2026-03-17T14:00:00Z'),
  parameter('to', 'Only entries before this timestamp', '2026-03-17T15:00:00Z'),
  ApiQuery({
    name: 'format',
    required: false,
    enum: EXPORT_FORMATS,
    description:
      'Default: what Accept names, else ndjson. positions: NDJSON of `{"upTo":…,"columns":[…]}`, then ' +
      '`{"position":…,"entry":{…}}` for each entry, at the end `{"isWhole":true}`',
  }),
  parameter('after', 'A position: only entries after it. With upTo a client goes on after a lost connection'),
  parameter('upTo', 'A position: only entries up to it. Default: the last entry of now'),
  ApiHeader({ name: REDACT_HEADER, required: false, description: 'true: addresses are redacted' }),
  ApiOkResponse({
    description: 'The entries in the order of their acknowledgement, as a file without an end to its size',
    content: fileContents,
    headers: { 'Content-Disposition': { description: 'The name of the file', schema: { type: 'string' } } },
  }),
  Problems(400, 401, 403, 404, 422, 429, 503, 504),
);

@ApiTags('log endpoints')
@KeyOrSession()
@Controller('api/logs/export')
export class ExportController {
  readonly #reads: TailReads;

  constructor(
    @Inject(LOG_STORE) private readonly store: LogStore,
    @Inject(CONFIG) config: PodiumConfig,
    private readonly rights: TailRights,
    private readonly callers: LogCallers,
    private readonly running: RunningQueries,
    private readonly files: FileEncoder,
  ) {
    this.#reads = new TailReads(store, config);
  }

  @Get()
  @ApiOperation({ summary: 'Export the log entries of a source as a file (scope query, or of logs.all)' })
  @ExportDocs
  async export(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const holder = await this.callers.holder(request);
    const wanted = exportRequest(request, await this.rights.sources());
    const { asked, times } = wanted;
    const range = await this.rights.rangeFor(holder, asked, times);
    const consumer = asked.lql === '' ? null : ({ language: 'lql', text: asked.lql } as const);
    const { tenant, source } = range;
    const whose = { tenant, endpoint: source, consumer, signal: abortOnDisconnect(reply.raw) };
    await this.running.run(whose, (signal) => this.#send(wanted, range, { request, reply, signal }));
  }

  /** Resolves when all is sent, or the client has gone. */
  async #send(
    wanted: ExportRequest,
    range: EntryRange,
    { request, reply, signal }: { request: FastifyRequest; reply: FastifyReply; signal: AbortSignal },
  ): Promise<void> {
    const { format, after, asked } = wanted;
    const { query, columns, tenant, redact, source } = range;
    const upTo = wanted.upTo ?? (await this.store.position());
    const pages = entryPages(
      async (positions, maxRows) => {
        await this.#requireRights(request, asked, redact);
        const read = await this.#reads.run(query, { range: positions, tenant, maxRows, signal });
        return { entries: tailEntries(read.rows, redact), truncated: read.truncated };
      },
      { after, upTo },
    );
    const isPlain = format === 'positions';
    const bytes = isPlain
      ? positionLines(pages, { upTo, columns })
      : this.files.ofRows(rowsOf(pages), columns, format);
    // A failure of the first page becomes a problem document.
    const begun = await bytes.next();
    const file = Readable.from(joined(begun, bytes), { objectMode: false });
    const sent = finished(file).catch(() => undefined);
    reply
      .header('Content-Type', CONTENT_TYPES[isPlain ? 'ndjson' : format])
      .header('Content-Disposition', attachment(source, isPlain ? 'ndjson' : format))
      .header('Cache-Control', 'private, no-store')
      .send(file);
    await sent;
  }

  /** Throws RejectedError when the caller may no longer read. */
  async #requireRights(
    request: FastifyRequest,
    asked: ExportRequest['asked'],
    redact: boolean,
  ): Promise<void> {
    const now = await this.rights.redactionFor(await this.callers.holder(request), asked);
    if (now !== redact) throw new Error('the redaction of logs.all has changed');
  }
}

async function* rowsOf(pages: AsyncIterable<ReadPage>): AsyncGenerator<readonly JsonRecord[]> {
  for await (const { entries } of pages) yield entries.map(({ entry }) => entry);
}

async function* joined(
  begun: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (!begun.done) yield begun.value;
  yield* rest;
}
