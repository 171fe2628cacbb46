/** The devices on which the signed-in account has a session: its user lists them and ends one that is not theirs. */
import { Controller, Delete, HttpCode, Param, Req } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { RejectedError } from '../domain/rejections.js';
import { AuditTrail } from '../foundation/operational/audit-trail.js';
import { GetList, Problems } from '../http/openapi/openapi-decorators.js';
import { AccessControl, contextOf } from './access-control.js';
import { DeviceDto } from './account.dto.js';
import type { Device } from './device.js';
import { sessionIdOf } from './session-cookie.js';
import { Sessions } from './sessions.js';

@ApiTags('session')
@Controller('api/session/devices')
export class DevicesController {
  constructor(
    private readonly sessions: Sessions,
    private readonly signedIn: AccessControl,
    private readonly audit: AuditTrail,
  ) {}

  @GetList(DeviceDto, 'List the devices on which you are signed in, the last used first', 'With this one')
  @Problems(401, 503)
  async list(@Req() request: FastifyRequest): Promise<readonly Device[]> {
    const account = await this.signedIn.stored(request);
    return this.sessions.devicesOf(account, { now: Date.now(), sessionId: sessionIdOf(request) });
  }

  @Delete(':deviceId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Sign out on one device' })
  @ApiParam({ name: 'deviceId', example: '9f3ac2d0b1e4c577' })
  @ApiResponse({ status: 204, description: 'Its session is over' })
  @Problems(401, 403, 404, 503)
  async end(@Param('deviceId') deviceId: string, @Req() request: FastifyRequest): Promise<void> {
    const account = await this.signedIn.stored(request);
    if (!(await this.sessions.endDevice(account, deviceId)))
      throw new RejectedError({ code: 'device-not-found', detail: 'you are not signed in on such a device' });
    const act = { action: 'device-signed-out', spaceId: account.spaceId } as const;
    await this.audit.note(act, contextOf(account, request));
  }
}
