/** The owner of an alert or a drain as JSON. */
import { ApiProperty } from '@nestjs/swagger';
import type { OwnerView } from './owner.js';

export class OwnerDto implements OwnerView {
  @ApiProperty({ enum: ['operator', 'account', 'token'], description: 'operator: the command line' })
  kind: OwnerView['kind'];

  @ApiProperty({ type: String, nullable: true })
  id: string | null;
}
