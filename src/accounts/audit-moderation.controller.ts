/** The audit trail of the space over HTTP, for admins. */
import { Get, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { AUDIT_ACTIONS, type AuditAction } from '../foundation/operational/audit-store.js';
import { FieldReader, type Fields } from '../http/body/fields.js';
import { Http, type HttpExchange } from '../http/message/http-exchange.js';
import { linkToNext } from '../http/message/paths.js';
import { SpaceId } from '../http/message/space-segment.js';
import { InParts, Problems } from '../http/openapi/openapi-decorators.js';
import { Moderation } from '../http/reads/moderation.js';
import { AccessControl } from './access-control.js';
import { Audit, type AuditView } from './audit.js';

const MAX_LIMIT = 500;
const DEFAULT_LIMIT = 50;

const idDoc = { type: String, nullable: true, example: '0b7b0f8e-6f0e-4a58-9a57-3f1f2f6f6d10' } as const;
const nameDoc = { type: String, nullable: true, example: 'Aoife Byrne' } as const;

export class AuditEntryDto implements AuditView {
  @ApiProperty({ example: '019ab0f2c3d4-9f3ac2d0b1e4' })
  entryId: string;

  @ApiProperty({ format: 'date-time', description: 'Of failures: the start of their minute' })
  at: string;

  @ApiProperty({ enum: AUDIT_ACTIONS, example: 'signed-in' })
  action: AuditAction;

  @ApiProperty({ ...idDoc, description: 'The account that did it; null: the command line, or not known' })
  accountId: string | null;

  @ApiProperty({ ...nameDoc, description: 'Null: not known here, or removed' })
  accountName: string | null;

  @ApiProperty({ ...idDoc, description: 'The account, key, token or person that it was done to' })
  subject: string | null;

  @ApiProperty({ ...nameDoc, description: 'Of an account; null as above' })
  subjectName: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'c0ffee123456',
    description: 'A keyed hash: equal for equal networks; the address is stored nowhere',
  })
  network: string | null;

  @ApiProperty({ type: 'integer', example: 1, description: 'Failures of one minute are added up' })
  count: number;

  @ApiProperty({ type: String, isArray: true, example: ['role=admin'], description: 'What changed' })
  details: string[];
}

@Moderation('audit')
export class AuditModerationController {
  constructor(
    private readonly audit: Audit,
    private readonly signedIn: AccessControl,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Read the audit trail of accounts, keys and tokens (admins)' })
  @ApiQuery({ name: 'action', required: false, enum: AUDIT_ACTIONS })
  @ApiQuery({ name: 'account', required: false, description: 'Id of an account that acted or was acted on' })
  @ApiQuery({ name: 'network', required: false, description: 'A hash as the entries have it' })
  @InParts({ maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @ApiResponse({
    status: 200,
    type: AuditEntryDto,
    isArray: true,
    description: 'Newest first; of this space, and what concerns no space',
    headers: { Link: { description: 'URL of the next part, rel="next"', schema: { type: 'string' } } },
  })
  @Problems(400, 401, 403, 503)
  async list(
    @SpaceId() spaceId: string,
    @Query() query: Fields,
    @Http() { request, reply }: HttpExchange,
  ): Promise<readonly AuditView[]> {
    await this.signedIn.admin(request, spaceId);
    const { items, next } = await this.audit.page({ spaceId, ...readFilters(query) });
    if (next !== null) reply.header('Link', linkToNext(request.url, next));
    return items;
  }
}

const readFilters = (query: Fields) => {
  const fields = new FieldReader(query);
  const action = fields.oneOf<AuditAction | ''>('action', AUDIT_ACTIONS, '');
  const accountId = fields.text('account', 'the id of an account');
  const network = fields.text('network', 'the hash of a network');
  const after = fields.text('after', 'the id of an entry');
  const limit = fields.integer('limit', { from: 1, to: MAX_LIMIT }, DEFAULT_LIMIT);
  fields.check();
  return {
    limit,
    ...(action !== '' && { action }),
    ...(accountId !== null && { accountId }),
    ...(network !== null && { network }),
    ...(after !== null && { after }),
  };
};
